#include "refs/sync/rename.h"

#include <filesystem>

#include "refs/store/plan_tree.h"
#include "refs/store/run_lock.h"

namespace gitplan {
namespace {

Status refuse_at_work(const Store& store, const std::string& id, const std::string& doing) {
  GITPLAN_TRY_ASSIGN(const std::string dir, store.plan_dir(id));
  if (const auto holder = RunLock::holder(dir))
    return error(ErrorCode::kBusy,
                 "run " + holder->run + " of '" + id + "' is at work: it cannot be " + doing,
                 "'git plan cancel " + id + "' ends the run");
  return {};
}

std::string branches_of(const std::string& id) { return "refs/heads/plan/" + id + "/"; }

// The keep-alive refs of a plan, by what comes after "<id>--".
Result<std::map<std::string, git_oid>> kept(const PlanTrees& trees, const std::string& id) {
  return trees.refs_below("refs/plan-keep/" + id + "--");
}

// All but the ref itself.
Status forget_traces(const Repository& repository, const std::string& id, const Tip& tip,
                     std::string deletes) {
  const PlanTrees trees(repository);
  GITPLAN_TRY_ASSIGN(const auto branches, trees.refs_below(branches_of(id)));
  for (const auto& [branch, at] : branches) deletes += "delete " + branches_of(id) + branch + "\n";
  GITPLAN_TRY_ASSIGN(const auto keep, kept(trees, id));
  for (const auto& [actor, at] : keep)
    deletes += "delete refs/plan-keep/" + id + "--" + actor + "\n";
  for (const std::string_view folder : {"refs/plan-remotes/", "refs/plan-keep-remotes/"}) {
    GITPLAN_TRY_ASSIGN(const auto seen, trees.refs_below(folder));
    for (const auto& [name, at] : seen) {
      const std::string last = name.substr(name.rfind('/') + 1);
      const auto theirs = trees.at(last, at);
      const bool same = theirs.ok() && theirs->identity == tip.identity;
      if (same || (folder == "refs/plan-keep-remotes/" && last.starts_with(id + "--")))
        deletes += "delete " + std::string(folder) + name + "\n";
    }
  }
  GITPLAN_TRY(repository.git().check({"update-ref", "--stdin"}, deletes));
  const std::string key = tip.identity.substr(0, 16), local = repository.local_dir();
  std::error_code ignored;
  for (const std::string& path :
       {local + "/wal/" + key, local + "/wal/" + key + ".damaged", local + "/pending/" + key,
        local + "/plans/" + key, local + "/trust/" + key, local + "/cache/" + key + ".ledger",
        local + "/cache/" + key + ".definition", local + "/cache/tips"})
    std::filesystem::remove_all(path, ignored);
  return {};
}

}  // namespace

Status rename_plan(Repository& repository, Store& store, const std::string& id,
                   const std::string& name) {
  GITPLAN_TRY(refuse_at_work(store, id, "renamed"));
  const auto decide = [&](const PlanView& view) -> Result<Store::Change> {
    GITPLAN_TRY(refuse_at_work(store, id, "renamed"));
    Store::Change change;
    if (view.ledger.plan != name) change.bodies.push_back(PlanRenamed{name, id});
    return change;
  };
  if (const auto changed = store.change(id, decide); !changed.ok()) return changed.error();
  const PlanTrees trees(repository);
  GITPLAN_TRY_ASSIGN(const auto branches, trees.refs_below(branches_of(id)));
  for (const auto& [branch, tip] : branches)  // git follows them in worktrees that have them
    GITPLAN_TRY(repository.git().check(
        {"branch", "-m", "plan/" + id + "/" + branch, "plan/" + name + "/" + branch}));
  GITPLAN_TRY_ASSIGN(const git_oid tip, trees.ref_target(id));
  std::string moves = "start\ncreate refs/plans/" + name + " " + hex(tip) + "\ndelete refs/plans/" +
                      id + " " + hex(tip) + "\n";
  GITPLAN_TRY_ASSIGN(const auto keep, kept(trees, id));
  for (const auto& [actor, at] : keep)
    moves += "create refs/plan-keep/" + name + "--" + actor + " " + hex(at) +
             "\ndelete refs/plan-keep/" + id + "--" + actor + " " + hex(at) + "\n";
  return repository.git().check({"update-ref", "--stdin"}, moves + "prepare\ncommit\n");
}

Status purge_plan(Repository& repository, Store& store, const std::string& id) {
  GITPLAN_TRY(refuse_at_work(store, id, "purged"));
  const PlanTrees trees(repository);
  GITPLAN_TRY_ASSIGN(const Tip tip, trees.tip(id));
  GITPLAN_TRY(store.purge(id));
  return forget_traces(repository, id, tip, "");
}

Status forget_plan(Repository& repository, Store& store, const std::string& id) {
  GITPLAN_TRY(refuse_at_work(store, id, "taken away"));
  const PlanTrees trees(repository);
  GITPLAN_TRY_ASSIGN(const Tip tip, trees.tip(id));
  return forget_traces(repository, id, tip, "delete refs/plans/" + id + "\n");
}

}  // namespace gitplan
