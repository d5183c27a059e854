#include "refs/store/write_ahead.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/journal/event_codec.h"
#include "tests/support/pinned_environment.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

Event event(int clock) {
  return stamp(Remark{"", "number " + std::to_string(clock)}, "0123456789ab", "",
               static_cast<std::uint64_t>(clock), 1000);
}

class WriteAheadTest : public ::testing::Test {
 protected:
  ~WriteAheadTest() override { remove_tree(root); }

  WriteAhead file() const { return WriteAhead(root, "0011223344556677"); }
  static Status add(WriteAhead& to, int clock) {
    return to.append(
        [clock](const std::vector<Event>&) -> Result<std::vector<Event>> {
          return std::vector<Event>{event(clock)};
        },
        true);
  }
  static std::vector<std::uint64_t> clocks(const WriteAhead& of) {
    std::vector<std::uint64_t> result;
    const auto events = of.read();
    EXPECT_TRUE(events.ok());
    for (const Event& one : *events) result.push_back(one.clock);
    return result;
  }
  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(file().path()).rdbuf();
    return std::move(all).str();
  }

  using Clocks = std::vector<std::uint64_t>;
  fs::path root = make_temporary_directory();
};

TEST_F(WriteAheadTest, HoldsWhatWasAppended) {
  WriteAhead one = file();
  EXPECT_TRUE(one.empty());
  EXPECT_EQ(clocks(one), Clocks{});
  ASSERT_TRUE(add(one, 1).ok());
  ASSERT_TRUE(add(one, 2).ok());
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(clocks(one), (Clocks{1, 2}));
  EXPECT_EQ(clocks(file()), (Clocks{1, 2}));
}

TEST_F(WriteAheadTest, MakeSeesWhatIsThere) {
  WriteAhead one = file(), other = file();
  ASSERT_TRUE(add(one, 1).ok());
  std::size_t seen = 0;
  ASSERT_TRUE(other
                  .append(
                      [&](const std::vector<Event>& there) -> Result<std::vector<Event>> {
                        seen = there.size();
                        return std::vector<Event>{};
                      },
                      true)
                  .ok());
  EXPECT_EQ(seen, 1u);
}

TEST_F(WriteAheadTest, ARefusalLeavesNothing) {
  WriteAhead one = file();
  const auto refuse = [](const std::vector<Event>&) -> Result<std::vector<Event>> {
    return failed("no");
  };
  EXPECT_EQ(one.append(refuse, true).error().message, "no");
  EXPECT_FALSE(fs::exists(one.path()));
}

TEST_F(WriteAheadTest, DrainTakesAllAndTheFileGoes) {
  WriteAhead one = file(), other = file();
  ASSERT_TRUE(add(one, 1).ok());
  EXPECT_EQ(clocks(other), Clocks{1});
  std::size_t taken = 0;
  ASSERT_TRUE(one.drain([&](const std::vector<Event>& records) {
                   taken = records.size();
                   return Status();
                 })
                  .ok());
  EXPECT_EQ(taken, 1u);
  EXPECT_FALSE(fs::exists(one.path()));
  // The other one held the file open that has gone.
  EXPECT_EQ(clocks(other), Clocks{});
  ASSERT_TRUE(add(other, 2).ok());
  EXPECT_EQ(clocks(one), Clocks{2});
}

TEST_F(WriteAheadTest, AFailedDrainKeepsTheFile) {
  WriteAhead one = file();
  ASSERT_TRUE(add(one, 1).ok());
  EXPECT_FALSE(one.drain([](const std::vector<Event>&) -> Status { return failed("x"); }).ok());
  EXPECT_EQ(clocks(file()), Clocks{1});
}

TEST_F(WriteAheadTest, ATornRecordIsPassedOverAndThenCutOff) {
  WriteAhead one = file();
  ASSERT_TRUE(add(one, 1).ok());
  const std::string whole = text();
  for (const std::string& torn : {std::string("0123"), whole.substr(0, whole.size() - 1),
                                  std::string("0000000000000000 {}\n"), std::string(100, '\0')}) {
    std::ofstream(one.path(), std::ios::app) << torn;
    EXPECT_EQ(clocks(file()), Clocks{1});
    EXPECT_EQ(clocks(one), Clocks{1});
    WriteAhead writer = file();
    ASSERT_TRUE(add(writer, 2).ok());
    EXPECT_EQ(clocks(one), (Clocks{1, 2}));
    EXPECT_EQ(clocks(file()), (Clocks{1, 2}));
    EXPECT_FALSE(writer.damaged());
    std::ofstream(one.path(), std::ios::trunc) << whole;
    EXPECT_EQ(clocks(one), Clocks{1});
  }
}

TEST_F(WriteAheadTest, DamageInTheMiddleIsKept) {
  WriteAhead one = file();
  for (const int clock : {1, 2, 3}) ASSERT_TRUE(add(one, clock).ok());
  std::string broken = text();
  broken[broken.find("number 2")] = 'N';
  std::ofstream(one.path(), std::ios::trunc) << broken;
  WriteAhead reader = file();
  EXPECT_EQ(clocks(reader), (Clocks{1, 3}));
  EXPECT_TRUE(reader.damaged());
  ASSERT_TRUE(reader.drain([](const std::vector<Event>&) { return Status(); }).ok());
  EXPECT_FALSE(fs::exists(reader.path()));
  EXPECT_TRUE(fs::exists(reader.path() + ".damaged"));
}

TEST_F(WriteAheadTest, ManyProcessesLoseNothing) {
  constexpr int kProcesses = 8, kEach = 50;
  for (int i = 0; i < kProcesses; ++i)
    if (fork() == 0) {
      WriteAhead mine = file();
      for (int n = 0; n < kEach; ++n)
        if (!add(mine, i * kEach + n + 1).ok()) _exit(1);
      _exit(0);
    }
  for (int i = 0; i < kProcesses; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(clocks(file()).size(), static_cast<std::size_t>(kProcesses * kEach));
}

TEST_F(WriteAheadTest, AFullDiskIsAnErrorThatLeavesWhatWasThere) {
  WriteAhead one = file();
  ASSERT_TRUE(add(one, 1).ok());
  const pid_t child = fork();
  if (child == 0) {  // a limit of the file's size is as good as a full disk
    signal(SIGXFSZ, SIG_IGN);
    const auto size = static_cast<rlim_t>(fs::file_size(one.path()) + 10);
    const rlimit limit{size, size};
    setrlimit(RLIMIT_FSIZE, &limit);
    WriteAhead mine = file();
    const Status status = add(mine, 2);
    const std::string wanted = "cannot write " + one.path() + ": File too large";
    _exit(!status.ok() && status.error().message == wanted ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(clocks(file()), Clocks{1});
  ASSERT_TRUE(add(one, 2).ok());
  EXPECT_EQ(clocks(file()), (Clocks{1, 2}));
}

TEST_F(WriteAheadTest, APlaceThatCannotBeWrittenIsNamed) {
  std::ofstream(root / "wal") << "a file where the folder would be";
  WriteAhead one = file();
  const Status status = add(one, 1);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "cannot write " + one.path() + ": Not a directory");
}

}  // namespace
}  // namespace gitplan::test
