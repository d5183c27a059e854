#include "refs/git/repository.h"

#include <git2.h>
#include <git2/sys/repository.h>
#include <sys/stat.h>

#include "refs/git/discovery.h"
#include "refs/git/libgit2.h"

namespace gitplan {
namespace {

bool exists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

// What a failed look-up may be caused by: objects that a shallow or partial clone leaves out.
bool may_be_elsewhere(int code) { return code == GIT_ENOTFOUND || code == GIT_ERROR; }

}  // namespace

struct Repository::State {
  Location location;
  Handle<git_repository> raw;
  Git git;
};

Repository::Repository(std::unique_ptr<State> state) : state_(std::move(state)) {}
Repository::Repository(Repository&&) noexcept = default;
Repository& Repository::operator=(Repository&&) noexcept = default;
Repository::~Repository() = default;

Result<Repository> Repository::open() {
  GITPLAN_TRY_ASSIGN(Discovered found, discover({}, true));
  Git git = git_for(found.location);
  return Repository(std::make_unique<State>(
      State{std::move(found.location), std::move(found.raw), std::move(git)}));
}

Result<Repository> Repository::open_at(const std::string& directory) {
  GITPLAN_TRY_ASSIGN(Discovered found, discover(directory, false));
  Git git = git_for(found.location);
  return Repository(std::make_unique<State>(
      State{std::move(found.location), std::move(found.raw), std::move(git)}));
}

Result<Repository> Repository::writing_to(const std::string& objects) const {
  const Location& location = state_->location;
  GITPLAN_TRY_ASSIGN(Handle<git_repository> raw, open_again(location));
  Handle<git_odb> odb;
  int code = git_odb_open(odb.out(), objects.c_str());
  if (code == 0) code = git_repository_set_odb(raw.get(), odb.get());
  if (code != 0) return libgit2_error("cannot open " + objects, code);
  return Repository(std::make_unique<State>(
      State{location, std::move(raw), git().with("GIT_OBJECT_DIRECTORY", objects)}));
}

Result<Repository> Repository::again() const {
  Location location = state_->location;
  GITPLAN_TRY_ASSIGN(Handle<git_repository> raw, open_again(location));
  Git git = git_for(location);
  return Repository(
      std::make_unique<State>(State{std::move(location), std::move(raw), std::move(git)}));
}

bool Repository::work_tree_is_guess() const { return state_->location.work_tree_is_guess; }

const std::string& Repository::git_dir() const { return state_->location.git_dir; }
const std::string& Repository::common_dir() const { return state_->location.common_dir; }
const std::string& Repository::work_tree() const { return state_->location.work_tree; }
const std::string& Repository::prefix() const { return state_->location.prefix; }
std::string Repository::local_dir() const { return common_dir() + "/git-plan"; }
const Git& Repository::git() const { return state_->git; }
git_repository* Repository::raw() const { return state_->raw.get(); }

Result<std::optional<std::string>> Repository::head_branch() const {
  if (!state_->location.git_dir_is_opened) {  // GIT_COMMON_DIR: HEAD lies elsewhere
    GitCall call;
    call.args = {"symbolic-ref", "-q", "HEAD"};
    GITPLAN_TRY_ASSIGN(const Outcome outcome, git().call(call));
    if (!outcome.ok()) return std::optional<std::string>();
    return std::optional(outcome.output.substr(0, outcome.output.find('\n')));
  }
  Handle<git_reference> head;
  if (const int code = git_reference_lookup(head.out(), raw(), "HEAD"); code != 0)
    return libgit2_error("cannot read HEAD", code);
  if (git_reference_type(head.get()) != GIT_REFERENCE_SYMBOLIC) return std::optional<std::string>();
  return std::optional<std::string>(git_reference_symbolic_target(head.get()));
}

Result<std::optional<std::string>> Repository::head_commit() const {
  if (state_->location.git_dir_is_opened) return ref("HEAD");
  GitCall call;
  call.args = {"rev-parse", "-q", "--verify", "HEAD^{commit}"};
  GITPLAN_TRY_ASSIGN(const Outcome outcome, git().call(call));
  if (!outcome.ok()) return std::optional<std::string>();
  return std::optional(outcome.output.substr(0, outcome.output.find('\n')));
}

Result<std::optional<std::string>> Repository::ref(std::string_view name) const {
  const std::string full(name);
  git_oid id;
  const int code = git_reference_name_to_id(&id, raw(), full.c_str());
  if (code == GIT_ENOTFOUND) return std::optional<std::string>();
  if (code != 0) return libgit2_error("cannot read " + full, code);
  Handle<git_object> object;
  if (full.starts_with("refs/tags/") &&
      git_object_lookup(object.out(), raw(), &id, GIT_OBJECT_TAG) == 0) {
    Handle<git_object> commit;
    if (const int peeled = git_object_peel(commit.out(), object.get(), GIT_OBJECT_COMMIT);
        peeled != 0)
      return libgit2_error("cannot read " + full, peeled);
    id = *git_object_id(commit.get());
  }
  return std::optional(hex(id));
}

bool Repository::is_ancestor(std::string_view ancestor, std::string_view descendant) const {
  if (ancestor == descendant) return true;
  git_oid above, below;
  if (!parse_oid(ancestor, above) || !parse_oid(descendant, below)) return false;
  const int code = git_graph_descendant_of(raw(), &below, &above);
  if (code >= 0) return code == 1;
  // A shallow clone ends where libgit2 wants to go on; git knows where it ends.
  return git()
      .check({"merge-base", "--is-ancestor", std::string(ancestor), std::string(descendant)})
      .ok();
}

bool Repository::path_at(std::string_view commit, std::string_view path) const {
  git_oid id;
  if (!parse_oid(commit, id)) return false;
  const std::string name(path);
  Handle<git_commit> found;
  Handle<git_tree> tree;
  if (git_commit_lookup(found.out(), raw(), &id) == 0 &&
      git_commit_tree(tree.out(), found.get()) == 0) {
    if (name.empty()) return true;
    Handle<git_tree_entry> entry;
    const int code = git_tree_entry_bypath(entry.out(), tree.get(), name.c_str());
    if (code == 0) return true;
    const git_error* why = git_error_last();
    if (!may_be_elsewhere(code) || why == nullptr || why->klass != GIT_ERROR_ODB) return false;
  }
  return git().check({"rev-parse", "-q", "--verify", std::string(commit) + ":" + name}).ok();
}

std::optional<std::string> Repository::operation_in_progress() const {
  const std::string& dir = git_dir();
  if (exists(dir + "/rebase-merge")) return "rebase";
  if (exists(dir + "/rebase-apply"))
    return exists(dir + "/rebase-apply/applying") ? "am" : "rebase";
  if (exists(dir + "/MERGE_HEAD")) return "merge";
  if (exists(dir + "/CHERRY_PICK_HEAD")) return "cherry-pick";
  if (exists(dir + "/REVERT_HEAD")) return "revert";
  if (exists(dir + "/sequencer/todo")) return "cherry-pick";  // between two of several picks
  if (exists(dir + "/BISECT_LOG")) return "bisect";
  return std::nullopt;
}

}  // namespace gitplan
