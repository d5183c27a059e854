#include "refs/fork/keep_ref.h"

#include <git2.h>

#include <algorithm>
#include <ctime>

#include "refs/git/libgit2.h"
#include "refs/store/left_lock.h"
#include "refs/store/lock_wait.h"

namespace gitplan {
namespace {

constexpr std::chrono::seconds kPatience{30};  // a lock is held for milliseconds

Result<std::string> empty_tree(const Repository& repository) {
  Handle<git_treebuilder> builder;
  if (const int code = git_treebuilder_new(builder.out(), repository.raw(), nullptr); code != 0)
    return libgit2_error("cannot make a tree", code);
  git_oid id;
  if (const int code = git_treebuilder_write(&id, builder.get()); code != 0)
    return libgit2_error("cannot write a tree", code);
  return hex(id);
}

bool worth_another_try(int code) {
  return code == GIT_EMODIFIED || code == GIT_ELOCKED || code == GIT_EEXISTS ||
         code == GIT_ENOTFOUND;
}

// The ref is locked by `change`: it stays where it is read, and nobody else's commit is overtaken.
Status lengthen_chain(const Repository& repository, git_transaction& change, std::string_view plan,
                      const std::string& name, const std::vector<std::string>& commits) {
  GITPLAN_TRY_ASSIGN(const auto tip, repository.ref(name));
  std::vector<std::string> parents;
  if (tip) parents.push_back(*tip);
  for (const std::string& commit : commits) {
    if (commit.empty() || std::count(parents.begin(), parents.end(), commit) != 0) continue;
    if (!tip || !repository.is_ancestor(commit, *tip)) parents.push_back(commit);
  }
  if (parents.size() == (tip ? 1u : 0u)) return {};
  GITPLAN_TRY_ASSIGN(const std::string tree, empty_tree(repository));
  GITPLAN_TRY_ASSIGN(
      const std::string commit,
      write_commit(repository, tree, parents, "Keep work of plan '" + std::string(plan) + "'\n",
                   static_cast<long long>(std::time(nullptr))));
  git_oid id;
  int code = parse_oid(commit, id) ? 0 : GIT_EINVALIDSPEC;
  if (code == 0) code = git_transaction_set_target(&change, name.c_str(), &id, nullptr, nullptr);
  if (code == 0) code = git_transaction_commit(&change);
  return code == 0 ? Status() : libgit2_error("cannot move " + name, code);
}

}  // namespace

std::string keep_ref(std::string_view plan, std::string_view actor) {
  return std::string("refs/plan-keep/").append(plan).append("--").append(actor);
}

Result<std::string> write_commit(const Repository& repository, const std::string& tree,
                                 const std::vector<std::string>& parents,
                                 const std::string& message, long long date) {
  const std::string who = "git plan <git-plan@localhost> " + std::to_string(date) + " +0000\n";
  std::string text = "tree " + tree + "\n";
  for (const std::string& parent : parents) text += "parent " + parent + "\n";
  text += "author " + who + "committer " + who + "\n" + message;
  Handle<git_odb> odb;
  if (const int code = git_repository_odb(odb.out(), repository.raw()); code != 0)
    return libgit2_error("cannot open the object database", code);
  git_oid id;
  if (const int code = git_odb_write(&id, odb.get(), text.data(), text.size(), GIT_OBJECT_COMMIT);
      code != 0)
    return libgit2_error("cannot write a commit", code);
  return hex(id);
}

Status keep_commits(const Repository& repository, std::string_view plan, std::string_view actor,
                    const std::vector<std::string>& commits) {
  const std::string name = keep_ref(plan, actor);
  const std::string lock = repository.common_dir() + "/" + name + ".lock";
  int code = 0;
  LockWait patience(kPatience);
  do {
    Handle<git_transaction> change;
    code = git_transaction_new(change.out(), repository.raw());
    if (code == 0) code = git_transaction_lock_ref(change.get(), name.c_str());
    if (code == 0) return lengthen_chain(repository, *change.get(), plan, name, commits);
    if (code == GIT_ELOCKED) remove_left_lock(lock);
  } while (worth_another_try(code) && patience.wait());
  Error why = libgit2_error("cannot move " + name, code);
  if (code == GIT_ELOCKED) why.hint = "remove " + lock + " if no git is at work";
  return why;
}

bool is_kept(const Repository& repository, std::string_view plan, std::string_view actor,
             std::string_view commit) {
  const auto tip = repository.ref(keep_ref(plan, actor));
  return tip && *tip && repository.is_ancestor(commit, **tip);
}

}  // namespace gitplan
