#include "git-plan/view/plan_facts.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "core/engine/begin.h"
#include "core/engine/hold.h"
#include "git-plan/executor/executor.h"
#include "git-plan/executor/waiting.h"

namespace gitplan {
namespace {

constexpr Millis kDay = 24 * 60 * 60 * 1000;

std::string held_by_person(const PlanView& view, const Task& task) {
  switch (hold_of(view.plan, task, view.ledger)) {
    case Hold::kNone: break;
    case Hold::kApproval: return "waits for approval";
    case Hold::kBudget: return "has spent its budget";
    case Hold::kPlanBudget: return "waits: the plan's budget is spent";
  }
  return {};
}

// What the plan has integrated is not in the branch that the working tree shows.
bool unlanded(const Ledger& ledger) {
  const Run* run = ledger.run();
  const Wave* newest = ledger.newest_result();
  return run != nullptr && newest != nullptr &&
         (run->landed_commit.empty() || run->landed_tip != newest->commit);
}

// Of those that are ready, the ones that a run would not start now, with the reason.
void tell_holds(const PlanView& view, PlanFacts& facts) {
  const std::vector<Task>& tasks = view.plan.tasks();
  std::vector<const Task*> at_work;
  for (const Task& task : tasks) {
    const TaskRecord& record = view.ledger.task(task.name);
    if (record.status == TaskStatus::kRunning && record.claimed() == nullptr)
      at_work.push_back(&task);
  }
  const bool tree_is_behind = facts.holder && unlanded(view.ledger);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    TaskView& shown = facts.tasks[i];
    facts.free.push_back(shown.readiness == Readiness::kReady);
    if (!facts.free[i]) continue;
    std::string why = held_by_person(view, tasks[i]);
    const auto other = std::find_if(at_work.begin(), at_work.end(), [&](const Task* one) {
      return !may_work_together(view.plan, tasks[i], *one);
    });
    if (why.empty() && other != at_work.end())
      why = view.plan.in_place(tasks[i])
                ? "waits for the working tree: '" + (*other)->name + "' is running"
                : "waits for '" + (*other)->name + "', which has the working tree";
    if (why.empty() && tree_is_behind && view.plan.in_place(tasks[i]))
      why = "waits for the working tree: the plan's work has to land there first";
    if (why.empty()) continue;
    shown.readiness = Readiness::kWaiting;
    shown.reasons.push_back(std::move(why));
  }
}

}  // namespace

InBase in_base_of(const Repository& repository, const Ledger& ledger, std::string base) {
  struct Known {
    std::unordered_map<std::string, std::string> below;  // wave commit -> what it stands on
    std::unordered_map<std::string, bool> answers;
  };
  auto known = std::make_shared<Known>();
  for (const Wave& wave : ledger.waves)
    if (!wave.commit.empty()) known->below[wave.commit] = wave.base;
  // Newest first: where that one is in the base, the others are answered by walking down from it.
  for (auto wave = ledger.waves.rbegin(); wave != ledger.waves.rend(); ++wave) {
    if (wave->commit.empty() || known->answers.count(wave->commit) != 0) continue;
    const bool in = !base.empty() && repository.is_ancestor(wave->commit, base);
    known->answers[wave->commit] = in;
    if (!in) continue;
    for (auto at = known->below.find(wave->base); at != known->below.end();
         at = known->below.find(at->second)) {
      if (!known->answers.emplace(at->first, true).second) break;
    }
  }
  return [known, &repository, base = std::move(base)](std::string_view commit) {
    if (commit.empty()) return true;
    std::string id(commit);
    const auto found = known->answers.find(id);
    if (found != known->answers.end()) return found->second;
    const bool in = !base.empty() && repository.is_ancestor(commit, base);
    known->answers.emplace(std::move(id), in);
    return in;
  };
}

Result<bool> is_stale(Context& context, PlanState state, Millis last_activity, int ttl_days) {
  switch (state) {
    case PlanState::kCompleted:
    case PlanState::kArchived:
    case PlanState::kDeleted:
    case PlanState::kRunning: return false;
    default: break;
  }
  if (ttl_days <= 0) {
    GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
    GITPLAN_TRY_ASSIGN(ttl_days, settings->integer("plan.ttlDays"));
  }
  return ttl_days > 0 && context.now() - last_activity > ttl_days * kDay;
}

Result<PlanFacts> plan_facts(Context& context, PlanView& view) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(std::string dir, store->plan_dir(view.id));
  std::optional<RunHolder> holder = RunLock::holder(dir);
  if (!holder && view.ledger.state == PlanState::kRunning) {
    // Killed, or it has ended since the plan was read: then it has written how.
    GITPLAN_TRY_ASSIGN(view, store->load(view.id));
  }
  PlanFacts facts{TaskGraph(view.plan.tasks()), {}, {}, progress(view.plan, view.ledger)};
  facts.dir = std::move(dir);
  facts.holder = std::move(holder);
  const Run* run = view.ledger.run();
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> branch, repository->head_branch());
  facts.target = run != nullptr ? run->target : branch.value_or("");
  const bool open = facts.holder || (run != nullptr && run->ended == 0);
  facts.next_target =
      open && run != nullptr ? run->target : target_of_next_run(view.ledger, branch.value_or(""));
  if (facts.holder) facts.waiting = waiting_of_run(facts.dir);
  const std::string integration = "refs/heads/plan/" + view.id + "/integration";
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> tip, repository->ref(integration));
  if (tip) {
    facts.integration = integration;
    facts.base = *tip;
  } else {
    GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, repository->head_commit());
    facts.base = head.value_or("");
    // A run that is not over, and what is completed, is where it lands, whatever is checked out.
    const bool settled = open || view.ledger.state == PlanState::kCompleted;
    if (settled && !facts.target.empty()) {
      GITPLAN_TRY_ASSIGN(const std::optional<std::string> target, repository->ref(facts.target));
      if (target) facts.base = *target;
    }
  }
  const auto look = [&] {
    facts.tasks = readiness(view.plan, facts.graph, view.ledger,
                            in_base_of(*repository, view.ledger, facts.base));
  };
  look();
  const auto elsewhere = [](const TaskView& task) {
    return task.readiness == Readiness::kElsewhere;
  };
  if (std::ranges::any_of(facts.tasks, elsewhere)) {
    GITPLAN_TRY_ASSIGN(facts.rewritten,
                       find_rewritten(*repository, view.id, view.ledger, facts.base));
    note_rewritten(facts.rewritten, view.ledger);
    if (!facts.rewritten.empty()) look();
  }
  tell_holds(view, facts);
  for (const Decision& decision : view.ledger.decisions)
    if (decision.open() && branch_is_back(*repository, decision.asked))
      facts.moot.push_back(decision.asked.decision);
  GITPLAN_TRY_ASSIGN(facts.stale, is_stale(context, view.ledger.state, view.ledger.last_activity,
                                           view.plan.ttl_days.value_or(0)));
  return facts;
}

}  // namespace gitplan
