// A plan with work to land on the branch of the user.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "core/engine/questions.h"
#include "core/ledger/resolution.h"
#include "refs/wave/landing.h"
#include "tests/refs/wave/wave_fixture.h"

namespace gitplan::test {

class LandingFixture : public WaveFixture {
 protected:
  LandingFixture() {
    start({{"a.txt", lines(60)},
           {"b.txt", "b\n"},
           {"gone.txt", "gone\n"},
           {".gitignore", "*.local\n"}});
    options_.plan = kPlan;
    options_.run = "0123456789ab-1";
    options_.deadline = std::chrono::seconds(30);
    options_.say = [this](const std::string& text) { said_.push_back(text); };
    plan_ = wave_on(
        base_, {{"a.txt", lines(60, {{5, "plan"}})}, {"new.txt", "new\n"}, {"gone.txt", kGone}},
        {"one"});
    effect_.branch = "refs/heads/main";
    effect_.commit = plan_;
  }
  LandAnswer run() { return must(land(*repository_, effect_, options_, tree_)); }
  template <typename T>
  T run_for() {
    LandAnswer answer = run();
    if (auto* wanted = std::get_if<T>(&answer)) return *wanted;
    if (const auto* waits = std::get_if<LandWaits>(&answer))
      throw std::runtime_error("waits: " + waits->reason);
    if (const auto* refused = std::get_if<LandRefused>(&answer))
      throw std::runtime_error("refused: " + refused->reason + "\n" + refused->output);
    if (const auto* conflict = std::get_if<LandConflict>(&answer))
      throw std::runtime_error("conflict: " +
                               ::testing::PrintToString(text_of(conflict->conflicts)));
    throw std::runtime_error("done: " + std::get<LandDone>(answer).commit);
  }
  // Answers the decision about all that is in the way, as `resolve` and the engine do.
  DecisionAsked answer(const std::string& option) {
    Decision decision;
    decision.asked = ask_about_landing(run_for<LandConflict>());
    decision.option = option;
    Ledger ledger;
    ledger.runs.emplace_back();
    ledger.runs.back().land_answers = effect_.answers;
    apply_resolution(ledger, decision);
    effect_.answers = ledger.runs.back().land_answers;
    return decision.asked;
  }
  std::string tip() const { return repo_.git({"rev-parse", "refs/heads/main"}); }
  std::string status() const { return repo_.git({"status", "--porcelain"}); }
  std::string on_main(const Files& files, const std::string& message = "User") {
    for (const auto& [name, text] : files) repo_.write(name, text);
    return repo_.commit(message);
  }

  Land effect_;
  LandingOptions options_;
  std::string plan_;
  std::vector<std::string> said_;
};

}  // namespace gitplan::test
