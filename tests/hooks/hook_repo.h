// A repository with a plan and our hooks, and what git and they said to one command.
//
// main has src/a.txt ("1"), src/b.txt (1 to 50) and docs/c.txt; the plan "x" refers to all of src,
// and to docs/c.txt by its task 'parser'.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/support/temp_repo.h"

namespace gitplan::test {

class HookRepo : public TempRepo {
 public:
  explicit HookRepo(bool installed = true);

  // Git's exit status and the lines that begin with "git plan:" or follow such a one, indented.
  struct Said {
    int status = 0;
    std::string ours;  // only what our hooks said
    std::string all;   // output and errors
  };
  Said say(const Words& words, const RunOptions& options = {}) const;
  Said say_git(const Words& words, const RunOptions& options = {}) const;  // `git` in front

  // An executable script; absolute, or below the repository.
  void script(const std::filesystem::path& name, const std::string& text) const;
  // Every entry of a folder but samples: "mode bytes", or where a link leads to.
  std::map<std::string, std::string> listing(const std::filesystem::path& folder) const;
  std::filesystem::path hooks() const { return path() / ".git/hooks"; }
  void make_plan(const std::string& id = "x") const;
};

}  // namespace gitplan::test
