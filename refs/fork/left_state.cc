#include "refs/fork/left_state.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "refs/fork/tree_making.h"
#include "refs/git/libgit2.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) result.push_back(line);
  return result;
}

// Branches named by "checkout: moving from A to B" in the tree's own reflog.
std::set<std::string> visited_names(const std::vector<std::string>& log) {
  std::set<std::string> result;
  constexpr std::string_view kMove = "\tcheckout: moving from ";
  for (const std::string& line : log) {
    const std::size_t start = line.find(kMove);
    if (start == std::string::npos) continue;
    const std::string names = line.substr(start + kMove.size());
    const std::size_t to = names.find(" to ");
    if (to == std::string::npos) continue;
    result.insert(names.substr(0, to));
    result.insert(names.substr(to + 4));
  }
  return result;
}

// "<old> <new> <who> <when>\t<what>": the commit appeared there by something else than a checkout.
bool made_there(const std::vector<std::string>& log, const std::string& commit) {
  return std::any_of(log.begin(), log.end(), [&commit](const std::string& line) {
    return line.size() > 81 && line.substr(41, 40) == commit &&
           line.find("\tcheckout: ") == std::string::npos && line.find('\t') != std::string::npos;
  });
}

// Unfinished, though no conflict is left: what remains of it would be lost.
std::string unfinished(const Worktree& tree) {
  if (exists(tree.admin + "/rebase-merge") || exists(tree.admin + "/rebase-apply"))
    return "left a rebase half done";
  if (exists(tree.admin + "/BISECT_LOG")) return "left a bisect half done";
  const auto todo = lines_of(read_small_file(tree.admin + "/sequencer/todo").value_or(""));
  const bool picking =
      exists(tree.admin + "/CHERRY_PICK_HEAD") || exists(tree.admin + "/REVERT_HEAD");
  if (todo.size() > (picking ? 1u : 0u)) return "left a cherry-pick half done";
  return {};
}

std::string in_the_middle_of(const Worktree& tree) {
  const auto operation = tree.operation();
  return operation ? "left a " + *operation + " half done" : "left conflicts";
}

}  // namespace

std::string some_of(const std::vector<std::string>& paths) {
  constexpr std::size_t kShown = 5;
  std::string result;
  for (std::size_t i = 0; i < std::min(paths.size(), kShown); ++i)
    result += (i == 0 ? "" : ", ") + paths[i];
  if (paths.size() > kShown) result += " and " + std::to_string(paths.size() - kShown) + " more";
  return result;
}

bool has_conflict_marks(std::string_view text) {
  const auto starts_line = [text](std::string_view mark) {
    for (std::size_t at = text.find(mark); at != std::string_view::npos;
         at = text.find(mark, at + 1))
      if (at == 0 || text[at - 1] == '\n') return true;
    return false;
  };
  return starts_line("<<<<<<< ") && starts_line(">>>>>>> ");
}

Result<std::vector<std::string>> files_with_marks(const Worktree& tree) {
  GITPLAN_TRY_ASSIGN(const std::string names,
                     tree.git().read({"diff", "--no-ext-diff", "--name-only", "-z", "HEAD"}));
  std::vector<std::string> result;
  for (const std::string& name : split_nul(names)) {
    const std::string path = tree.path + "/" + name;
    std::error_code code;
    if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, code))) continue;
    if (has_conflict_marks(read_small_file(path).value_or(""))) result.push_back(name);
  }
  return result;
}

namespace {

// False: this kind of index is for git alone to read.
bool read_unmerged(const std::string& index, std::vector<std::string>& paths) {
  start_libgit2();
  Handle<git_index> entries;
  if (git_index_open(entries.out(), index.c_str()) != 0) return false;
  if (git_index_has_conflicts(entries.get()) == 0) return true;
  for (std::size_t at = 0; const git_index_entry* entry = git_index_get_byindex(entries.get(), at);
       ++at)
    if (git_index_entry_is_conflict(entry) != 0 && (paths.empty() || paths.back() != entry->path))
      paths.emplace_back(entry->path);
  return true;
}

}  // namespace

Result<std::vector<std::string>> unmerged_files(const Worktree& tree) {
  if (std::vector<std::string> read; read_unmerged(tree.admin + "/index", read)) return read;
  GITPLAN_TRY_ASSIGN(const std::string entries, tree.git().read({"ls-files", "-u", "-z"}));
  std::vector<std::string> result;
  for (const std::string& entry : split_nul(entries)) {
    std::string path = entry.substr(entry.find('\t') + 1);
    if (result.empty() || result.back() != path) result.push_back(std::move(path));
  }
  return result;
}

Result<LeftState> look_at(const Repository& repository, const Worktree& tree,
                          const std::string& branch, const std::string& base) {
  LeftState state;
  if (tree.on_branch()) {
    GITPLAN_TRY_ASSIGN(const auto tip, repository.ref(tree.head));
    state.head = tip.value_or("");
    if (tree.head != branch) state.other_branch = tree.head;
  } else {
    state.head = tree.head;
    state.detached = true;
  }
  state.half_done = unfinished(tree);
  state.replayed = read_small_file(tree.admin + "/rebase-merge/orig-head").value_or("");
  GITPLAN_TRY_ASSIGN(std::vector<std::string> open, unmerged_files(tree));
  if (open.empty() && tree.operation() && !state.head.empty()) {
    GITPLAN_TRY_ASSIGN(open, files_with_marks(tree));
  }
  if (!open.empty())
    state.half_done = in_the_middle_of(tree) + ": " + some_of(open) + " not resolved";
  state.merge_heads = lines_of(read_small_file(tree.admin + "/MERGE_HEAD").value_or(""));
  const auto log = lines_of(read_small_file(tree.admin + "/logs/HEAD").value_or(""));
  for (const std::string& name : visited_names(log)) {
    const std::string full = "refs/heads/" + name;
    if (full == branch) continue;
    const auto tip = repository.ref(full);
    if (!tip || !*tip || repository.is_ancestor(**tip, base)) continue;
    if (made_there(log, **tip)) state.visited.push_back({name, **tip});
  }
  return state;
}

}  // namespace gitplan
