// A repository with plans whose tasks run for real, and the words of a run made comparable.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/journal/event.h"
#include "refs/store/store.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {

class WorkRepo : public TempRepo {
 public:
  // main has src/a.txt with the lines "1" to "20".
  WorkRepo();

  // Makes the plan `id` from the lines below `tasks:`, all forked. `more`: further keys of
  // orchestration.
  void make_plan(const std::string& id, const std::string& tasks,
                 const std::string& more = "") const;

  // Events as a run would write them; stamped now.
  void append(const std::string& id, std::vector<EventBody> bodies) const;
  PlanView load(const std::string& id) const;

  // `git plan <words>`: "<status>\n<out><err>", scrubbed.
  std::string said(const Words& words, const RunOptions& options = {}) const;
};

// Ids, times and paths that differ from run to run become <run>, <attempt>, <id>, <decision>,
// <time>.
std::string scrubbed(std::string text);

}  // namespace gitplan::test
