#include "git-plan/command/garbage.h"

#include <sys/stat.h>

#include <filesystem>
#include <set>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/task_folder.h"
#include "git-plan/executor/verify_log.h"
#include "git-plan/view/attempt_log.h"
#include "git-plan/view/words.h"
#include "refs/fork/forks.h"
#include "refs/store/run_lock.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

constexpr Millis kDay = 24 * 60 * 60 * 1000;

std::string way_back(const Store::Lost& plan) {
  const std::string ref = "refs/plans/" + plan.id;
  return ref + " was deleted; " +
         (plan.tip.empty() ? "a fetch from another clone"
                           : "'git update-ref " + ref + " " + plan.tip + "'") +
         " brings it back";
}

class Collection {
 public:
  Collection(Repository& repository, Store& store, Forks& forks, Millis old, bool remove)
      : repository_(repository), store_(store), forks_(forks), old_(old), remove_(remove) {}

  Result<std::vector<Garbage>> make() {
    GITPLAN_TRY_ASSIGN(const std::vector<Summary> all, store_.list());
    std::vector<Forks::LivePlan> live;
    std::set<std::string> known;
    for (const Summary& summary : all) {
      GITPLAN_TRY_ASSIGN(const std::string dir, store_.plan_dir(summary.id));
      known.insert(dir);
      live.push_back({summary.id, dir});  // a deleted one too: undo brings it back
      std::error_code ignored;
      if (remove_) fs::remove(dir + "/lost", ignored);
      if (summary.state == PlanState::kDeleted) continue;
      if (RunLock::holder(dir)) continue;
      GITPLAN_TRY_ASSIGN(const PlanView view, store_.load(summary.id));
      GITPLAN_TRY(old_attempts(view, dir));
      old_verify_logs(view.id, dir);
    }
    GITPLAN_TRY(lost_plans(known, live));
    GITPLAN_TRY_ASSIGN(const std::vector<Forks::Garbage> forks, forks_.gc(live, remove_));
    for (const Forks::Garbage& each : forks) all_.push_back({each.what, each.why, each.left});
    orphaned_plans(known);
    orphaned_caches(known);
    return std::move(all_);
  }

 private:
  // Their refs were deleted, perhaps by mistake: from the first look on they have plan.gcAge days
  // to come back, with all that is theirs.
  Status lost_plans(std::set<std::string>& known, std::vector<Forks::LivePlan>& live) {
    GITPLAN_TRY_ASSIGN(const std::vector<Store::Lost> lost, store_.lost());
    for (const Store::Lost& plan : lost) {
      const std::string mark = plan.dir + "/lost";
      struct stat info {};
      const bool marked = stat(mark.c_str(), &info) == 0;
      if (marked && static_cast<Millis>(info.st_mtime) * 1000 <= old_) continue;
      if (!marked && remove_) GITPLAN_TRY(write_file(mark, ""));
      known.insert(plan.dir);
      live.push_back({plan.id, plan.dir});
      all_.push_back({"the plan '" + plan.id + "'", way_back(plan), true});
    }
    return {};
  }

  Status old_attempts(const PlanView& view, const std::string& plan_dir) {
    for (const auto& [task, record] : view.ledger.tasks) {
      for (const Attempt& attempt : record.attempts) {
        const std::string dir = attempt_dir(plan_dir, task, attempt.id);
        if (attempt.ended == 0 || attempt.ended > old_ || !fs::exists(dir)) continue;
        GITPLAN_TRY_ASSIGN(const bool kept, summary_is_kept(view.id, task, attempt, dir));
        if (!kept) continue;
        const std::string tree = attempt_tree(dir);
        if (remove_ && !release(view, task, attempt, dir)) continue;
        all_.push_back({"the log " + (tree.empty() ? "" : "and the worktree " + tree + " ") +
                            "of " + view.id + ", " + task + ", attempt " + attempt.id,
                        "it ended on " + date_of(attempt.ended)});
        std::error_code ignored;
        if (remove_) fs::remove_all(dir, ignored);
      }
    }
    return {};
  }

  void old_verify_logs(const std::string& plan, const std::string& plan_dir) {
    for (const int wave : waves_with_verify_log(plan_dir)) {
      const std::string path = verify_log_path(plan_dir, wave);
      struct stat info {};
      if (stat(path.c_str(), &info) != 0) continue;
      const Millis time = static_cast<Millis>(info.st_mtime) * 1000;
      if (time > old_) continue;
      all_.push_back({"the verify log of " + plan + ", " +
                          (wave == 0 ? std::string("landing") : "wave " + std::to_string(wave)),
                      "it is of " + date_of(time)});
      std::error_code ignored;
      if (remove_) fs::remove(path, ignored);
    }
  }

  // What it left is in the plan's tree too, or it left nothing.
  Result<bool> summary_is_kept(const std::string& plan, const std::string& task,
                               const Attempt& attempt, const std::string& dir) {
    if (!fs::exists(dir + "/output.md")) return true;
    GITPLAN_TRY_ASSIGN(const std::optional<std::string> kept,
                       store_.file(plan, "outputs/" + task + "/" + attempt.id + ".md"));
    return kept.has_value();
  }

  // Its worktree goes too, unless something in it is nowhere else.
  bool release(const PlanView& view, const std::string& task, const Attempt& attempt,
               const std::string& dir) {
    // In the user's own working tree only our folder is ours.
    if (attempt.in_place()) remove_task_folder(AttemptFiles(dir).tree(), attempt.id);
    if (!fs::exists(dir + "/tree")) return true;
    const ForkSpec spec{view.id,      view.identity,  task, attempt.id,
                        attempt.base, attempt.branch, dir};
    return forks_.release(spec).ok();
  }

  // Local directories of plans that are not here, without events that are nowhere else.
  void orphaned_plans(const std::set<std::string>& known) {
    const std::string local = repository_.local_dir();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(local + "/plans", ignored)) {
      const std::string dir = entry.path();
      struct stat info {};
      if (known.count(dir) != 0 || stat(dir.c_str(), &info) != 0) continue;
      if (static_cast<Millis>(info.st_mtime) * 1000 > old_) continue;
      if (!read_local_file(local + "/wal/" + entry.path().filename().string()).value_or("").empty())
        continue;
      std::string id = read_local_file(dir + "/id").value_or("");
      while (id.ends_with('\n')) id.pop_back();
      all_.push_back({"the local files of " + (id.empty() ? dir : "plan '" + id + "'"),
                      "there is no such plan here"});
      if (remove_) fs::remove_all(dir, ignored);
    }
  }

  // A cache is made again when it is needed; those of plans that are gone never are.
  void orphaned_caches(const std::set<std::string>& known) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(repository_.local_dir() + "/cache", ignored)) {
      const std::string identity = entry.path().stem();
      if (identity == "tips") continue;  // of all plans: listing writes it anew
      if (known.count(repository_.local_dir() + "/plans/" + identity) != 0) continue;
      all_.push_back({"the cache " + entry.path().string(), "its plan is not here"});
      if (remove_) fs::remove(entry.path(), ignored);
    }
  }

  Repository& repository_;
  Store& store_;
  Forks& forks_;
  Millis old_;
  bool remove_;
  std::vector<Garbage> all_;
};

}  // namespace

Result<std::vector<Garbage>> collect_garbage(Context& context, bool remove) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const int days, settings->integer("plan.gcAge"));
  Forks forks(*repository, *settings, store->actor());
  return Collection(*repository, *store, forks, context.now() - days * kDay, remove).make();
}

}  // namespace gitplan
