// Starts git-plan-attempt on a directory of its own and reads what it leaves.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gitplan::test {

class ShimTest : public ::testing::Test {
 protected:
  ShimTest();
  ~ShimTest() override;

  // Fields of `spec` beside command, directory and PATH.
  using Fields = std::vector<std::pair<std::string, std::string>>;

  // Writes the spec and starts the shim; it runs in the background.
  void start(const std::string& command, const Fields& more = {});
  // Waits for its end; the shim's own exit status.
  int wait();
  int run(const std::string& command, const Fields& more = {});

  std::string file(const std::string& name) const;  // of the attempt's directory; empty: not there
  bool has(const std::string& name) const;
  std::string log() const { return file("log"); }
  // From exit.json.
  std::int64_t exit_number(const std::string& key) const;
  std::string stopped_by() const;

  // Gives up after four minutes, so that a fault fails instead of hanging.
  void until(const std::function<bool()>& condition) const;
  bool lock_is_held() const;
  static bool alive(pid_t pid);

  std::filesystem::path root_;     // the directory that commands run in
  std::filesystem::path attempt_;  // root_/attempt
  pid_t shim_ = 0;
};

}  // namespace gitplan::test
