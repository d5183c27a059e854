#include "hooks/rewritten.h"

#include <algorithm>
#include <map>

#include "core/ledger/fold.h"

namespace gitplan {

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
    std::vector<EventBody> bodies;
    for (const WatchedWave& wave : plan.waves)
      if (const auto to = now.find(wave.commit); to != now.end() && to->second != wave.commit)
        bodies.push_back(WaveRewritten{wave.run, wave.number, wave.commit, to->second});
    if (bodies.empty()) continue;
    int fitting = 0;
    const auto changed = store.change(plan.id, [&](const PlanView& view) -> Result<Store::Change> {
      Store::Change change;
      for (EventBody& body : bodies)
        if (misfit(view.ledger, body).empty()) change.bodies.push_back(std::move(body));
      fitting = static_cast<int>(change.bodies.size());
      return change;
    });
    if (changed) recorded += fitting;
  }
  return recorded;
}

}  // namespace gitplan
