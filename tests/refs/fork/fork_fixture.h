// A repository with forks: what the tests of refs/fork and refs/wave start from.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "refs/fork/forks.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}
inline void must(const Status& status) {
  if (!status) throw std::runtime_error(status.error().message);
}

class ForkFixture : public ::testing::Test {
 protected:
  explicit ForkFixture(const Words& init = {}) : repo_(init) {}

  // After the first commit; `settings` as read by git then.
  void open(const std::string& directory = {}) {
    repository_ = std::make_unique<Repository>(
        must(Repository::open_at(directory.empty() ? repo_.path().string() : directory)));
    settings_ = std::make_unique<Settings>(must(Settings::read(*repository_)));
    forks_ = std::make_unique<Forks>(*repository_, *settings_, kActor);
  }

  ForkSpec spec(const std::string& task, const std::string& base,
                const std::string& attempt = "0123456789ab.1") const {
    ForkSpec result;
    result.plan = kPlan;
    result.identity = "feedfeedfeedfeed";
    result.task = task;
    result.attempt = attempt;
    result.base = base;
    result.branch = "refs/heads/plan/" + std::string(kPlan) + "/" + task;
    result.attempt_dir = plan_dir() + "/attempts/" + task + "/" + attempt;
    return result;
  }

  std::string plan_dir() const { return repository_->local_dir() + "/plans/feedfeedfeedfeed"; }

  // git in a tree of ours
  std::string git_in(const std::string& tree, const Words& words) const {
    Words all{"-C", tree};
    all.insert(all.end(), words.begin(), words.end());
    return repo_.git(all);
  }

  void write_in(const std::string& tree, const std::string& name, const std::string& text) const {
    repo_.write(std::filesystem::path(tree) / name, text);
  }

  // A task's work, from fork to collected commit.
  Work work(const ForkSpec& spec, const std::map<std::string, std::string>& files) {
    const std::string tree = must(forks_->ensure(spec));
    for (const auto& [name, text] : files) write_in(tree, name, text);
    return must(forks_->collect(spec, "Work of " + spec.task));
  }

  // An executable file below the repository, such as .git/hooks/pre-commit.
  void script(const std::string& name, const std::string& text) const {
    repo_.write(name, "#!/bin/sh\n" + text);
    std::filesystem::permissions(repo_.path() / name, std::filesystem::perms::owner_all);
  }

  static constexpr const char* kPlan = "2026-03-03-demo";
  static constexpr const char* kActor = "0123456789ab";
  TempRepo repo_;
  std::unique_ptr<Repository> repository_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<Forks> forks_;
};

}  // namespace gitplan::test
