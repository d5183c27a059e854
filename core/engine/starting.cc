// Which tasks start next, who plays them, and what a person or another plan must say before.
#include <algorithm>

#include "core/engine/attempt_start.h"
#include "core/engine/engine.h"
#include "core/engine/hold.h"
#include "core/engine/questions.h"

namespace gitplan {

bool Engine::eager() const {
  return plan_.orchestration && plan_.orchestration->schedule == Schedule::kEager;
}

// ---- who plays it ----

std::vector<std::string> Engine::agents_of(const Task& task) const {
  if (!task.run.empty()) return {options_.agent_of ? options_.agent_of(task) : "run"};
  std::vector<std::string> agents{options_.agent_of ? options_.agent_of(task) : task.agent};
  for (const std::string& other : task.fallback)
    if (std::find(agents.begin(), agents.end(), other) == agents.end()) agents.push_back(other);
  return agents;
}

// A try that met a limit which ends at a known time is none.
int Engine::tries_left(int task, std::string_view agent) const {
  const TaskRecord& record = *records_[task];
  int left = plan_.orchestration ? plan_.orchestration->retry.max_attempts : 1;
  // Those since a person last set it back.
  int seen = 0;
  for (auto attempt = record.attempts.rbegin();
       attempt != record.attempts.rend() && seen < record.transient_failures; ++attempt) {
    if (attempt->outcome != "queued") continue;
    ++seen;
    if (attempt->agent == agent && !attempt->limited) --left;
  }
  return left;
}

bool Engine::limited(std::string_view agent, Millis now) const {
  const auto limit = ledger_.agent_limits.find(std::string(agent));
  return limit != ledger_.agent_limits.end() && limit->second > now;
}

std::optional<std::string> Engine::agent_for(int task, Millis now) const {
  for (std::string& agent : agents_of(plan_.tasks()[task]))
    if (tries_left(task, agent) > 0 && !limited(agent, now)) return std::move(agent);
  return std::nullopt;
}

// ---- what must be said before ----

bool Engine::awaits_checkpoint(int task) const {
  const TaskRecord& record = *records_[task];
  return record.status == TaskStatus::kFinished && !ledger_.elsewhere(record) &&
         plan_.tasks()[task].checkpoint != Checkpoint::kNone && record.checked != record.last()->id;
}

bool Engine::asked_about(std::string_view kind) const {
  return std::any_of(ledger_.decisions.rbegin(), ledger_.decisions.rend(), [&](const Decision& d) {
    return d.open() && d.asked.kind == kind && d.asked.task.empty();
  });
}

bool Engine::held_by_question(int task) const {
  return asked_about("other_plan") || asked_about("plan_overlap") ||
         asked_about("stale_references") ||
         (plan_.tasks()[task].run.empty() && asked_about("budget") && over_budget(plan_, ledger_));
}

void Engine::put_question(Step& step, DecisionAsked asked, std::string_view about) {
  asked.decision = decision_id(asked.kind, about);
  asked.run = options_.run;
  step.events.push_back(std::move(asked));
}

void Engine::ask_before_start(Step& step, Millis now) {
  if (controlled()) return;
  bool plan_asked = false;
  for (int task = 0; task < graph_.size(); ++task) {
    const Task& definition = plan_.tasks()[task];
    const bool gated = needs_approval(definition, ledger_);
    const bool costs = definition.run.empty() && plan_.orchestration->budget_usd.has_value();
    if ((!gated && !costs && !definition.budget_usd) || !startable(task, now)) continue;
    if (ledger_.has_open_decision(definition.name)) continue;
    if (gated) {
      put_question(step, ask_for_approval(definition, blocked_by(task)), definition.name);
    } else if (over_budget(definition, ledger_)) {
      put_question(step,
                   ask_about_budget(definition, ledger_.spent(definition.name), blocked_by(task)),
                   definition.name);
    } else if (costs && !plan_asked && over_budget(plan_, ledger_) && !asked_about("budget")) {
      plan_asked = true;
      put_question(step, ask_about_plan_budget(ledger_.spent()), "plan");
    }
  }
  if (!step.events.empty()) step.effects.push_back(Flush{});
}

// Plans at work on the same files: once, before anything starts.
bool Engine::asks_about_overlap(Step& step, Millis now) {
  if (asked_about("plan_overlap")) return true;
  if (!any_startable(now)) return false;
  std::vector<PlanOverlap> unseen;
  std::string about;
  for (const PlanOverlap& other : options_.overlaps) {
    const auto& seen = ledger_.overlaps_seen;
    if (std::find(seen.begin(), seen.end(), other.plan) != seen.end()) continue;
    unseen.push_back(other);
    about += other.plan + "/";
  }
  if (unseen.empty()) return false;
  put_question(step, ask_about_plan_overlap(unseen), about);
  step.effects.push_back(Flush{});
  return true;
}

// References of tasks that are to start: once, before anything does. What `edit` and `fix` left
// stale is asked about by the next process.
bool Engine::asks_about_stale_references(Step& step, Millis now) {
  if (asked_about("stale_references")) return true;
  if (stale_asked_ || options_.stale.empty() || !any_startable(now)) return false;
  stale_asked_ = true;
  std::vector<StaleReference> unseen;
  std::string about;
  for (const StaleReference& one : options_.stale) {
    const int task = graph_.index_of(one.task);
    if (task < 0 || !selected_[task]) continue;
    const TaskStatus status = records_[task]->status;
    if (status != TaskStatus::kPending && status != TaskStatus::kQueued) continue;
    const auto& seen = ledger_.stale_seen;
    if (std::find(seen.begin(), seen.end(), one.path) != seen.end()) continue;
    unseen.push_back(one);
    about += one.path + "/";
  }
  if (unseen.empty()) return false;
  put_question(step, ask_about_stale_references(unseen), about);
  step.effects.push_back(Flush{});
  return true;
}

bool Engine::waits_for_other_plan(Step& step, Millis now) {
  const Run& run = *ledger_.run();
  for (const WaitsFor& other : plans_before(plan_, ledger_)) {
    if (plans_done_.contains(other.plan)) continue;
    if (!asked_about("other_plan") && plan_retry_ <= now && fly("watch")) {
      base_is_old_ = true;
      step.effects.push_back(Watch{other});
    }
    return true;
  }
  // What was waited for is in the branch now: the first attempts start from there.
  if (base_is_old_) {
    if (fly("watch")) step.effects.push_back(Watch{});
    return true;
  }
  if (!run.waits.empty()) step.events.push_back(RunWaits{run.id, "", ""});
  return !step.events.empty();
}

Step Engine::on(const OtherPlan& input, Millis now) {
  using enum OtherPlan::State;
  landed("watch");
  Step step;
  const Run* run = ledger_.run();
  if (run == nullptr || !run->outcome.empty()) return step;
  if (input.plan.empty()) {
    base_is_old_ = false;
    if (!input.base.empty() && input.base != run->base && !ledger_.started_in(run->id))
      step.events.push_back(BaseTaken{run->id, "", "", input.base});
    return step;
  }
  const std::vector<WaitsFor> before = plans_before(plan_, ledger_);
  const auto other = std::find_if(before.begin(), before.end(),
                                  [&input](const WaitsFor& one) { return one.plan == input.plan; });
  if (other == before.end()) return step;
  plan_retry_ = now + options_.plan_poll;
  if (input.state == kDone) {
    plans_done_.insert(other->plan);
    plan_retry_ = 0;
  } else if (input.state == kPending) {
    if (run->waits != input.why) step.events.push_back(RunWaits{run->id, other->plan, input.why});
  } else {
    const auto& queued = ledger_.queued_after;
    const bool by_person = std::find(queued.begin(), queued.end(), other->plan) != queued.end();
    DecisionAsked asked = ask_about_other_plan(*other, input, by_person);
    asked.decision = decision_id(asked.kind, other->plan);
    asked.run = run->id;
    step.events.push_back(std::move(asked));
    step.effects.push_back(Flush{});
  }
  return step;
}

// ---- the start ----

AttemptStarted Engine::start_of(int task, std::string agent) const {
  return attempt_started(plan_, plan_.tasks()[task], *records_[task],
                         {options_.run, options_.actor, std::move(agent), base_,
                          options_.task_branch_prefix, options_.default_minutes});
}

void Engine::start_tasks(Step& step, Millis now) {
  if (controlled() || !step.events.empty()) return;
  const Wave* held = ledger_.held_wave();
  // Its commit is the next base; an eager plan has no batches to wait for.
  if (held != nullptr && !wave_blocked(*held) && !eager()) return;
  if (asks_about_stale_references(step, now) || asks_about_overlap(step, now) ||
      waits_for_other_plan(step, now))
    return;
  // What was done in the working tree becomes a wave and lands first, unless somebody is in the way
  // of the landing.
  const std::vector<int> batch = next_batch();
  if (held == nullptr && !batch.empty() && must_land_alone(*records_[batch.front()])) return;
  if (tree_is_ahead() && tree_can_be_had() && land_retry_ <= now) return;
  LockHolders holders = lock_holders(plan_.tasks(), records_);
  // The working tree must show all that was done before. What need not land alone of what was done
  // there changed nothing.
  const bool tree_is_current =
      held == nullptr && !unlanded() && std::all_of(batch.begin(), batch.end(), [this](int task) {
        return records_[task]->last()->in_place();
      });
  std::vector<const Task*> at_work;
  for (const auto& live : live_)
    if (const Task* other = plan_.find(live.first)) at_work.push_back(other);
  for (int task = 0; task < graph_.size() && static_cast<int>(at_work.size()) < options_.jobs;
       ++task) {
    if (!startable(task, now)) continue;
    if (in_place(task) && !tree_is_current) continue;
    if (!may_join(task, at_work)) continue;
    const Task& definition = plan_.tasks()[task];
    if (hold_of(plan_, definition, ledger_) != Hold::kNone) continue;
    if (!held_lock(definition, holders).empty()) continue;
    std::optional<std::string> agent = agent_for(task, now);
    if (!agent) continue;
    for (const std::string& lock : definition.locks) holders.emplace(lock, definition.name);
    step.events.push_back(start_of(task, *std::move(agent)));
    at_work.push_back(&definition);
  }
}

}  // namespace gitplan
