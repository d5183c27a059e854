#include "refs/wave/checkout_move.h"

#include <unistd.h>

#include <array>
#include <ctime>
#include <filesystem>

#include "refs/fork/index_copy.h"
#include "refs/fork/keep_ref.h"
#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

// What `git merge` does after a fast-forward; its exit status says nothing there.
void after_merge(const Git& git, const RefMove& move) {
  GitCall call;
  call.args = {"hook", "run", "--ignore-missing", "post-merge", "--", "0"};
  call.environment = {{"GIT_TERMINAL_PROMPT", "0"}, {"GIT_REFLOG_ACTION", move.reflog}};
  call.deadline = move.deadline;
  const auto ignored = git.call(call);
  static_cast<void>(ignored.ok());
}

std::string octal(unsigned mode) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%06o", mode);
  return text.data();
}

// What the user has staged, or taken out of the index, stays so where their version stays.
bool keeps_entry(const Blocked& one) { return one.staged && !one.same && !one.theirs; }

Status set_entries(const Git& git, const std::vector<Blocked>& blocked) {
  std::string lines, skipped, assumed;
  for (const Blocked& one : blocked) {
    if (keeps_entry(one)) continue;
    // First out, then in: a directory of the same name may have to go.
    lines += "0 " + std::string(40, '0') + "\t" + one.path + '\0';
  }
  for (const Blocked& one : blocked) {
    if (keeps_entry(one) || !one.target) continue;
    lines += octal(one.target->mode) + " " + one.target->id + "\t" + one.path + '\0';
    // A new entry has lost the marks of the old one.
    if (one.skip_worktree) skipped += one.path + '\0';
    if (one.assume_unchanged) assumed += one.path + '\0';
  }
  if (!lines.empty()) GITPLAN_TRY(git.check({"update-index", "-z", "--index-info"}, lines));
  if (!skipped.empty())
    GITPLAN_TRY(git.check({"update-index", "-z", "--skip-worktree", "--stdin"}, skipped));
  if (!assumed.empty())
    GITPLAN_TRY(git.check({"update-index", "-z", "--assume-unchanged", "--stdin"}, assumed));
  return {};
}

// `to`, but with what is in the way left as it is in `from`: git then has no reason to touch it.
Result<std::string> tree_around(const Repository& repository, const RefMove& move,
                                const std::vector<Blocked>& blocked) {
  GITPLAN_TRY_ASSIGN(const std::string before, tree_of_commit(repository, move.from));
  GITPLAN_TRY_ASSIGN(const std::string after, tree_of_commit(repository, move.to));
  TreeUpdates updates;
  for (const Blocked& one : blocked) updates[one.path] = entry_at(repository, before, one.path);
  auto result = updated_tree(repository, after, updates);
  if (!result)
    return failed("a directory and a file of the same name are in each other's way",
                  "commit or move your changes and land again");
  return std::move(*result);
}

Result<TreeEntry> saved_file(const Repository& repository, const Worktree& tree,
                             const std::string& path) {
  const std::string file = tree.path + "/" + path;
  std::error_code code;
  if (fs::is_symlink(file, code)) {
    const std::string target = fs::read_symlink(file, code).string();
    GITPLAN_TRY_ASSIGN(std::string id, write_blob(repository, target));
    return TreeEntry{std::move(id), 0120000};
  }
  GITPLAN_TRY_ASSIGN(std::string id, tree.git().read({"hash-object", "-w", "--", path}));
  return TreeEntry{std::move(id), access(file.c_str(), X_OK) == 0 ? 0100755u : 0100644u};
}

// The entries of the index for these paths.
Result<TreeUpdates> staged_entries(const Worktree& tree, const std::vector<Blocked>& blocked) {
  std::vector<std::string> words{"--literal-pathspecs", "ls-files", "-s", "-z", "--"};
  for (const Blocked& one : blocked) {
    if (!one.staged) continue;
    words.push_back(one.path);
    for (const std::string& file : one.files)
      if (file != one.path) words.push_back(file);
  }
  TreeUpdates result;
  if (words.size() == 5) return result;
  GITPLAN_TRY_ASSIGN(const std::string listed, tree.git().read(words));
  for (const std::string& entry : split_nul(listed)) {
    if (entry.size() < 50) continue;
    result[entry.substr(entry.find('\t') + 1)] = TreeEntry{
        entry.substr(7, 40), static_cast<unsigned>(std::stoul(entry.substr(0, 6), nullptr, 8))};
  }
  // A deletion can be staged too.
  for (std::size_t i = 5; i < words.size(); ++i) result.try_emplace(words[i]);
  return result;
}

// A two-way merge refuses files whose times alone differ.
void refresh(const Git& git) {
  const auto ignored = git.call({.args = {"update-index", "-q", "--refresh"}});
  static_cast<void>(ignored.ok());
}

Status read_tree(const Git& git, std::vector<std::string> words, const RefMove& move) {
  words.insert(words.begin(), "read-tree");
  GITPLAN_TRY_ASSIGN(const Outcome outcome, git.call({.args = words, .deadline = move.deadline}));
  return outcome.ok() ? Status() : failed(outcome.words());
}

}  // namespace

Status move_ref(const Repository& repository, const RefMove& move) {
  const auto nothing = [] { return Status(); };
  return move_locked(repository, nullptr, move, nothing, nothing);
}

Status fast_forward(const Repository& repository, const Worktree& tree, const RefMove& move) {
  const Git git = tree.git();
  const auto forward = [&]() -> Status {
    refresh(git);
    return read_tree(git, {"-m", "-u", move.from, move.to}, move);
  };
  const auto back = [&] { return read_tree(git, {"-m", "-u", move.to, move.from}, move); };
  GITPLAN_TRY(move_locked(repository, &tree, move, forward, back));
  after_merge(git, move);
  return {};
}

Status follow(const Worktree& tree, const RefMove& move) {
  refresh(tree.git());
  return read_tree(tree.git(), {"-m", "-u", move.from, move.to}, move);
}

Status move_around(const Repository& repository, const Worktree& tree, const RefMove& move,
                   const std::vector<Blocked>& blocked) {
  GITPLAN_TRY_ASSIGN(const std::string around, tree_around(repository, move, blocked));
  const Git git = tree.git();
  // Back to how the index was, entry for entry, should the ref not move.
  const std::string index = tree.admin + "/index", copy = tree.admin + "/plan-index";
  const auto back = [&]() -> Status {
    std::error_code code;
    fs::rename(copy, index, code);
    if (code) return failed("cannot put " + index + " back: " + code.message());
    // The files are at `around`, the index says `from`: first the entries, then both go back.
    GITPLAN_TRY(read_tree(git, {"-m", move.from, around}, move));
    return read_tree(git, {"-m", "-u", around, move.from}, move);
  };
  const auto forward = [&]() -> Status {
    refresh(git);
    GITPLAN_TRY(copy_index(index, copy));
    GITPLAN_TRY(read_tree(git, {"-m", "-u", move.from, around}, move));
    Status set = set_entries(git, blocked);
    if (!set) GITPLAN_TRY(back());
    return set;
  };
  const Status moved = move_locked(repository, &tree, move, forward, back);
  ::unlink(copy.c_str());
  GITPLAN_TRY(moved);
  after_merge(git, move);
  return {};
}

Result<std::string> save_files(const Repository& repository, const Worktree& tree,
                               const std::string& from, const std::vector<Blocked>& blocked) {
  GITPLAN_TRY_ASSIGN(std::string base, tree_of_commit(repository, from));
  const auto commit_of = [&](const std::string& tree_id, const std::string& parent,
                             const std::string& what) {
    return write_commit(repository, tree_id, {parent}, what + "\n",
                        static_cast<long long>(std::time(nullptr)));
  };
  std::string parent = from;
  GITPLAN_TRY_ASSIGN(const TreeUpdates staged, staged_entries(tree, blocked));
  if (!staged.empty()) {
    const auto with = updated_tree(repository, base, staged);
    if (!with) return failed("cannot save what is staged");
    GITPLAN_TRY_ASSIGN(parent, commit_of(*with, from, "Staged changes of yours, before landing"));
    base = *with;
  }
  TreeUpdates gone, files;
  for (const Blocked& one : blocked) {
    // Not there any more, or a directory now.
    if (!exists(tree.path + "/" + one.path) || is_directory(tree.path + "/" + one.path))
      gone[one.path] = std::nullopt;
    for (const std::string& path : one.files) {
      const std::string file = tree.path + "/" + path;
      if (!exists(file) || is_directory(file)) continue;
      GITPLAN_TRY_ASSIGN(files[path], saved_file(repository, tree, path));
    }
  }
  // One after the other: a directory may take the place of a file.
  auto saved = updated_tree(repository, base, gone);
  if (saved) saved = updated_tree(repository, *saved, files);
  if (!saved) return failed("cannot save your versions of the files in the way");
  return commit_of(*saved, parent, "Files of yours, before landing");
}

Status overwrite(const Worktree& tree, const std::vector<Blocked>& blocked) {
  std::string written;
  for (const Blocked& one : blocked) {
    if (one.same || !one.theirs) continue;
    for (const std::string& path : one.files) ::unlink((tree.path + "/" + path).c_str());
    if (one.target) written += one.path + '\0';
  }
  if (written.empty()) return {};
  return tree.git().check(
      {"checkout-index", "-f", "-u", "--ignore-skip-worktree-bits", "-z", "--stdin"}, written);
}

}  // namespace gitplan
