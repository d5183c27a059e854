#include "git-plan/neighbours/meetings.h"

#include <algorithm>

#include "core/plan/references.h"
#include "refs/snapshot/snapshot.h"

namespace gitplan {
namespace {

using Exists = std::function<bool(std::string_view)>;

bool is_over(const Ledger& ledger, const Task& task) {
  const TaskStatus status = ledger.task(task.name).status;
  return status == TaskStatus::kCompleted || status == TaskStatus::kSkipped;
}

std::vector<MeetingSide> sides_of(const Plan& plan, const Ledger& ledger, const Exists& exists) {
  std::vector<MeetingSide> sides;
  bool any_scope = false;
  for (const Task& task : plan.tasks()) {
    MeetingSide side{task.name, scope_of(plan, task, exists)};
    any_scope = any_scope || !side.files.empty();
    if (!side.files.empty() && !is_over(ledger, task)) sides.push_back(std::move(side));
  }
  if (any_scope) return sides;
  MeetingSide whole;
  for (const Reference& reference : references_of(plan, exists))
    if (!reference.action.empty()) whole.files.push_back(reference.path);
  if (!whole.files.empty()) sides.push_back(std::move(whole));
  return sides;
}

std::string listed(const std::vector<std::string>& files) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(files.size(), kNamed); ++i)
    text += (i == 0 ? "" : ", ") + files[i];
  return files.size() > kNamed ? text + ", …" : text;
}

bool waits_for(const Store& store, const Plan& plan, const Ledger& ledger, std::string_view other) {
  const std::vector<WaitsFor> before = plans_before(plan, ledger);
  return std::any_of(before.begin(), before.end(), [&](const WaitsFor& one) {
    const Result<std::string> id = store.resolve(one.plan);
    return id.ok() && *id == other;
  });
}

}  // namespace

bool may_still_change_files(PlanState state) {
  switch (state) {
    case PlanState::kCompleted:
    case PlanState::kArchived:
    case PlanState::kDeleted: return false;
    default: return true;
  }
}

bool is_at_work(PlanState state) {
  return state == PlanState::kRunning || state == PlanState::kPaused;
}

std::string words(const Meeting& meeting) {
  const auto named = [](const std::string& task, std::string_view whole, std::string_view its) {
    return task.empty() ? std::string(whole) : std::string(its) + "'" + task + "'";
  };
  return named(meeting.mine.task, "this plan", "") + " (" + listed(meeting.mine.files) + ") and " +
         named(meeting.theirs.task, "all of it", "its task ") + " (" +
         listed(meeting.theirs.files) + ")";
}

Result<std::vector<Meeting>> meetings(const Repository& repository, const Store& store,
                                      std::string_view id, const Plan& plan, const Ledger& ledger,
                                      const std::function<bool(PlanState)>& wanted) {
  std::vector<Meeting> found;
  const Exists exists = exists_at_head(repository);
  const std::vector<MeetingSide> ours = sides_of(plan, ledger, exists);
  if (ours.empty()) return found;
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> plans, store.list(id));
  for (const Summary& other : plans) {
    if (!other.fault.empty() || !wanted(other.state)) continue;
    const Result<PlanView> view = store.load(other.id);
    if (!view) continue;
    const std::vector<MeetingSide> theirs = sides_of(view->plan, view->ledger, exists);
    for (const MeetingSide& mine : ours)
      for (const MeetingSide& their : theirs)
        if (scopes_overlap(mine.files, their.files))
          found.push_back({other.id, other.state, other.done, other.total, mine, their});
  }
  return found;
}

Result<std::vector<PlanOverlap>> overlaps_at_work(const Repository& repository, const Store& store,
                                                  std::string_view id, const Plan& plan,
                                                  const Ledger& ledger) {
  constexpr int kNamed = 3;
  std::vector<PlanOverlap> overlaps;
  GITPLAN_TRY_ASSIGN(const std::vector<Meeting> met,
                     meetings(repository, store, id, plan, ledger, is_at_work));
  int named = 0;
  for (const Meeting& meeting : met) {
    if (!overlaps.empty() && overlaps.back().plan == meeting.plan) {
      ++named;
      if (named <= kNamed) overlaps.back().where += "; " + words(meeting);
      if (named == kNamed + 1) overlaps.back().where += "; …";
      continue;
    }
    const Result<PlanView> other = store.load(meeting.plan);
    if (!other || waits_for(store, plan, ledger, meeting.plan) ||
        waits_for(store, other->plan, other->ledger, id))
      continue;
    named = 1;
    overlaps.push_back({meeting.plan, words(meeting)});
  }
  return overlaps;
}

}  // namespace gitplan
