#include "refs/git/git_processes.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

class GitProcesses : public ForkFixture {
 protected:
  ~GitProcesses() override {
    for (const pid_t pid : started_) {
      kill(-pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }
  // Starts it in the background and waits until it is seen, or has had the time to be.
  void start(const std::string& directory, const std::string& line) {
    const pid_t pid = fork();
    if (pid == 0) {
      setpgid(0, 0);
      if (chdir(directory.c_str()) != 0) _exit(126);
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    started_.push_back(pid);
    for (int i = 0; i < 500 && !std::filesystem::exists(repo_.root() / "ready"); ++i) usleep(10000);
    std::filesystem::remove(repo_.root() / "ready");
  }
  std::string editor() const {
    return "GIT_EDITOR='touch " + (repo_.root() / "ready").string() + "; sleep 60 #' ";
  }
  std::vector<std::string> commands() const {
    std::vector<std::string> result;
    for (const GitProcess& one : git_processes_in(repo_.path().string()))
      result.push_back(one.command);
    return result;
  }
  std::vector<pid_t> started_;
};

TEST_F(GitProcesses, AnEditorOpenInCommitIsSeen) {
  EXPECT_TRUE(commands().empty());
  repo_.write("sub/a.txt", "a\n");
  repo_.git({"add", "."});
  start((repo_.path() / "sub").string(), editor() + "git -c user.name=x commit");
  EXPECT_EQ(commands(), std::vector<std::string>{"commit"});
}

TEST_F(GitProcesses, ReadersAndOtherRepositoriesAreNot) {
  repo_.write("a.txt", "a\n");
  repo_.commit("One");
  repo_.git({"init", "-q", "inner"});
  start((repo_.path() / "inner").string(), editor() + "git commit --allow-empty");
  // It has answered, so it is at work; then it waits for more to read.
  start(repo_.path().string(),
        "{ echo HEAD; sleep 60; } | git cat-file --batch-check | { read -r line; touch " +
            (repo_.root() / "ready").string() + "; sleep 60; }");
  EXPECT_EQ(commands(), std::vector<std::string>{});
}

TEST_F(GitProcesses, AnOpenFileIsFound) {
  const std::string file = (repo_.path() / "file").string();
  std::ofstream stream(file);
  EXPECT_TRUE(is_open_somewhere(file));
  stream.close();
  EXPECT_FALSE(is_open_somewhere(file));
  EXPECT_FALSE(is_open_somewhere(file + ".not"));
}

}  // namespace
}  // namespace gitplan::test
