#include "hooks/quick/git_state.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string_view>

namespace gitplan {
namespace {

constexpr std::string_view kPlans = "refs/plans/";

bool is_there(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

std::string first_line(std::string text) {
  text.resize(std::min(text.find('\n'), text.size()));
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string from(const std::string& base, const std::string& path) {
  return path.starts_with('/') ? path : base + "/" + path;
}

// `<directory>/.git`, a folder or a file that names one; a bare repository; or "".
std::string git_dir_in(const std::string& directory) {
  const std::string dot_git = directory + "/.git";
  struct stat info;
  if (::stat(dot_git.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return dot_git;
    const std::string line = first_line(read_whole(dot_git).value_or(""));
    constexpr std::string_view kStart = "gitdir: ";
    if (line.starts_with(kStart)) return from(directory, line.substr(kStart.size()));
  }
  if (is_there(directory + "/HEAD") && is_there(directory + "/objects") &&
      is_there(directory + "/refs"))
    return directory;
  return {};
}

bool has_entries(const std::string& directory) {
  DIR* opened = ::opendir(directory.c_str());
  if (opened == nullptr) return false;
  bool found = false;
  while (const dirent* entry = ::readdir(opened))
    if (entry->d_name[0] != '.') found = true;
  ::closedir(opened);
  return found;
}

// Lines "<id> <name>", sorted by name where the first line says so.
bool packed_has_plans(std::string_view text) {
  const std::size_t first = text.find('\n');
  const std::string_view head = text.substr(0, first);
  const bool sorted = head.starts_with('#') && head.find(" sorted") != std::string_view::npos;
  if (!sorted) return text.find(" refs/plans/") != std::string_view::npos;
  std::size_t low = first == std::string_view::npos ? text.size() : first + 1, high = text.size();
  const auto line_at = [&](std::size_t at) {
    while (at > low && text[at - 1] != '\n') --at;
    return at;
  };
  const auto after = [&](std::size_t at) {
    return std::min(std::min(text.find('\n', at), text.size()) + 1, text.size());
  };
  // The first line with a name that is not before "refs/plans/" begins at `low` in the end.
  while (low < high) {
    std::size_t at = line_at(low + (high - low) / 2);
    // "^<id>" belongs to the tag in the line before it.
    if (text[at] == '^' && at > low) at = line_at(at - 1);
    const std::size_t end = after(at);
    const std::string_view line = text.substr(at, end - at);
    const std::size_t blank = line.find(' ');
    if (blank != std::string_view::npos && line.substr(blank + 1) >= kPlans)
      high = at;
    else
      low = end < text.size() && text[end] == '^' ? after(end) : end;
  }
  const std::string_view line = text.substr(low, text.find('\n', low) - low);
  const std::size_t blank = line.find(' ');
  return blank != std::string_view::npos && line.substr(blank + 1).starts_with(kPlans);
}

bool packed_plans(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat info {};
  bool found = true;
  if (::fstat(fd, &info) == 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0) {
      found = false;
    } else if (void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
               data != MAP_FAILED) {
      found = packed_has_plans({static_cast<const char*>(data), size});
      ::munmap(data, size);
    }
  }
  ::close(fd);
  return found;
}

}  // namespace

std::optional<std::string> read_whole(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string text;
  char piece[16384];
  ssize_t got = 0;
  while ((got = ::read(fd, piece, sizeof piece)) > 0)
    text.append(piece, static_cast<std::size_t>(got));
  ::close(fd);
  if (got < 0) return std::nullopt;
  return text;
}

std::optional<GitPlace> find_git() {
  GitPlace place;
  if (const char* named = std::getenv("GIT_DIR"); named != nullptr && *named != '\0') {
    place.git_dir = named;
  } else {
    char here[PATH_MAX];
    if (::getcwd(here, sizeof here) == nullptr) return std::nullopt;
    for (std::string directory = here;; directory.resize(directory.rfind('/'))) {
      place.git_dir = git_dir_in(directory.empty() ? "/" : directory);
      if (!place.git_dir.empty() || directory.find('/') == std::string::npos) break;
    }
    if (place.git_dir.empty()) return std::nullopt;
  }
  place.common_dir = place.git_dir;
  if (const char* common = std::getenv("GIT_COMMON_DIR"); common != nullptr && *common != '\0')
    place.common_dir = common;
  else if (const auto text = read_whole(place.git_dir + "/commondir"))
    place.common_dir = from(place.git_dir, first_line(*text));
  return place;
}

bool is_task_tree(const GitPlace& place) {
  if (place.git_dir == place.common_dir) return false;
  const auto reason = read_whole(place.git_dir + "/locked");
  return reason && reason->starts_with("git plan: ");
}

std::string operation_of(const GitPlace& place) {
  const std::string& dir = place.git_dir;
  if (is_there(dir + "/rebase-merge")) return "rebase";
  if (is_there(dir + "/rebase-apply"))
    return is_there(dir + "/rebase-apply/applying") ? "am" : "rebase";
  if (is_there(dir + "/CHERRY_PICK_HEAD")) return "cherry-pick";
  if (is_there(dir + "/REVERT_HEAD")) return "revert";
  if (is_there(dir + "/sequencer/todo")) return "cherry-pick";  // between two of several
  if (is_there(dir + "/BISECT_LOG")) return "bisect";
  return {};
}

bool may_have_plans(const GitPlace& place) {
  if (is_there(place.common_dir + "/reftable")) return true;
  return has_entries(place.common_dir + "/refs/plans") ||
         packed_plans(place.common_dir + "/packed-refs");
}

}  // namespace gitplan
