// Conflicts told while the branches still grow: when a wave is made it is too late to tell an
// agent.
#include <algorithm>

#include "core/base/timestamp.h"
#include "git-plan/executor/execution.h"

namespace gitplan {
namespace {

constexpr Millis kLookEvery = 5000;

// "src/a.cc (parse: lines 3-5, draw: line 4)"
std::string words(const Conflict& conflict) {
  std::string sides;
  for (const Side& side : conflict.sides) {
    if (side.lines.empty()) continue;
    const LineRange& first = side.lines.front();
    sides += (sides.empty() ? "" : ", ") + side.who + ": " +
             (first.first == first.last
                  ? "line " + std::to_string(first.first)
                  : "lines " + std::to_string(first.first) + "-" + std::to_string(first.last)) +
             (side.lines.size() > 1 ? ", …" : "");
  }
  return conflict.path + (sides.empty() ? "" : " (" + sides + ")");
}

}  // namespace

// Of those at work what they have committed, and what waits for the wave.
void Execution::look_at_branches() {
  const Millis now = clock_now();
  if (foretelling_ || now - branches_seen_ < kLookEvery) return;
  branches_seen_ = now;
  std::vector<GrowingBranch> branches;
  std::string tips;
  bool any_live = false;
  for (const auto& [name, record] : engine_->ledger().tasks) {
    const Attempt* last = record.last();
    if (last == nullptr || last->in_place()) continue;
    std::string commit;
    if (record.status == TaskStatus::kFinished) {
      commit = last->commit;
    } else if (record.status == TaskStatus::kRunning) {
      if (const auto tip = repository_.ref(last->branch); tip && *tip) commit = **tip;
      any_live = true;
    }
    if (commit.empty() || commit == last->base) continue;
    branches.push_back({name, last->base, commit});
    tips += name + " " + commit + "\n";
  }
  if (!any_live || branches.size() < 2 || tips == tips_) return;
  tips_ = tips;
  foretelling_ = true;
  loop_.work([this, branches = std::move(branches)]() -> Loop::Action {
    std::vector<ForetoldConflict> found;
    if (auto repository = repositories_.take())
      if (auto told = foretell(**repository, branches, setup_.plan_dir + "/foretell"))
        found = *std::move(told);
    return [this, found = std::move(found)] {  // what cannot be foretold is found at the wave
      foretelling_ = false;
      tell_conflicts(found);
    };
  });
}

void Execution::tell_conflicts(const std::vector<ForetoldConflict>& conflicts) {
  constexpr std::size_t kNamed = 3;
  for (const ForetoldConflict& one : conflicts) {
    std::string paths, shown;
    for (const Conflict& conflict : one.conflicts) paths += conflict.path + "/";
    for (std::size_t i = 0; i < std::min(one.conflicts.size(), kNamed); ++i)
      shown += (i == 0 ? "" : ", ") + words(one.conflicts[i]);
    if (one.conflicts.size() > kNamed)
      shown += " and " + std::to_string(one.conflicts.size() - kNamed) + " more";
    if (!foretold_.insert(one.one + " " + one.other + " " + paths).second || fatal_) continue;
    append({Remark{
        "", "'" + one.one + "' and '" + one.other + "' will not merge as they are now: " + shown}});
  }
}

}  // namespace gitplan
