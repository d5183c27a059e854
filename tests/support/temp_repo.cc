#include "tests/support/temp_repo.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

constexpr long kFirstCommit = 1772532000;  // 2026-03-03T10:00:00Z

constexpr std::string_view kConfig =
    "[user]\n\tname = A U Thor\n\temail = author@example.com\n"
    "[init]\n\tdefaultBranch = main\n"
    "[gc]\n\tauto = 0\n"
    "[maintenance]\n\tauto = false\n"
    "[core]\n\tautocrlf = false\n\tfsync = none\n"
    "[commit]\n\tgpgSign = false\n"
    "[protocol \"file\"]\n\tallow = always\n"
    "[advice]\n\tdetachedHead = false\n";

fs::path make_directory() {
  std::string name = (fs::temp_directory_path() / "git-plan-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "mkdtemp");
  return fs::canonical(name);
}

void write_file(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

// Directories without write permission keep their entries, so they get it back first.
void remove_tree(const fs::path& root) {
  std::error_code ignored;
  const auto open_up = [&ignored](const fs::path& directory) {
    fs::permissions(directory, fs::perms::owner_all, fs::perm_options::add, ignored);
  };
  open_up(root);
  auto entry = fs::recursive_directory_iterator(root, ignored);
  while (entry != fs::recursive_directory_iterator()) {
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) open_up(entry->path());
    entry.increment(ignored);
    if (ignored) break;
  }
  fs::remove_all(root, ignored);
}

// What a test inherits: the way to the programs, and what sanitizers, tmux and long runs read.
bool inherited(std::string_view name) {
  for (const std::string_view allowed :
       {"PATH", "TMPDIR", "TERM", "SHELL", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
        "LSAN_OPTIONS", "GITPLAN_LONG"})
    if (name == allowed) return true;
  return false;
}

}  // namespace

TempRepo::TempRepo(const Words& init) : root_(make_directory()), path_(root_ / "repo") {
  write_file(root_ / "home/.gitconfig", kConfig);
  fs::create_directories(path_);
  Words words{"init", "-q", "-b", "main"};
  words.insert(words.end(), init.begin(), init.end());
  git(words);
}

TempRepo::~TempRepo() { remove_tree(root_); }

std::vector<std::string> TempRepo::environment(const RunOptions& options) const {
  std::map<std::string, std::string> env;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos || !inherited(text.substr(0, equals))) continue;
    env.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  const std::string date = std::to_string(kFirstCommit + 60L * commits_) + " +0000";
  env["PATH"] = GITPLAN_PROGRAM_DIR ":" + env["PATH"];
  env["HOME"] = root_ / "home";
  env["GIT_CONFIG_GLOBAL"] = root_ / "home/.gitconfig";
  env["GIT_CONFIG_NOSYSTEM"] = "1";
  env["GIT_CEILING_DIRECTORIES"] = root_;
  env["GIT_TERMINAL_PROMPT"] = "0";
  env["GIT_AUTHOR_NAME"] = "A U Thor";
  env["GIT_AUTHOR_EMAIL"] = "author@example.com";
  env["GIT_AUTHOR_DATE"] = date;
  env["GIT_COMMITTER_NAME"] = "C O Mitter";
  env["GIT_COMMITTER_EMAIL"] = "committer@example.com";
  env["GIT_COMMITTER_DATE"] = date;
  env["LC_ALL"] = "C";
  env["TZ"] = "UTC";
  for (const auto& [name, value] : options.env) {
    if (value)
      env[name] = *value;
    else
      env.erase(name);
  }
  std::vector<std::string> result;
  for (const auto& [name, value] : env) result.push_back(name + "=" + value);
  return result;
}

ProcessResult TempRepo::run(const Words& argv, const RunOptions& options) const {
  return run_process({.argv = argv,
                      .cwd = path_ / options.cwd,
                      .env = environment(options),
                      .stdin_text = options.stdin_text,
                      .timeout = options.timeout});
}

ProcessResult TempRepo::plan(const Words& words, const RunOptions& options) const {
  Words argv{"git", "plan"};
  argv.insert(argv.end(), words.begin(), words.end());
  return run(argv, options);
}

std::string TempRepo::git(const Words& words, const RunOptions& options) const {
  Words argv{"git"};
  argv.insert(argv.end(), words.begin(), words.end());
  ProcessResult result = run(argv, options);
  EXPECT_EQ(result.exit_status, 0) << ::testing::PrintToString(argv) << "\n"
                                   << result.out << result.err;
  if (result.out.ends_with('\n')) result.out.pop_back();
  return std::move(result.out);
}

void TempRepo::write(const fs::path& name, std::string_view text) const {
  write_file(path_ / name, text);
}

std::string TempRepo::read(const fs::path& name) const {
  std::ifstream file(path_ / name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << "cannot read " << name;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

bool TempRepo::exists(const fs::path& name) const {
  return fs::exists(fs::symlink_status(path_ / name));
}

std::string TempRepo::commit(const std::string& message) {
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", message});
  ++commits_;
  return git({"rev-parse", "HEAD"});
}

}  // namespace gitplan::test
