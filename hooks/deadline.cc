#include "hooks/deadline.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace gitplan {
namespace {

char words[128];  // made before the signal, in which nothing may be allocated

void give_up(int) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words, std::strlen(words));
  ::_exit(0);
}

void set_timer(std::chrono::milliseconds time) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(time.count() / 1000);
  timer.it_value.tv_usec = static_cast<suseconds_t>(time.count() % 1000 * 1000);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

Deadline::Deadline(std::chrono::milliseconds time) {
  std::snprintf(words, sizeof words,
                "git plan: this took longer than %g s and was given up; 'git plan check' takes its "
                "time\n",
                static_cast<double>(time.count()) / 1000);
  ::signal(SIGALRM, give_up);
  sigset_t alarm;  // whoever called may have held it back
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  set_timer(std::max(time, std::chrono::milliseconds(1)));  // 0 would be none
}

Deadline::~Deadline() { set_timer(std::chrono::milliseconds(0)); }

}  // namespace gitplan
