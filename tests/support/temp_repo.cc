#include "tests/support/temp_repo.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/pinned_environment.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

// Before main, so that libgit2 never sees the caller's home.
const bool kPinned = (pin_environment(), true);

}  // namespace

TempRepo::TempRepo(const Words& init) : root_(make_temporary_directory()), path_(root_ / "repo") {
  make_home(root_ / "home");
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
    if (equals != std::string_view::npos)
      env.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  env["HOME"] = root_ / "home";
  env["GIT_CONFIG_GLOBAL"] = root_ / "home/.gitconfig";
  env["GIT_CEILING_DIRECTORIES"] = root_;
  env["GIT_AUTHOR_DATE"] = env["GIT_COMMITTER_DATE"] = pinned_date(commits_);
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
