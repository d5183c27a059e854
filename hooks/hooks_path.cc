#include "hooks/hooks_path.h"

#include <filesystem>
#include <string_view>
#include <vector>

#include "refs/fork/tree_making.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

Result<Outcome> ask(const Repository& repository, const std::string& directory,
                    std::vector<std::string> words) {
  GitCall call;
  call.args = std::move(words);
  call.directory = directory;
  return repository.git().call(call);
}

}  // namespace

Result<HooksPath> hooks_path(const Repository& repository, const std::string& work_tree) {
  HooksPath result;
  GITPLAN_TRY_ASSIGN(
      const Outcome found,
      ask(repository, work_tree, {"rev-parse", "--path-format=absolute", "--git-path", "hooks"}));
  if (!found.ok())
    return failed("cannot find where git runs hooks in '" + work_tree + "': " + found.error);
  result.directory = found.output.substr(0, found.output.find_last_not_of('\n') + 1);
  GITPLAN_TRY_ASSIGN(const Outcome set, ask(repository, work_tree,
                                            {"config", "-z", "--show-scope", "--show-origin",
                                             "--type=path", "--get", "core.hooksPath"}));
  const std::vector<std::string> fields = split_nul(set.output);
  if (!set.ok() || fields.size() < 3) return result;
  result.scope = fields[0];
  result.origin = fields[1];
  // Git names the repository's own file as seen from where it was asked.
  constexpr std::string_view kFile = "file:";
  if (result.origin.starts_with(kFile) && result.origin.substr(kFile.size(), 1) != "/")
    result.origin = "file:" + (fs::path(work_tree) / result.origin.substr(kFile.size())).string();
  result.configured = fields[2];
  return result;
}

Result<std::string> hooks_path_for(const Repository& repository, const std::string& tree) {
  if (repository.bare()) return std::string();
  GITPLAN_TRY_ASSIGN(const HooksPath own, hooks_path(repository, repository.work_tree()));
  if (!own.relative()) return std::string();
  std::error_code code;
  if (fs::is_directory(tree + "/" + own.configured, code)) return std::string();
  if (!fs::is_directory(own.directory, code)) return std::string();
  return own.directory;
}

}  // namespace gitplan
