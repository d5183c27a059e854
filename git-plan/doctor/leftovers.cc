#include <sys/stat.h>
#include <sys/statvfs.h>

#include <filesystem>

#include "git-plan/command/garbage.h"
#include "git-plan/doctor/doctor.h"
#include "git-plan/view/words.h"
#include "refs/store/run_lock.h"

namespace gitplan {
namespace {

constexpr Millis kOldLock = 60 * 1000;  // no git holds a lock of a ref for that long
constexpr std::uint64_t kLittle = 1000ull * 1000 * 1000;
constexpr std::uint64_t kNone = 100ull * 1000 * 1000;

// Lock files of git that a killed process left: every later change of that ref fails.
void stale_locks(const std::string& folder, Millis now, Examination& seen) {
  std::error_code ignored;
  namespace fs = std::filesystem;
  for (auto at = fs::recursive_directory_iterator(folder, ignored);
       at != fs::recursive_directory_iterator(); at.increment(ignored)) {
    const std::string path = at->path();
    struct stat info {};
    if (!path.ends_with(".lock") || stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
      continue;
    const Millis age = now - static_cast<Millis>(info.st_mtime) * 1000;
    if (age < kOldLock) continue;
    seen.add(Severity::kError, "stale-lock",
             "the lock '" + path + "' is " + short_duration(age) +
                 " old: what made it has probably been killed",
             path, "make sure that no git is at work, then: rm '" + path + "'");
  }
}

}  // namespace

Status examine_plans(Context& context, Examination& seen) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> all, store->list());
  std::size_t live = 0;
  for (const Summary& summary : all) {
    if (summary.state == PlanState::kDeleted) continue;
    ++live;
    if (!summary.fault.empty()) {
      seen.add(Severity::kError, "unreadable-plan", summary.fault, "refs/plans/" + summary.id,
               "'git fsck' says more; a fetch of refs/plans/" + summary.id +
                   " from another clone brings back what is missing");
      continue;
    }
    if (summary.state != PlanState::kRunning && summary.state != PlanState::kQueued) continue;
    GITPLAN_TRY_ASSIGN(const std::string dir, store->plan_dir(summary.id));
    if (RunLock::holder(dir)) continue;
    seen.add(Severity::kWarning, "interrupted-run",
             "the run of plan '" + summary.id + "' was interrupted", summary.id,
             "git plan execute " + summary.id);
  }
  GITPLAN_TRY_ASSIGN(const std::vector<Store::Lost> lost, store->lost());
  for (const Store::Lost& plan : lost)
    seen.add(Severity::kError, "lost-plan",
             "refs/plans/" + plan.id + " was deleted, and files of that plan are here",
             "refs/plans/" + plan.id,
             plan.tip.empty()
                 ? "a fetch from another clone brings it back; 'git plan gc' gives it up in time"
                 : "git update-ref refs/plans/" + plan.id + " " + plan.tip);
  seen.fact("plans", std::to_string(live));
  seen.fact("actor", store->actor());
  if (store->actor_is_new_copy())
    seen.add(
        Severity::kNote, "copied-clone",
        "this clone is a copy of another one: it writes under a new name, and what was trusted "
        "there is not trusted here",
        "", "");
  return {};
}

Status examine_leftovers(Context& context, Examination& seen) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const Result<std::vector<Garbage>> all = collect_garbage(context, false);
  if (!all.ok())  // a damaged plan must not hide the other faults
    seen.add(Severity::kWarning, "leftovers-unknown",
             "what is left over cannot be told: " + all.error().message, "",
             all.error().hint.empty() ? "git plan doctor --fsck" : all.error().hint);
  for (const Garbage& garbage : all.ok() ? *all : std::vector<Garbage>())
    if (!garbage.left)  // a lost plan: examine_plans() has named it
      seen.add(Severity::kWarning, "leftover", garbage.what + " is not needed: " + garbage.why, "",
               "git plan gc");
  const Millis now = context.now();
  stale_locks(repository->common_dir() + "/refs/plans", now, seen);
  stale_locks(repository->common_dir() + "/refs/plan-keep", now, seen);
  stale_locks(repository->common_dir() + "/refs/heads/plan", now, seen);
  return {};
}

Status examine_disk(Context& context, Examination& seen) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  struct statvfs info {};
  const std::string& path = repository->common_dir();
  if (statvfs(path.c_str(), &info) != 0) return {};
  const std::uint64_t free = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
  seen.fact("disk", size_text(free) + " free");
  if (free < kLittle)
    seen.add(free < kNone ? Severity::kError : Severity::kWarning, "low-disk",
             "only " + size_text(free) + " are free where '" + path + "' lies", path,
             "git plan gc, or make room");
  return {};
}

}  // namespace gitplan
