// What became of a plan's references since they were noted.
//
// `git plan check` shows it, `create` and `execute` warn or ask by it. What a wave of the plan's
// own changed is noted by that wave's commit, as far as the target has it; the rest by the snapshot
// in the ledger. Nothing is written, and nothing of this is on disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/plan/mentions.h"
#include "refs/history/trace.h"
#include "refs/store/store.h"
#include "refs/wave/find_rewritten.h"

namespace gitplan {

enum class Staleness {
  kFresh,
  kContent,  // there, and much of it has changed; or its lines are elsewhere in the file
  kRenamed,
  kDeleted,
  kExists,  // a `[create]` that is there, and not by the plan's own work
};
std::string_view name(Staleness state);  // "fresh", "content", "renamed", "deleted", "exists"

struct CheckedReference {
  Mention mention;
  Staleness state = Staleness::kFresh;
  Traced now;
  // What the plan should say in its place, with lines; empty: not known.
  std::string suggestion;
  bool certain = false;  // of the suggestion
  bool stale() const { return state != Staleness::kFresh; }
};

struct CheckedReferences {
  std::vector<CheckedReference>
      all;  // in the order of the text, without those of tasks that are over
  std::vector<std::string> unseen;  // as of trace(): what could not be seen
  // Waves of the plan that are other commits there, and nobody has recorded it.
  std::vector<RewrittenWave> rewritten;
};

// `threshold`: from how many percent of changed lines on content is stale (plan.contentThreshold).
Result<CheckedReferences> check_references(const Repository& repository, const PlanView& view,
                                           const TraceTarget& target, int threshold);

// "src/a.c:12-40"
std::string with_lines(std::string_view path, int first_line, int last_line);

}  // namespace gitplan
