#include <cstdio>
#include <string>

#include "tests/bench/ratio.h"

namespace gitplan::bench {

const std::vector<Section>& sections() {
  static const std::vector<Section> kSections{{"listing", bench_listing},
                                              {"large-plan", bench_large_plan},
                                              {"ledger-codec", bench_ledger_codec},
                                              {"durable-change", bench_durable_change},
                                              {"forks", bench_forks},
                                              {"integration", bench_integration},
                                              {"execution", bench_execution},
                                              {"check", bench_check},
                                              {"hooks", bench_hooks}};
  return kSections;
}

}  // namespace gitplan::bench

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  std::printf("%-58s %13s %13s %10s %9s\n", "what", "ours", "yardstick", "ratio", "to reach");
  for (const auto& section : gitplan::bench::sections())
    if (section.name.find(wanted) != std::string_view::npos) section.run();
}
