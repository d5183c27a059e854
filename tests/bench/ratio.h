// Speed as ratios: ours against a yardstick, measured in turn in one run, medians compared.
//
// `./dev bench` runs every section; a word on the command line picks those whose name contains it.
// A figure above what is to be reached is marked, never a failure: machines differ, ratios are to
// be read.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan::bench {

struct Ratio {
  std::string what;
  std::string against;
  double reach = 0;  // ours / yardstick that is aimed at; 0: only told
};

// Runs both in turn (ours, yardstick, ours …), `rounds` counted times after one that is not, and
// prints the row.
void compare(const Ratio& ratio, int rounds, const std::function<void()>& ours,
             const std::function<void()>& yardstick);

// The same where what counts is how much longer ours takes; `reach` in milliseconds.
void compare_more(const Ratio& ratio, int rounds, const std::function<void()>& ours,
                  const std::function<void()>& yardstick);

// Milliseconds that one call takes.
double milliseconds(const std::function<void()>& work);
double median(std::vector<double> values);
void print_row(const Ratio& ratio, double ours_ms, double yardstick_ms);

// Spawns a program, standard output and error to /dev/null; ends the bench where it fails.
void spawn(const std::vector<std::string>& argv, const std::string& directory,
           const std::vector<std::string>& environment);

struct Section {
  std::string_view name;
  void (*run)();
};
const std::vector<Section>& sections();

void bench_listing();
void bench_large_plan();
void bench_durable_change();
void bench_ledger_codec();
void bench_forks();
void bench_integration();
void bench_execution();
void bench_check();
void bench_hooks();

}  // namespace gitplan::bench
