#include "refs/git/git.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

namespace gitplan {
namespace {

bool exists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first, second;
  return stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// The git directory that `<tree>/.git` is or names; empty where there is none.
std::string git_dir_of(const std::string& tree) {
  const std::string dot_git = tree + "/.git";
  struct stat info;
  if (stat(dot_git.c_str(), &info) != 0) return {};
  if (S_ISDIR(info.st_mode)) return dot_git;
  std::ifstream file(dot_git);
  std::string line;
  constexpr std::string_view kStart = "gitdir: ";
  if (!std::getline(file, line) || !line.starts_with(kStart)) return {};
  line.erase(0, kStart.size());
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line.starts_with('/') ? line : tree + "/" + line;
}

// Git is left to find the repository by itself where it would find the same one: hooks and filters
// then see the environment that they see from the user's own git.
std::vector<std::string> words_of(const GitCall& call, const std::string& git_dir,
                                  const std::string& work_tree, const std::string& directory) {
  std::vector<std::string> words{"git"};
  const bool own = directory == work_tree || directory == git_dir;
  if (own && !git_dir.empty()) {
    const std::string found = work_tree.empty() ? std::string() : git_dir_of(work_tree);
    if (found.empty() || !same_file(found, git_dir)) {
      words.push_back("--git-dir=" + git_dir);
      if (!work_tree.empty()) words.push_back("--work-tree=" + work_tree);
    }
  } else if (!exists(directory + "/.git") && exists(directory + "/HEAD") &&
             exists(directory + "/objects")) {
    words.push_back("--git-dir=" + directory);  // bare; safe.bareRepository may forbid to look
  }
  words.insert(words.end(), call.args.begin(), call.args.end());
  return words;
}

// "git worktree add": what was called, without its options and operands.
std::string called(const std::vector<std::string>& args) {
  std::string result = "git";
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "-c" || args[i] == "-C") {
      ++i;
    } else if (!args[i].starts_with('-')) {
      result += " " + args[i];
      const bool has_verb = args[i] == "worktree" || args[i] == "stash" || args[i] == "remote" ||
                            args[i] == "notes" || args[i] == "submodule";
      if (has_verb && i + 1 < args.size() && !args[i + 1].starts_with('-'))
        result += " " + args[i + 1];
      break;
    }
  }
  return result;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text);
}

Error failure(const GitCall& call, const Outcome& outcome) {
  std::string message = called(call.args) + ": ";
  if (outcome.timed_out)
    message += "ended after " + std::to_string(call.deadline->count() / 1000) + " s without an end";
  else if (const std::string words = trimmed(outcome.error); !words.empty())
    message += words;
  else
    message += "exit status " + std::to_string(outcome.exit_status);
  return failed(std::move(message));
}

}  // namespace

const std::vector<std::string>& local_environment_names() {
  // git rev-parse --local-env-vars
  static const std::vector<std::string> names{"GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                              "GIT_CONFIG",
                                              "GIT_CONFIG_PARAMETERS",
                                              "GIT_CONFIG_COUNT",
                                              "GIT_OBJECT_DIRECTORY",
                                              "GIT_DIR",
                                              "GIT_WORK_TREE",
                                              "GIT_IMPLICIT_WORK_TREE",
                                              "GIT_GRAFT_FILE",
                                              "GIT_INDEX_FILE",
                                              "GIT_NO_REPLACE_OBJECTS",
                                              "GIT_REPLACE_REF_BASE",
                                              "GIT_PREFIX",
                                              "GIT_SHALLOW_FILE",
                                              "GIT_COMMON_DIR",
                                              "GIT_INTERNAL_SUPER_PREFIX",
                                              "GIT_QUARANTINE_PATH"};
  return names;
}

Git::Git(std::string git_dir, std::string work_tree, std::string common_dir)
    : git_dir_(std::move(git_dir)),
      work_tree_(std::move(work_tree)),
      common_dir_(std::move(common_dir)) {}

Result<Outcome> Git::call(const GitCall& call) const {
  Command command;
  command.directory = !call.directory.empty() ? call.directory
                      : work_tree_.empty()    ? git_dir_
                                              : work_tree_;
  command.argv = words_of(call, git_dir_, work_tree_, command.directory);
  for (const std::string& name : local_environment_names())
    if (name != "GIT_CONFIG_PARAMETERS" && name != "GIT_CONFIG_COUNT")
      command.environment.emplace_back(name, std::nullopt);
  // What we do ourselves is nothing that our own hooks would have to remark on.
  command.environment.emplace_back("GIT_PLAN_HOOKS", "0");
  if (!common_dir_.empty()) command.environment.emplace_back("GIT_COMMON_DIR", common_dir_);
  for (const auto& [name, value] : environment_) command.environment.emplace_back(name, value);
  command.environment.insert(command.environment.end(), call.environment.begin(),
                             call.environment.end());
  command.input = call.input;
  command.reply = call.reply;
  command.deadline = call.deadline;
  command.kept_open = call.kept_open;
  command.foreground = call.foreground;
  return run(command);
}

Result<std::string> Git::read(const std::vector<std::string>& args, std::string_view input) const {
  GitCall read_call;
  read_call.args = args;
  read_call.input = input;
  GITPLAN_TRY_ASSIGN(Outcome outcome, call(read_call));
  if (!outcome.ok()) return failure(read_call, outcome);
  if (outcome.output.ends_with('\n')) outcome.output.pop_back();
  return std::move(outcome.output);
}

Status Git::check(const std::vector<std::string>& args, std::string_view input) const {
  GITPLAN_TRY(read(args, input));
  return {};
}

Git Git::in(std::string work_tree) const {
  std::string git_dir = git_dir_of(work_tree);
  Git result(std::move(git_dir), std::move(work_tree));
  result.environment_ = environment_;
  return result;
}

Git Git::with(std::string name, std::string value) const {
  Git result = *this;
  result.environment_.emplace_back(std::move(name), std::move(value));
  return result;
}

}  // namespace gitplan
