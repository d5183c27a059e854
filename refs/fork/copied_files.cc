#include "refs/fork/copied_files.h"

#include <filesystem>
#include <set>

#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInclude = ".worktreeinclude";

std::string record_of(const Worktree& fork) { return fork.admin + "/plan-copied"; }

std::string joined(const std::set<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text.append(path).push_back('\0');
  return text;
}

// What git does not track and ignores by its own rules, of what fits the patterns.
Result<std::set<std::string>> wanted_by(const Git& git, const std::vector<std::string>& patterns) {
  std::set<std::string> found;
  if (patterns.empty()) return found;
  std::vector<std::string> words{"ls-files",           "-z", "--others", "--ignored",
                                 "--exclude-standard", "--"};
  words.insert(words.end(), patterns.begin(), patterns.end());
  GITPLAN_TRY_ASSIGN(const std::string listed, git.read(words));
  for (std::string& path : split_nul(listed)) found.insert(std::move(path));
  return found;
}

Result<std::set<std::string>> wanted_by_file(const Git& git) {
  GITPLAN_TRY_ASSIGN(const std::string listed,
                     git.read({"ls-files", "-z", "--others", "--ignored",
                               std::string("--exclude-from=") + kInclude}));
  std::set<std::string> found;
  if (listed.empty()) return found;
  GitCall call;
  call.args = {"check-ignore", "-z", "--stdin"};
  call.input = listed;
  GITPLAN_TRY_ASSIGN(const Outcome ignored, git.call(call));  // status 1: none of them
  for (std::string& path : split_nul(ignored.output)) found.insert(std::move(path));
  return found;
}

bool below_link(const std::string& root, const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    std::error_code code;
    if (fs::is_symlink(root + "/" + path.substr(0, slash), code)) return true;
  }
  return false;
}

Status copy_one(const std::string& from, const std::string& to, const std::string& path) {
  if (below_link(to, path))
    return error(ErrorCode::kRefused, "'" + path +
                                          "' cannot be copied into the worktree: a part "
                                          "of its path is a link there");
  std::error_code code;
  const fs::path source = from + "/" + path, target = to + "/" + path;
  fs::create_directories(target.parent_path(), code);
  fs::remove(target, code);
  fs::copy(source, target, fs::copy_options::copy_symlinks, code);
  if (code) return failed("'" + path + "' cannot be copied into the worktree: " + code.message());
  return {};
}

}  // namespace

Result<std::vector<std::string>> copy_ignored_files(const Repository& repository,
                                                    const Worktree& fork,
                                                    const std::vector<std::string>& patterns) {
  const std::string& from = repository.work_tree();
  if (from.empty()) return std::vector<std::string>();
  const Git git = repository.git().in(from);
  GITPLAN_TRY_ASSIGN(std::set<std::string> paths, wanted_by(git, patterns));
  if (exists(from + "/" + kInclude)) {
    GITPLAN_TRY_ASSIGN(std::set<std::string> more, wanted_by_file(git));
    paths.merge(more);
  }
  std::erase_if(paths, [](const std::string& path) { return path.starts_with(".git-plan/"); });
  if (paths.empty()) return std::vector<std::string>();
  // Named before they are there: whatever happens then, they enter no commit.
  GITPLAN_TRY(replace_file(record_of(fork), joined(paths), false));
  for (const std::string& path : paths) GITPLAN_TRY(copy_one(from, fork.path, path));
  return std::vector<std::string>(paths.begin(), paths.end());
}

std::vector<std::string> copied_files(const Worktree& fork) {
  // read_small_file() takes a last newline away, which no list has.
  return split_nul(read_small_file(record_of(fork)).value_or(""));
}

}  // namespace gitplan
