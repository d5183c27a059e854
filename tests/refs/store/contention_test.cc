// Many writers on one plan, as real processes, beside git itself.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/refs/store/plan_fixture.h"

namespace gitplan::test {
namespace {

class Contention : public PlanFixture {
 protected:
  // Runs `work` in a child whose standard error is a file; the test fails where it fails or writes
  // there.
  template <typename Work>
  void start(Work work) {
    const std::string log = repo.root() / ("stderr-" + std::to_string(children_.size()));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2(fd, STDERR_FILENO);
      int status = 1;
      try {
        status = work();
      } catch (const std::exception& fault) {
        dprintf(STDERR_FILENO, "%s\n", fault.what());
      }
      _exit(status);
    }
    children_.emplace_back(child, log);
  }

  void wait_all() {
    for (const auto& [child, log] : children_) {
      int status = 0;
      waitpid(child, &status, 0);
      std::ifstream file(log);
      const std::string text{std::istreambuf_iterator<char>(file),
                             std::istreambuf_iterator<char>()};
      EXPECT_EQ(status, 0) << text;
      EXPECT_EQ(text, "");
    }
    children_.clear();
  }

  // A loop of `git pack-refs --all` until the file `stop` appears.
  void start_packing() {
    const std::string script = "while ! test -e ../stop; do git pack-refs --all || exit 1; done";
    start([this, script] {
      return repo.run({"sh", "-c", script}, {.timeout = std::chrono::minutes(5)}).exit_status;
    });
  }

 private:
  std::vector<std::pair<pid_t, std::string>> children_;
};

TEST_F(Contention, EightWritersOnOnePlanBesidePackRefs) {
  const bool all = std::getenv("GITPLAN_LONG") != nullptr;
  const int kWriters = 8, kEach = all ? 150 : 25;
  create("p");
  opened.reset();
  start_packing();
  const pid_t packer_slot = getpid();
  std::vector<pid_t> writers;
  for (int w = 0; w < kWriters; ++w) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const std::string log = repo.root() / ("writer-" + std::to_string(w));
      const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2(fd, STDERR_FILENO);
      try {
        for (int i = 0; i < kEach; ++i) {
          Opened mine(repo.path());  // a new process's view each time
          good(mine.store.change("p", [&](const PlanView&) -> Result<Store::Change> {
            return note(std::to_string(w) + "." + std::to_string(i));
          }));
        }
      } catch (const std::exception& fault) {
        dprintf(STDERR_FILENO, "%s\n", fault.what());
        _exit(1);
      }
      _exit(0);
    }
    writers.push_back(child);
  }
  ASSERT_EQ(packer_slot, getpid());
  for (std::size_t w = 0; w < writers.size(); ++w) {
    int status = 0;
    waitpid(writers[w], &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(repo.read("../writer-" + std::to_string(w)), "");
  }
  repo.write("../stop", "");
  wait_all();
  reopen();
  const auto expected = static_cast<std::size_t>(kWriters * kEach) + 1;
  EXPECT_EQ(good(store().journal("p")).size(), expected);
  EXPECT_EQ(good(store().load("p")).ledger.events, expected);
  EXPECT_TRUE(good(store().load("p")).ledger.misfits.empty());
  EXPECT_EQ(repo.git({"rev-list", "--count", "refs/plans/p"}), std::to_string(expected));
  EXPECT_EQ(repo.git({"fsck", "--strict", "--connectivity-only"}), "");
  const auto faults = good(store().fsck());
  for (const Diagnostic& fault : faults) ADD_FAILURE() << to_string(fault);
}

TEST_F(Contention, EightWritersOnEightPlansBesidePackRefs) {
  constexpr int kWriters = 8, kEach = 10;
  for (int w = 0; w < kWriters; ++w) create("p" + std::to_string(w));
  opened.reset();
  start_packing();
  std::vector<pid_t> writers;
  for (int w = 0; w < kWriters; ++w) {
    const pid_t child = fork();
    if (child == 0) {
      int status = 0;
      try {
        Opened mine(repo.path());
        for (int i = 0; i < kEach; ++i)
          good(mine.store.change(
              "p" + std::to_string(w),
              [](const PlanView&) -> Result<Store::Change> { return note("x"); }));
      } catch (const std::exception& fault) {
        dprintf(STDERR_FILENO, "%s\n", fault.what());
        status = 1;
      }
      _exit(status);
    }
    writers.push_back(child);
  }
  for (const pid_t writer : writers) {
    int status = 0;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  repo.write("../stop", "");
  wait_all();
  reopen();
  for (int w = 0; w < kWriters; ++w)
    EXPECT_EQ(good(store().load("p" + std::to_string(w))).ledger.remarks.size(),
              static_cast<std::size_t>(kEach));
}

TEST_F(Contention, AWriterThatIsKilledHoldsNobodyUp) {
  const PlanView created = create("p");
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      Opened mine(repo.path());
      for (;;)
        (void)mine.store.change("p",
                                [](const PlanView&) -> Result<Store::Change> { return note("x"); });
    }
    usleep(30000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    // A lock of libgit2's is a file and stays; the user, or `git`, has to remove that.
    std::filesystem::remove(repo.path() / ".git/refs/plans/p.lock");
    reopen();
    (void)say("p", "after");
  }
  EXPECT_TRUE(good(store().fsck()).empty());
  EXPECT_FALSE(repo.exists(wal(created)));
}

TEST_F(Contention, ALockThatWasLeftIsNamed) {
  create("p");
  const std::string lock = ".git/refs/plans/p.lock";
  repo.write(lock, "");
  repo.run({"touch", "-d", "2 hours ago", lock});
  const auto result =
      store().change("p", [](const PlanView&) -> Result<Store::Change> { return note("x"); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kBusy);
  EXPECT_EQ(result.error().message,
            "cannot move refs/plans/p: " + (repo.path() / lock).string() + " is held");
  std::filesystem::remove(repo.path() / lock);
  EXPECT_EQ(say("p", "y").ledger.remarks, std::vector<std::string>{"y"});
}

}  // namespace
}  // namespace gitplan::test
