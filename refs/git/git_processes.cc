#include "refs/git/git_processes.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <functional>
#include <set>
#include <string_view>

#include "refs/git/small_file.h"

namespace gitplan {
namespace {

std::string link_target(const std::string& path) {
  std::array<char, PATH_MAX> target;
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  return length < 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(length));
}

void each_entry(const std::string& folder, const std::function<bool(const char*)>& visit) {
  DIR* directory = opendir(folder.c_str());
  if (directory == nullptr) return;
  while (const dirent* entry = readdir(directory))
    if (!visit(entry->d_name)) break;
  closedir(directory);
}

std::vector<int> all_processes() {
  std::vector<int> result;
  each_entry("/proc", [&result](const char* name) {
    if (name[0] >= '1' && name[0] <= '9') result.push_back(std::atoi(name));
    return true;
  });
  return result;
}

std::string of_process(int pid, const char* file) {
  return "/proc/" + std::to_string(pid) + "/" + file;
}

std::set<int> self_and_starters() {
  std::set<int> result;
  int pid = getpid();
  while (pid > 1 && result.insert(pid).second) {
    const std::string stat = read_small_file(of_process(pid, "stat")).value_or("");
    const std::size_t close = stat.rfind(')');  // "pid (name) state ppid": a name may hold anything
    if (close == std::string::npos || close + 4 > stat.size()) break;
    pid = std::atoi(stat.c_str() + close + 4);
  }
  return result;
}

std::vector<std::string> words_of(int pid) {
  std::vector<std::string> result;
  const std::string text = read_small_file(of_process(pid, "cmdline")).value_or("");
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\0', start), text.size());
    result.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return result;
}

// The first word that is neither an option nor the value of one.
std::string command_of(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-c" || word == "-C" || word == "--git-dir" || word == "--work-tree" ||
        word == "--namespace" || word == "--config-env")
      ++i;
    else if (!word.starts_with('-'))
      return word;
  }
  return {};
}

bool only_reads(std::string_view command) {
  static const std::set<std::string_view> kReaders{
      "plan",         "log",          "show",       "diff",         "status",
      "blame",        "annotate",     "grep",       "cat-file",     "rev-parse",
      "rev-list",     "ls-files",     "ls-tree",    "for-each-ref", "show-ref",
      "worktree",     "config",       "help",       "version",      "var",
      "shortlog",     "describe",     "fetch",      "push",         "gc",
      "maintenance",  "repack",       "prune",      "pack-objects", "index-pack",
      "upload-pack",  "receive-pack", "daemon",     "credential",   "fsmonitor--daemon",
      "cat",          "diff-tree",    "diff-index", "diff-files",   "merge-base",
      "merge-tree",   "bundle",       "archive",    "instaweb",     "web--browse",
      "remote-https", "remote-http",  "pack-refs",  "reflog",       "fsck"};
  return kReaders.contains(command);
}

bool belongs_to(std::string directory, const std::string& tree) {
  if (directory != tree && !directory.starts_with(tree + "/")) return false;
  for (; directory.size() > tree.size(); directory.resize(directory.rfind('/')))
    if (exists(directory + "/.git")) return false;
  return true;
}

}  // namespace

std::vector<GitProcess> git_processes_in(const std::string& tree) {
  std::array<char, PATH_MAX> resolved;
  const std::string real = realpath(tree.c_str(), resolved.data()) ? resolved.data() : tree;
  std::vector<GitProcess> result;
  std::set<int> own;
  for (const int pid : all_processes()) {
    if (read_small_file(of_process(pid, "comm")).value_or("") != "git") continue;
    if (!belongs_to(link_target(of_process(pid, "cwd")), real)) continue;
    if (own.empty()) own = self_and_starters();
    if (own.contains(pid)) continue;
    const std::vector<std::string> words = words_of(pid);
    if (words.empty()) continue;  // it has just ended
    GitProcess found{pid, command_of(words)};
    if (!only_reads(found.command)) result.push_back(std::move(found));
  }
  return result;
}

bool git_writes_somewhere() {
  static const std::set<std::string_view> kHarmless{
      "plan", "daemon", "fsmonitor--daemon", "credential-cache--daemon", "instaweb", "help"};
  const std::set<int> own = self_and_starters();
  for (const int pid : all_processes()) {
    if (read_small_file(of_process(pid, "comm")).value_or("") != "git" || own.contains(pid))
      continue;
    const std::vector<std::string> words = words_of(pid);
    if (!words.empty() && !kHarmless.contains(command_of(words))) return true;
  }
  return false;
}

bool is_open_somewhere(const std::string& path) {
  struct stat wanted;
  if (stat(path.c_str(), &wanted) != 0) return false;
  bool found = false;
  for (const int pid : all_processes()) {
    const std::string folder = of_process(pid, "fd");
    each_entry(folder, [&](const char* name) {
      struct stat info;
      found = stat((folder + "/" + name).c_str(), &info) == 0 && info.st_dev == wanted.st_dev &&
              info.st_ino == wanted.st_ino;
      return !found;
    });
    if (found) break;
  }
  return found;
}

}  // namespace gitplan
