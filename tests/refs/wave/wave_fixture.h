// Tasks with commits, and what came of integrating them: for the tests of refs/wave.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "refs/git/small_file.h"
#include "refs/store/local_file.h"
#include "refs/wave/integrate.h"
#include "refs/wave/wave_commit.h"
#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {

using Files = std::map<std::string, std::string>;

class WaveFixture : public ForkFixture {
 protected:
  void start(const Files& files) {
    for (const auto& [name, text] : files) repo_.write(name, text);
    base_ = repo_.commit("Base");
    open();
    must(replace_file(plan_dir() + "/id", std::string(kPlan) + "\n", true));
    tree_ = must(forks_->integration_tree(plan_dir(), base_));
  }

  // A commit of these files on `parent`, made without touching a work tree. An empty name removes
  // nothing; a file with the text kGone is removed.
  std::string commit_on(const std::string& parent, const Files& files,
                        const std::string& message = "Work") {
    const std::string index = (repo_.root() / "index").string();
    const RunOptions with{.env = {{"GIT_INDEX_FILE", index}}};
    repo_.git({"read-tree", parent}, with);
    for (const auto& [name, text] : files) {
      if (text == kGone) {
        repo_.git({"update-index", "--force-remove", name}, with);
        continue;
      }
      RunOptions blob;
      blob.stdin_text = text;
      const std::string id = repo_.git({"hash-object", "-w", "--stdin"}, blob);
      repo_.git({"update-index", "--add", "--replace", "--cacheinfo", "100644," + id + "," + name},
                with);
    }
    const std::string tree = repo_.git({"write-tree"}, with);
    return repo_.git({"commit-tree", tree, "-p", parent, "-m", message});
  }

  Integrate::Part part(const std::string& task, const Files& files, const std::string& base = {}) {
    Integrate::Part result;
    result.task = task;
    result.base = base.empty() ? base_ : base;
    result.commit = commit_on(result.base, files);
    return result;
  }

  Merged merge(const std::vector<Integrate::Part>& parts, const std::string& base = {}) {
    Integrate effect;
    effect.wave = 1;
    effect.base = base.empty() ? base_ : base;
    effect.parts = parts;
    return must(integrate(*repository_, effect, tree_));
  }

  // A wave's commit on `parent`, with its trailers.
  std::string wave_on(const std::string& parent, const Files& files,
                      const std::vector<std::string>& tasks) {
    std::string message = "Wave\n\nPlan: x\nWave: 001\n";
    for (const std::string& task : tasks) message += "Task: " + task + "\n";
    return commit_on(parent, files, message);
  }

  std::string file_in(const std::string& tree, const std::string& path) const {
    return repo_.git({"cat-file", "blob", tree + ":" + path});
  }

  static std::string text_of(const std::vector<Side>& sides) {
    std::string result;
    for (const Side& side : sides) {
      result += (result.empty() ? "" : "; ") + side.who + (side.deleted ? " deletes" : "");
      for (const LineRange& range : side.lines)
        result += " " + std::to_string(range.first) + "-" + std::to_string(range.last);
    }
    return result;
  }
  static std::vector<std::string> text_of(const std::vector<Conflict>& conflicts) {
    std::vector<std::string> result;
    for (const Conflict& one : conflicts)
      result.push_back(one.path + " " + one.kind + ": " + text_of(one.sides));
    return result;
  }

  // "1\n2\n…" with some lines replaced.
  static std::string lines(int count, const std::map<int, std::string>& changed = {}) {
    std::string result;
    for (int i = 1; i <= count; ++i) {
      const auto found = changed.find(i);
      result += (found == changed.end() ? std::to_string(i) : found->second) + "\n";
    }
    return result;
  }

  static constexpr const char* kGone = "\x01gone";
  std::string base_, tree_;
};

}  // namespace gitplan::test
