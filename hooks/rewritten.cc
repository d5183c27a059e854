#include "hooks/rewritten.h"

#include <algorithm>
#include <map>

#include "core/ledger/ledger.h"

namespace gitplan {

namespace {

// Git may tell twice, by a hook of ours and by one that calls ours.
bool is_news(const Ledger& ledger, const WaveRewritten& rewritten) {
  return std::any_of(ledger.tasks.begin(), ledger.tasks.end(), [&](const auto& task) {
    return task.second.stands_in(rewritten.from) && !task.second.stands_in(rewritten.to);
  });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> rewritten_commits(std::string_view input) {
  std::vector<std::pair<std::string, std::string>> commits;
  while (!input.empty()) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
    const std::size_t first = line.find(' ');
    if (first == std::string_view::npos) continue;
    const std::string_view rest = line.substr(first + 1);
    commits.emplace_back(line.substr(0, first), rest.substr(0, rest.find(' ')));
  }
  return commits;
}

Result<int> record_rewritten(Store& store, const Watch& watch,
                             const std::vector<std::pair<std::string, std::string>>& commits) {
  const std::map<std::string, std::string> now(commits.begin(), commits.end());
  int recorded = 0;
  for (const WatchedPlan& plan : watch.plans) {
    std::vector<WaveRewritten> rewritten;
    for (const WatchedWave& wave : plan.waves)
      if (const auto to = now.find(wave.commit); to != now.end() && to->second != wave.commit)
        rewritten.push_back({wave.run, wave.number, wave.commit, to->second});
    if (rewritten.empty()) continue;
    int fitting = 0;
    const auto changed = store.change(plan.id, [&](const PlanView& view) -> Result<Store::Change> {
      Store::Change change;
      for (const WaveRewritten& each : rewritten)
        if (is_news(view.ledger, each)) change.bodies.emplace_back(each);
      fitting = static_cast<int>(change.bodies.size());
      return change;
    });
    if (changed) recorded += fitting;
  }
  return recorded;
}

}  // namespace gitplan
