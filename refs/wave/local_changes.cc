#include "refs/wave/local_changes.h"

#include <algorithm>

#include "refs/fork/tree_making.h"

namespace gitplan {

Result<std::map<std::string, Local>> local_changes(const Worktree& tree) {
  GitCall call;
  call.args = {"status", "--porcelain=v2", "-z",
               "-uno",   "--no-renames",   "--ignore-submodules=dirty"};
  call.environment = {{"GIT_OPTIONAL_LOCKS", "0"}};
  GITPLAN_TRY_ASSIGN(const Outcome outcome, tree.git().call(call));
  if (!outcome.ok()) return failed("git status in '" + tree.path + "': " + outcome.error);
  std::map<std::string, Local> result;
  for (const std::string& entry : split_nul(outcome.output)) {
    if (entry.size() < 4 || (entry[0] != '1' && entry[0] != 'u')) continue;
    std::vector<std::string> fields;
    std::size_t start = 0;
    for (int left = entry[0] == '1' ? 8 : 10; left > 0; --left) {
      const std::size_t end = entry.find(' ', start);
      if (end == std::string::npos) break;
      fields.push_back(entry.substr(start, end - start));
      start = end + 1;
    }
    if (fields.size() < 8) continue;
    Local local;
    local.staged = entry[0] == 'u' || fields[1][0] != '.';
    local.in_files = entry[0] == 'u' || fields[1][1] != '.';
    local.unlisted = entry[0] == '1' && fields[1][0] == 'D';
    local.index_id = fields[7];
    result[entry.substr(start)] = local;
  }
  return result;
}

Result<std::vector<Marked>> marked_entries(const Worktree& tree,
                                           const std::vector<std::string>& paths) {
  constexpr std::size_t kAtOnce = 500;
  std::vector<Marked> result;
  for (std::size_t next = 0; next < paths.size();) {
    std::vector<std::string> words{"--literal-pathspecs", "ls-files", "-v", "-s", "-z", "--"};
    for (const std::size_t end = std::min(next + kAtOnce, paths.size()); next < end; ++next)
      words.push_back(paths[next]);
    GITPLAN_TRY_ASSIGN(const std::string listed, tree.git().read(words));
    for (const std::string& entry : split_nul(listed)) {  // "S 100644 <id> 0\t<path>"
      const std::size_t tab = entry.find('\t');
      if (tab == std::string::npos || tab < 51) continue;
      Marked marked;
      marked.assume_unchanged = entry[0] >= 'a' && entry[0] <= 'z';
      marked.skip_worktree = entry[0] == 'S' || entry[0] == 's';
      if (!marked.assume_unchanged && !marked.skip_worktree) continue;
      marked.mode = static_cast<unsigned>(std::stoul(entry.substr(2, 6), nullptr, 8));
      marked.id = entry.substr(9, 40);
      marked.path = entry.substr(tab + 1);
      result.push_back(std::move(marked));
    }
  }
  return result;
}

}  // namespace gitplan
