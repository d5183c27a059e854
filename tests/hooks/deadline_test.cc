// A hook's deadline: what is said, and that git goes on.
#include "hooks/deadline.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace gitplan::test {
namespace {

TEST(DeadlineDeathTest, IsSaidInOneLineAndIsNoFailure) {
  EXPECT_EXIT(
      {
        const Deadline deadline(std::chrono::milliseconds(1));
        for (;;) ::pause();
      },
      ::testing::ExitedWithCode(0),
      "^git plan: this took longer than 0.001 s and was given up; 'git plan check' takes its "
      "time\n$");
}

TEST(DeadlineDeathTest, IsNotHeldBackByWhoCalled) {
  EXPECT_EXIT(
      {
        sigset_t alarm;
        ::sigemptyset(&alarm);
        ::sigaddset(&alarm, SIGALRM);
        ::pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
        ::signal(SIGALRM, SIG_IGN);
        const Deadline deadline(std::chrono::milliseconds(0));
        for (;;) ::pause();
      },
      ::testing::ExitedWithCode(0), "given up");
}

TEST(DeadlineDeathTest, IsOverWithTheHook) {
  EXPECT_EXIT(
      {
        { const Deadline deadline(std::chrono::seconds(2)); }
        if (::alarm(0) == 0) ::_exit(3);  // no timer is set
      },
      ::testing::ExitedWithCode(3), "^$");
}

}  // namespace
}  // namespace gitplan::test
