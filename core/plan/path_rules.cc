#include "core/plan/path_rules.h"

#include <cctype>
#include <vector>

namespace gitplan {
namespace {

std::vector<std::string_view> components_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

// The spellings that some file system takes for ".git": case, trailing dots and spaces, the 8.3
// name.
bool is_git_folder(std::string_view component) {
  while (!component.empty() && (component.back() == '.' || component.back() == ' '))
    component.remove_suffix(1);
  std::string lower;
  for (const char c : component)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower == ".git" || lower == "git~1";
}

bool has_drive(std::string_view path) {
  return path.size() >= 2 && path[1] == ':' && std::isalpha(static_cast<unsigned char>(path[0]));
}

}  // namespace

std::optional<PathFault> path_fault(std::string_view path) {
  if (path.empty()) return PathFault{false, "is empty"};
  for (const char c : path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return PathFault{false, "has a control character"};
  if (path.front() == ':') return PathFault{false, "starts with ':' (pathspec magic)"};
  if (path.front() == '/' || path.front() == '\\' || has_drive(path))
    return PathFault{true, "is absolute"};
  if (path.front() == '~' && (path.size() == 1 || path[1] == '/'))
    return PathFault{true, "names a home directory"};
  if (path.find('\\') != std::string_view::npos) return PathFault{false, "has a backslash"};

  int depth = 0;
  bool goes_up = false;
  for (const auto part : components_of(path)) {
    if (is_git_folder(part)) return PathFault{false, "goes into '.git'"};
    if (part == "..") {
      goes_up = true;
      if (--depth < 0) return PathFault{true, "leaves the repository"};
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
  }
  if (goes_up) return PathFault{false, "has a '..' part"};
  return std::nullopt;
}

std::string normal_path(std::string_view path) {
  std::string result;
  for (const auto part : components_of(path)) {
    if (part.empty() || part == ".") continue;
    if (!result.empty()) result += '/';
    result += part;
  }
  if (result.empty()) return ".";
  if (path.back() == '/') result += '/';
  return result;
}

}  // namespace gitplan
