#include "hooks/place.h"

#include <filesystem>
#include <system_error>

#include "refs/git/small_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

std::string real(const std::string& path) {
  std::error_code code;
  const fs::path result = fs::weakly_canonical(path, code);
  std::string text = (code ? fs::path(path).lexically_normal() : result).string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

bool below(const std::string& path, const std::string& folder) {
  return !folder.empty() && (path == folder || path.starts_with(folder + "/"));
}

// git as somebody would call it there, whatever repository that is.
bool git_says_yes(const std::string& directory, std::vector<std::string> words,
                  std::string* output = nullptr) {
  Command command;
  command.argv = {"git"};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  command.directory = directory;
  for (const std::string& name : local_environment_names())
    command.environment.emplace_back(name, std::nullopt);
  const Result<Outcome> outcome = run(command);
  if (!outcome || !outcome->ok()) return false;
  if (output != nullptr) *output = outcome->output;
  return true;
}

// Whether git sees what lies there, or would: a file that it has, or one that it does not ignore.
bool tracked(const std::string& directory) {
  fs::path there(directory);
  std::error_code code;
  while (!fs::is_directory(there, code) && there.has_relative_path()) there = there.parent_path();
  std::string inside;
  if (!git_says_yes(there.string(), {"rev-parse", "--is-inside-work-tree"}, &inside) ||
      inside != "true\n")
    return false;
  std::string listed;
  if (git_says_yes(there.string(), {"ls-files", "-z", "--", directory}, &listed) && !listed.empty())
    return true;
  return !git_says_yes(there.string(), {"check-ignore", "-q", directory + "/pre-commit"});
}

bool is_husky(const HooksPath& path) {
  const std::string name = fs::path(path.directory).filename().string();
  const std::string above = fs::path(path.directory).parent_path().filename().string();
  return !path.configured.empty() && (name == ".husky" || (name == "_" && above == ".husky"));
}

PlaceKind kind_of(const Repository& repository, const HooksPath& path) {
  std::error_code code;
  const std::string directory = real(path.directory);
  if (fs::exists(directory, code) && !fs::is_directory(directory, code)) return PlaceKind::kOff;
  if (is_husky(path)) return PlaceKind::kHusky;
  if (below(directory, real(repository.common_dir())) ||
      below(directory, real(repository.git_dir())))
    return PlaceKind::kOwn;
  if (tracked(directory)) return PlaceKind::kTracked;
  return below(directory, real(repository.work_tree())) ? PlaceKind::kOwn : PlaceKind::kShared;
}

}  // namespace

std::string HooksPlace::set_by() const {
  if (path.configured.empty()) return {};
  return "core.hooksPath = '" + path.configured + "' (" + path.scope + ", " + path.origin + ")";
}

Result<HooksPlace> hooks_place(const Repository& repository) {
  HooksPlace place;
  place.top = repository.bare() ? repository.git_dir() : repository.work_tree();
  place.default_dir = repository.common_dir() + "/hooks";
  GITPLAN_TRY_ASSIGN(place.path, hooks_path(repository, place.top));
  place.kind = kind_of(repository, place.path);
  return place;
}

Status check_place(const HooksPlace& place, bool shared) {
  const std::string& where = place.path.directory;
  switch (place.kind) {
    case PlaceKind::kOwn: return {};
    case PlaceKind::kHusky: return {};
    case PlaceKind::kShared:
      if (shared) return {};
      return error(
          ErrorCode::kRefused,
          "hooks run from '" + where + "', which other repositories use too: " + place.set_by(),
          "--shared installs them there all the same; or give this repository its own: "
          "git config --local core.hooksPath '" +
              place.default_dir + "'");
    case PlaceKind::kTracked:
      return error(ErrorCode::kRefused,
                   "hooks run from '" + where +
                       "', where git sees the files, and nothing is "
                       "written there: " +
                       place.set_by(),
                   "'git plan hooks install --print' has the lines to add to the hooks there");
    case PlaceKind::kOff:
      return error(ErrorCode::kRefused,
                   "hooks are switched off, '" + where + "' is no folder: " + place.set_by(),
                   "take core.hooksPath out of there, or give this repository its own: git config "
                   "--local core.hooksPath '" +
                       place.default_dir + "'");
  }
  return {};
}

}  // namespace gitplan
