#include "refs/fork/slots.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/refs/fork/fork_fixture.h"
#include "tests/support/pinned_environment.h"

namespace gitplan::test {
namespace {

class Slots : public ::testing::Test {
 protected:
  Slots() : folder_(make_temporary_directory()) {}
  ~Slots() override { remove_tree(folder_); }
  std::optional<Slot> take(int limit) { return must(Slot::take(folder_.string(), limit)); }
  std::filesystem::path folder_;
};

TEST_F(Slots, TheLowestFreeOneIsTaken) {
  auto first = take(2), second = take(2);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->number(), 0);
  EXPECT_EQ(second->number(), 1);
  EXPECT_FALSE(take(2));
  EXPECT_EQ(take(3)->number(), 2);
  first.reset();
  EXPECT_EQ(take(2)->number(), 0);
}

TEST_F(Slots, StaysTakenWhileAChildHoldsTheDescriptor) {
  auto slot = take(1);
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  const pid_t child = fork();
  if (child == 0) {  // the shim, whose parent is killed
    char byte;
    close(gate[1]);
    while (read(gate[0], &byte, 1) > 0) {
    }
    _exit(0);
  }
  close(gate[0]);
  slot.reset();
  EXPECT_FALSE(take(1)) << "the child still holds it";
  close(gate[1]);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(take(1));
}

TEST_F(Slots, TheDescriptorIsNotInheritedByAccident) {
  const auto slot = take(1);
  EXPECT_NE(fcntl(slot->fd(), F_GETFD) & FD_CLOEXEC, 0);
}

}  // namespace
}  // namespace gitplan::test
