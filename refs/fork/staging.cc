#include "refs/fork/staging.h"

#include <unistd.h>

#include <iterator>
#include <set>

#include "refs/fork/copied_files.h"
#include "refs/fork/index_copy.h"
#include "refs/fork/planted.h"
#include "refs/fork/submodules.h"
#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

// Settings of the user's that would make `git add` fail or run something at each call.
const std::vector<std::string> kQuiet{
    "-c", "core.hooksPath=/dev/null", "-c", "core.safecrlf=false",
    "-c", "core.fsmonitor=false",     "-c", "advice.addEmbeddedRepo=false"};

std::string joined(const std::vector<std::string>& paths) {
  std::string result;
  for (const std::string& path : paths) result += path + '\0';
  return result;
}

}  // namespace

Staging::Staging(const Repository& repository, const Worktree& tree, std::string base,
                 std::string aside)
    : repository_(repository), tree_(tree), base_(std::move(base)), index_(std::move(aside)) {
  if (index_.empty()) return;
  // Without one everything is added afresh.
  if (!copy_index(tree_.admin + "/index", index_)) ::unlink(index_.c_str());
}

Staging::~Staging() {
  if (!index_.empty()) ::unlink(index_.c_str());
}

Result<Outcome> Staging::call(std::vector<std::string> words, const std::string& input) const {
  GitCall call;
  call.args = kQuiet;
  call.args.insert(call.args.end(), words.begin(), words.end());
  call.input = input;
  if (!index_.empty()) call.environment.emplace_back("GIT_INDEX_FILE", index_);
  return tree_.git().call(call);
}

Error Staging::failure(const std::string& word, Outcome outcome) const {
  while (outcome.error.ends_with('\n')) outcome.error.pop_back();
  return failed("git " + word + " in '" + tree_.path + "': " + outcome.error);
}

Result<std::string> Staging::git(const std::vector<std::string>& words,
                                 const std::string& input) const {
  GITPLAN_TRY_ASSIGN(Outcome outcome, call(words, input));
  if (!outcome.ok()) return failure(words.front(), std::move(outcome));
  return std::move(outcome.output);
}

// Marks of the index that would hide a change from `git add`. A sparse checkout marks what is not
// there; what is there was put there.
Status Staging::unhide() const {
  GITPLAN_TRY_ASSIGN(const std::string listed, git({"ls-files", "-v", "-z"}));
  std::vector<std::string> unchanged, skipped;
  for (const std::string& entry : split_nul(listed)) {
    if (entry.size() < 3 || entry[0] == 'H') continue;
    std::string path = entry.substr(2);
    if (entry[0] >= 'a' && entry[0] <= 'z') unchanged.push_back(path);
    if ((entry[0] == 'S' || entry[0] == 's') && exists(tree_.path + "/" + path))
      skipped.push_back(std::move(path));
  }
  for (const auto& [option, paths] :
       {std::pair("--no-assume-unchanged", &unchanged), std::pair("--no-skip-worktree", &skipped)})
    if (!paths->empty())
      GITPLAN_TRY(git({"update-index", option, "-z", "--stdin"}, joined(*paths)));
  return {};
}

Status Staging::add(Staged& staged) const {
  GITPLAN_TRY(unhide());
  const std::vector<std::string> words{"add", "--sparse", "-A",
                                       "--",  ":/",       ":(top,exclude).git-plan"};
  GITPLAN_TRY_ASSIGN(const Outcome added, call(words));
  if (added.ok()) return {};
  // One file that cannot be read must not lose the others. Exit 1: they are in; else nothing is.
  std::vector<std::string> tolerant = words;
  tolerant.insert(tolerant.begin() + 1, "--ignore-errors");
  GITPLAN_TRY_ASSIGN(Outcome again, call(tolerant));
  if (!again.ok() && again.exit_status != 1) return failure("add", std::move(again));
  if (!again.ok())
    staged.remarks.push_back("not everything could be added: " +
                             added.error.substr(0, added.error.find('\n')));
  return {};
}

// As they are in `head`, or not at all.
Status Staging::leave_out(const std::string& head, const std::vector<std::string>& paths) const {
  if (paths.empty()) return {};
  GITPLAN_TRY(git(
      {"--literal-pathspecs", "reset", "-q", "--pathspec-from-file=-", "--pathspec-file-nul", head},
      joined(paths)));
  return {};
}

Result<std::vector<RawChange>> Staging::changes_from_base() const {
  GITPLAN_TRY_ASSIGN(const std::string raw, git({"diff-index", "--cached", "--raw", "-z",
                                                 "--no-renames", "--no-abbrev", base_}));
  return raw_changes(raw);
}

// Submodules that moved are said. A repository inside the tree that is no submodule would become a
// link that nobody can follow: it is left out.
Status Staging::check_links(const std::string& head, Staged& staged) const {
  GITPLAN_TRY_ASSIGN(const std::vector<RawChange> changes, changes_from_base());
  std::vector<std::string> loose;
  std::string modules;
  for (const RawChange& change : changes) {
    const std::string& path = change.path;
    if (change.mode() != "160000") continue;
    if (modules.empty()) modules = read_small_file(tree_.path + "/.gitmodules").value_or("") + "\n";
    if (change.mode_before() == "160000" ||
        modules.find("path = " + path + "\n") != std::string::npos) {
      const std::string commit = change.id();
      staged.remarks.push_back(
          "moved the submodule " + path + " to " + commit.substr(0, 12) +
          (keep_submodule_commit(repository_, tree_, path, commit)
               ? ", which your clone of it keeps: push it from there"
               : ", which could not be kept: push it from '" + tree_.path + "/" + path + "'"));
    } else {
      loose.push_back(path);
      staged.remarks.push_back("made a repository of its own in " + path +
                               "; what is in it is not taken");
    }
  }
  return leave_out(head, loose);
}

// Where the agent has committed it, it meant it.
Status Staging::check_setup(const std::string& head, Staged& staged) const {
  std::vector<RawChange> left = setup_files(tree_);
  if (left.empty()) return {};
  const std::set<RawChange> noted(std::make_move_iterator(left.begin()),
                                  std::make_move_iterator(left.end()));
  GITPLAN_TRY_ASSIGN(const std::vector<RawChange> changes, changes_from_base());
  GITPLAN_TRY_ASSIGN(const std::string committed,
                     git({"diff-tree", "-r", "-z", "--name-only", "--no-renames", base_, head}));
  const std::vector<std::string> words = split_nul(committed);
  const std::set<std::string> meant(words.begin(), words.end());
  std::vector<std::string> paths;
  for (const RawChange& change : changes)
    if (noted.contains(change) && !meant.contains(change.path)) paths.push_back(change.path);
  if (paths.empty()) return {};
  std::string told = paths.front();
  if (paths.size() > 1) told += " and " + std::to_string(paths.size() - 1) + " more";
  staged.remarks.push_back("left out: " + told + ", as setup had left it; have git ignore it");
  GITPLAN_TRY(leave_out(head, paths));
  staged.left_out += joined(paths);
  return {};
}

// An agent may have changed what is ignored.
Status Staging::check_copied(const std::string& head, Staged& staged) const {
  std::vector<std::string> words{"--literal-pathspecs", "ls-files", "-z", "--cached", "--"};
  for (std::string& path : copied_files(tree_))
    if (!repository_.path_at(base_, path)) words.push_back(std::move(path));
  if (words.size() == 5) return {};
  GITPLAN_TRY_ASSIGN(const std::string listed, git(words));
  const std::vector<std::string> paths = split_nul(listed);
  for (const std::string& path : paths)
    staged.remarks.push_back("left out: " + path + ", which was copied into its tree");
  GITPLAN_TRY(leave_out(head, paths));
  staged.left_out += joined(paths);
  return {};
}

// New files only: what the agent committed by itself is for a person to decide.
Status Staging::check_planted(const std::string& head, Staged& staged) const {
  GITPLAN_TRY_ASSIGN(const std::string tree, git({"write-tree"}));
  staged.tree = tree.substr(0, tree.find('\n'));
  GITPLAN_TRY_ASSIGN(const std::string before, git({"rev-parse", head + "^{tree}"}));
  if (before.substr(0, before.find('\n')) == staged.tree) return {};
  GITPLAN_TRY_ASSIGN(const auto planted, planted_in(repository_, head, staged.tree));
  if (planted.empty()) return {};
  std::vector<std::string> paths;
  for (const Planted& one : planted) {
    paths.push_back(one.path);
    staged.remarks.push_back("left out: " + to_string(one) + ", an ignored file of yours");
  }
  GITPLAN_TRY(leave_out(head, paths));
  staged.left_out += joined(paths);
  return check_planted(head, staged);  // the same content may lie at a second path
}

Result<Staged> Staging::stage(const std::string& head) {
  Staged staged;
  GITPLAN_TRY(add(staged));
  if (repository_.path_at(head, ".git-plan") && !repository_.path_at(base_, ".git-plan"))
    GITPLAN_TRY(git({"rm", "-r", "-q", "--cached", "--ignore-unmatch", "--", ":(top).git-plan"}));
  GITPLAN_TRY(check_links(head, staged));
  GITPLAN_TRY(check_setup(head, staged));
  GITPLAN_TRY(check_copied(head, staged));
  GITPLAN_TRY(check_planted(head, staged));
  return staged;
}

Result<std::string> Staging::commit(const std::string& tree,
                                    const std::vector<std::string>& parents,
                                    const std::string& message) const {
  std::vector<std::string> words{"commit-tree", "--no-gpg-sign", tree};
  for (const std::string& parent : parents) words.insert(words.end(), {"-p", parent});
  words.insert(words.end(), {"-F", "-"});
  GITPLAN_TRY_ASSIGN(const std::string id, git(words, message));
  return id.substr(0, id.find('\n'));
}

}  // namespace gitplan
