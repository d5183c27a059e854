// The effect Ask: decisions on the terminal, one after another, while the run goes on.
#include <algorithm>

#include "git-plan/executor/execution.h"

namespace gitplan {

void Execution::carry_out(const Ask& effect) {
  questions_.push_back(effect.decision);
  ask_next();
}

void Execution::ask_next() {
  const bool lent = std::any_of(live_.begin(), live_.end(),
                                [](const auto& live) { return live.second.loan != nullptr; });
  while (!asking_ && !lent && !questions_.empty()) {
    const std::string id = std::move(questions_.front());
    questions_.pop_front();
    const Decision* decision = engine_->ledger().decision(id);
    if (decision == nullptr || !decision->open() || fatal_ || interrupts_ > 0) {
      input(AskDone{id});
      continue;
    }
    asking_ = std::make_unique<Asking>();
    asking_->decision = id;
    loop_.work([this, id, question = observer_.on_decision(decision->asked),
                give_up = asking_->give_up.fd()]() -> Loop::Action {
      return [this, id, answer = question(give_up)]() mutable {
        asking_.reset();
        const Decision* asked = engine_->ledger().decision(id);
        if (answer && asked != nullptr && asked->open()) {
          answer->decision = id;
          append({*std::move(answer)});
        }
        input(AskDone{id});
        ask_next();
      };
    });
  }
}

// Answered elsewhere, or the run is to end.
void Execution::give_up_asking() {
  if (asking_) asking_->give_up.say();
}

}  // namespace gitplan
