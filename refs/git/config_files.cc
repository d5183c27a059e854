#include "refs/git/config_files.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "refs/git/libgit2.h"

namespace gitplan {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool means_true(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return text == "true" || text == "yes" || text == "on" || text == "1";
}

// Which file is the system's is compiled into git; for a git elsewhere only git knows.
bool system_git() {
  const std::string path = variable("PATH").value_or("/usr/bin:/bin");
  std::string_view rest = path;
  while (true) {
    const std::string_view dir = rest.substr(0, rest.find(':'));
    if (access((std::string(dir) + "/git").c_str(), X_OK) == 0)
      return dir == "/usr/bin" || dir == "/bin" || dir == "/usr/lib/git-core" ||
             dir == "/usr/libexec/git-core";
    if (dir.size() == rest.size()) return false;
    rest.remove_prefix(dir.size() + 1);
  }
}

// The files that git would read, lowest first; nothing where only git can say.
std::optional<std::vector<std::string>> files_of(const Repository& repository) {
  if (variable("GIT_CONFIG_PARAMETERS") || variable("GIT_CONFIG_COUNT")) return std::nullopt;
  std::vector<std::string> files;
  if (!means_true(variable("GIT_CONFIG_NOSYSTEM").value_or(""))) {
    if (const auto named = variable("GIT_CONFIG_SYSTEM"))
      files.push_back(*named);
    else if (system_git())
      files.emplace_back("/etc/gitconfig");
    else
      return std::nullopt;
  }
  const std::string home = variable("HOME").value_or("");
  if (const auto named = variable("GIT_CONFIG_GLOBAL")) {
    files.push_back(*named);
  } else {
    if (const auto xdg = variable("XDG_CONFIG_HOME"); xdg && !xdg->empty())
      files.push_back(*xdg + "/git/config");
    else if (!home.empty())
      files.push_back(home + "/.config/git/config");
    if (!home.empty()) files.push_back(home + "/.gitconfig");
  }
  files.push_back(repository.common_dir() + "/config");
  return files;
}

bool has_include(std::string_view text) {
  constexpr std::string_view kWord = "[include";  // includeIf too
  return std::search(text.begin(), text.end(), kWord.begin(), kWord.end(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b;
         }) != text.end();
}

// False where git must be asked: an include, or what libgit2 cannot read.
bool add_file(const std::string& file, ConfigEntries& entries) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return access(file.c_str(), F_OK) != 0;
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (has_include(text)) return false;
  Handle<git_config> config;
  Handle<git_config_iterator> all;
  if (git_config_open_ondisk(config.out(), file.c_str()) != 0 ||
      git_config_iterator_new(all.out(), config.get()) != 0)
    return false;
  git_config_entry* entry = nullptr;
  int code = 0;
  while ((code = git_config_next(&entry, all.get())) == 0)
    entries[entry->name] = entry->value == nullptr ? "true" : entry->value;
  return code == GIT_ITEROVER;
}

}  // namespace

Result<ConfigEntries> read_config_by_git(const Repository& repository) {
  GITPLAN_TRY_ASSIGN(const std::string text, repository.git().read({"config", "--list", "-z"}));
  ConfigEntries entries;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const std::string_view entry = rest.substr(0, end);
    const std::size_t line = entry.find('\n');
    entries[std::string(entry.substr(0, line))] =
        line == std::string_view::npos ? "true" : std::string(entry.substr(line + 1));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return entries;
}

Result<ConfigEntries> read_config(const Repository& repository) {
  const auto files = files_of(repository);
  if (!files) return read_config_by_git(repository);
  ConfigEntries entries;
  for (const std::string& file : *files)
    if (!add_file(file, entries)) return read_config_by_git(repository);
  const auto worktree = entries.find("extensions.worktreeconfig");
  if (worktree != entries.end() && means_true(worktree->second))
    return read_config_by_git(repository);
  return entries;
}

}  // namespace gitplan
