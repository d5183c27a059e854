#include "tests/bench/ratio.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace gitplan::bench {

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print_row(const Ratio& ratio, double ours_ms, double yardstick_ms) {
  const double factor = yardstick_ms > 0 ? ours_ms / yardstick_ms : 0;
  std::string reach = "-", mark;
  if (ratio.reach > 0) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f x", ratio.reach);
    reach = text;
    mark = factor <= ratio.reach ? "" : "  above";
  }
  std::printf("%-58s %10.2f ms %10.2f ms %8.2f x %9s%s\n%-58s\n", ratio.what.c_str(), ours_ms,
              yardstick_ms, factor, reach.c_str(), mark.c_str(),
              ("    against " + ratio.against).c_str());
  std::fflush(stdout);
}

namespace {

// Medians of both, in milliseconds.
std::pair<double, double> measure(int rounds, const std::function<void()>& ours,
                                  const std::function<void()>& yardstick) {
  std::vector<double> mine, other;
  for (int round = 0; round <= rounds; ++round) {
    const double a = milliseconds(ours), b = milliseconds(yardstick);
    if (round == 0) continue;
    mine.push_back(a);
    other.push_back(b);
  }
  return {median(mine), median(other)};
}

}  // namespace

void compare(const Ratio& ratio, int rounds, const std::function<void()>& ours,
             const std::function<void()>& yardstick) {
  const auto [mine, other] = measure(rounds, ours, yardstick);
  print_row(ratio, mine, other);
}

void compare_more(const Ratio& ratio, int rounds, const std::function<void()>& ours,
                  const std::function<void()>& yardstick) {
  const auto [mine, other] = measure(rounds, ours, yardstick);
  std::printf("%-58s %10.2f ms %10.2f ms %+7.2f ms %+6.0f ms%s\n%-58s\n", ratio.what.c_str(), mine,
              other, mine - other, ratio.reach, mine - other <= ratio.reach ? "" : "  above",
              ("    against " + ratio.against).c_str());
  std::fflush(stdout);
}

void spawn(const std::vector<std::string>& argv, const std::string& directory,
           const std::vector<std::string>& environment) {
  std::vector<char*> words, variables;
  for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  for (const auto& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
  words.push_back(nullptr);
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, words[0], &actions, nullptr, words.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed == 0) waitpid(child, &status, 0);
  if (failed != 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "bench: '%s' failed in %s\n", argv[0].c_str(), directory.c_str());
    for (const auto& word : argv) std::fprintf(stderr, "  %s\n", word.c_str());
    std::exit(1);
  }
}

}  // namespace gitplan::bench
