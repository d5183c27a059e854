// A real repository for one test: made by git in a temporary directory and removed at the end.
//
// Identity, dates, locale, time zone, home and configuration are pinned, and nothing of the
// caller's GIT_* or CI environment comes through, so object ids and messages are the same on every
// machine.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/process.h"

namespace gitplan::test {

using Words = std::vector<std::string>;

struct RunOptions {
  std::filesystem::path cwd;  // relative to the repository; empty is its top
  std::map<std::string, std::optional<std::string>> env;  // set, or without a value: unset
  std::string stdin_text;
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
};

class TempRepo {
 public:
  // `init` is what comes after `git init -q -b main`, for example {"--bare"}. Nothing is committed.
  explicit TempRepo(const Words& init = {});
  ~TempRepo();
  TempRepo(const TempRepo&) = delete;
  TempRepo& operator=(const TempRepo&) = delete;

  const std::filesystem::path& path() const { return path_; }  // the repository
  const std::filesystem::path& root() const { return root_; }  // around it: home/, repo/, and yours

  ProcessResult run(const Words& argv, const RunOptions& options = {}) const;

  // `git plan <words>` with the program of this build.
  ProcessResult plan(const Words& words, const RunOptions& options = {}) const;

  // Runs git, fails the test where git fails, and returns its output without the last newline.
  std::string git(const Words& words, const RunOptions& options = {}) const;

  // Names are relative to the repository; folders on the way are made.
  void write(const std::filesystem::path& name, std::string_view text) const;
  std::string read(const std::filesystem::path& name) const;
  bool exists(const std::filesystem::path& name) const;

  // Commits everything in the work tree (an empty commit where nothing changed); returns its id.
  // Each commit is a minute after the one before.
  std::string commit(const std::string& message);

  // The environment that run() gives, as "NAME=value".
  std::vector<std::string> environment(const RunOptions& options = {}) const;

 private:
  std::filesystem::path root_;
  std::filesystem::path path_;
  int commits_ = 0;
};

}  // namespace gitplan::test
