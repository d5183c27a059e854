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

// The ref moves from `from` (empty: it must not exist) to `to`. The code of libgit2.
int swap_ref(const Repository& repository, const std::string& name, const std::string& from,
             const std::string& to) {
  git_oid old_id{}, new_id;
  if (!parse_oid(to, new_id) || (!from.empty() && !parse_oid(from, old_id)))
    return GIT_EINVALIDSPEC;
  // A zero id is a ref that must not be there. Creation without it looks before libgit2 has the
  // lock, and the later of two creators would win.
  Handle<git_reference> reference;
  return git_reference_create_matching(reference.out(), repository.raw(), name.c_str(), &new_id, 1,
                                       &old_id, nullptr);
}

bool worth_another_try(int code) {
  return code == GIT_EMODIFIED || code == GIT_ELOCKED || code == GIT_EEXISTS ||
         code == GIT_ENOTFOUND;
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
    code = swap_ref(repository, name, tip.value_or(""), commit);
    if (code == 0) return {};
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
