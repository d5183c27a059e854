#include "refs/git/discovery.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "refs/git/errno_error.h"
#include "refs/git/repository.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// Symbolic links resolved, as git prints paths; relative ones start at `base`.
std::string absolute(const std::string& path, const std::string& base) {
  std::error_code failed_quietly;
  const fs::path full = fs::path(base) / path;
  fs::path real = fs::canonical(full, failed_quietly);
  return without_slash((failed_quietly ? full.lexically_normal() : real).string());
}

bool is_directory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// Any of these makes git look elsewhere, or at less, than libgit2 would.
bool environment_steers() {
  for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_IMPLICIT_WORK_TREE",
                           "GIT_DISCOVERY_ACROSS_FILESYSTEM"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

// `!git plan` in an alias is started at the top; GIT_PREFIX says where the user stood.
void take_alias_prefix(Location& location) {
  const char* prefix = std::getenv("GIT_PREFIX");
  if (prefix == nullptr || !location.prefix.empty() || location.work_tree.empty()) return;
  const std::string text = prefix;
  if (text.empty() || text.starts_with('/') || !is_directory(location.work_tree + "/" + text))
    return;
  location.prefix = text.ends_with('/') ? text : text + "/";
}

std::string prefix_below(const std::string& work_tree, const std::string& here) {
  if (work_tree.empty() || here == work_tree) return {};
  const std::string top = work_tree == "/" ? "/" : work_tree + "/";
  return here.starts_with(top) ? here.substr(top.size()) + "/" : std::string();
}

// Of the configuration file alone: git and libgit2 both refuse to open what this asks about.
std::string extension(const std::string& common_dir, const char* name) {
  Handle<git_config> config;
  const std::string file = common_dir + "/config";
  if (git_config_open_ondisk(config.out(), file.c_str()) != 0) return {};
  git_buf value = GIT_BUF_INIT;
  std::string text;
  if (git_config_get_string_buf(&value, config.get(), name) == 0) text = value.ptr;
  git_buf_dispose(&value);
  return text;
}

Error unsupported_format(const std::string& common_dir, int code) {
  if (const std::string kind = extension(common_dir, "extensions.objectformat");
      !kind.empty() && kind != "sha1")
    return error(
        ErrorCode::kUnsupported,
        "this repository names its objects by " + kind +
            ", and git plan reads only SHA-1 repositories: " + common_dir,
        "use a repository made by 'git init --object-format=sha1'; 'git fast-export --all' "
        "there and 'git fast-import' here carry the history over");
  if (const std::string kind = extension(common_dir, "extensions.refstorage");
      !kind.empty() && kind != "files")
    return error(ErrorCode::kUnsupported,
                 "this repository keeps its refs in the format '" + kind +
                     "', and git plan reads only files: " + common_dir,
                 "'git refs migrate --ref-format=files' converts it");
  Error error = libgit2_error("cannot open " + common_dir, code);
  error.code = ErrorCode::kUnsupported;
  return error;
}

Result<Handle<git_repository>> open_dir(const std::string& dir) {
  Handle<git_repository> raw;
  const unsigned flags = GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_NO_DOTGIT;
  const auto open = [&] { return git_repository_open_ext(raw.out(), dir.c_str(), flags, nullptr); };
  int code = open();
  if (code == GIT_EOWNER || code == GIT_ENOTFOUND) {
    // Git has let this owner pass (safe.directory, also "*", or GIT_DIR); libgit2 knows fewer ways.
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    code = open();
  }
  if (code != 0) return unsupported_format(dir, code);
  return raw;
}

Error not_discovered(const std::string& words, const std::string& here) {
  std::string first = words.substr(0, words.find('\n'));
  std::string rest = first.size() < words.size() ? words.substr(first.size() + 1) : "";
  for (const std::string_view start : {"fatal: ", "error: "})
    if (first.starts_with(start)) first.erase(0, start.size());
  while (rest.ends_with('\n')) rest.pop_back();
  if (first.starts_with("not a git repository"))
    return error(ErrorCode::kNotFound, std::move(first), "'git init' makes one here");
  // Git names the extension; which kind of repository that is, is known here.
  if (first.find("extension") != std::string::npos || first.find("version") != std::string::npos) {
    git_buf found = GIT_BUF_INIT;
    std::string dir;
    if (git_repository_discover(&found, here.c_str(), 0, nullptr) == 0)
      dir = without_slash(found.ptr);
    git_buf_dispose(&found);
    const char* named = std::getenv("GIT_DIR");
    if (dir.empty() && named != nullptr) dir = absolute(named, here);
    Error why = unsupported_format(dir, GIT_ERROR);
    if (!why.hint.empty()) return why;
    return error(ErrorCode::kUnsupported, std::move(first), std::move(rest));
  }
  return failed(std::move(first), std::move(rest));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

Result<Discovered> ask_git(const std::string& here, bool environment) {
  Command command;
  // The work tree comes last: where there is none git ends there, after the other answers.
  command.argv = {"git",
                  "rev-parse",
                  "--absolute-git-dir",
                  "--git-common-dir",
                  "--is-bare-repository",
                  "--show-object-format",
                  "--show-prefix",
                  "--show-toplevel"};
  command.directory = here;
  if (!environment)
    for (const std::string& name : local_environment_names())
      if (!name.starts_with("GIT_CONFIG")) command.environment.emplace_back(name, std::nullopt);
  GITPLAN_TRY_ASSIGN(const Outcome outcome, run(command));
  const std::vector<std::string> lines = lines_of(outcome.output);
  if (lines.size() < 5) return not_discovered(outcome.error, here);

  Discovered found;
  Location& location = found.location;
  location.git_dir = absolute(lines[0], here);
  location.common_dir = absolute(lines[1], here);
  if (lines[3] != "sha1") return unsupported_format(location.common_dir, GIT_ERROR);
  location.prefix = lines[4];
  if (lines.size() > 5) location.work_tree = lines[5];

  GITPLAN_TRY_ASSIGN(found.raw, open_dir(location.git_dir));
  if (absolute(git_repository_commondir(found.raw.get()), here) != location.common_dir) {
    GITPLAN_TRY_ASSIGN(found.raw, open_dir(location.common_dir));
    location.git_dir_is_opened = false;
  }
  if (environment && std::getenv("GIT_DIR") != nullptr && std::getenv("GIT_WORK_TREE") == nullptr &&
      !location.work_tree.empty()) {
    const char* own = git_repository_workdir(found.raw.get());
    location.work_tree_is_guess = own == nullptr || absolute(own, here) != location.work_tree;
  }
  // Inside of .git git names no work tree, though there is one.
  if (location.work_tree.empty() && lines[2] == "false")
    if (const char* tree = git_repository_workdir(found.raw.get()))
      location.work_tree = without_slash(tree);
  return found;
}

}  // namespace

Result<Discovered> discover(const std::string& directory, bool environment) {
  start_libgit2();
  std::error_code code;
  const std::string here =
      directory.empty() ? fs::current_path(code).string() : absolute(directory, "/");
  if (code) return errno_error("use", "the current directory", code.value());

  Discovered found;
  const char* ceilings = environment ? std::getenv("GIT_CEILING_DIRECTORIES") : nullptr;
  if (!(environment && environment_steers()) &&
      git_repository_open_ext(found.raw.out(), here.c_str(), 0, ceilings) == 0) {
    Location& location = found.location;
    location.git_dir = absolute(git_repository_path(found.raw.get()), "/");
    location.common_dir = absolute(git_repository_commondir(found.raw.get()), "/");
    if (const char* tree = git_repository_workdir(found.raw.get()))
      location.work_tree = absolute(tree, "/");
    location.prefix = prefix_below(location.work_tree, here);
    if (here == location.git_dir || here.starts_with(location.git_dir + "/"))
      location.prefix.clear();
  } else {
    GITPLAN_TRY_ASSIGN(found, ask_git(here, environment));
  }
  if (environment) take_alias_prefix(found.location);
  return found;
}

Result<Handle<git_repository>> open_again(const Location& location) {
  return open_dir(location.git_dir_is_opened ? location.git_dir : location.common_dir);
}

Git git_for(const Location& location) {
  return Git(location.git_dir, location.work_tree,
             location.git_dir_is_opened ? std::string() : location.common_dir);
}

}  // namespace gitplan
