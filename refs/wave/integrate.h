// Integration: the branches of a batch merged onto the run's base, in object space.
//
// Carries out the effect Integrate. Every merge is `git merge-tree --write-tree` (attributes,
// drivers, renames as git has them), nobody's work tree is touched, and the same input gives the
// same tree. A branch that overlaps drops out, the others go on. Only the result's objects reach
// the repository (quarantine.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/engine/effect.h"
#include "core/engine/input.h"
#include "refs/git/repository.h"

namespace gitplan {

// `tree_dir`: a work tree standing at the base, for attributes. Lines of auto-merges and overlaps
// are those of the merged file and of the sides, found by diffing each side against the merge base.
// Merged::tree is empty where nothing changed.
Result<Merged> integrate(Repository& repository, const Integrate& effect,
                         const std::string& tree_dir);

// One merge for landing: `theirs` (the plan's tip) onto `ours` (the branch's tip). Tasks of the
// plan that changed the conflicting lines are named from the wave commits' trailers. `answers`: as
// LandAnswers::committed; where a conflict has none, all are told.
struct LandMerge {
  std::string tree;  // empty where there are conflicts
  std::vector<Conflict> conflicts;
};
Result<LandMerge> merge_for_landing(Repository& repository, std::string_view ours,
                                    std::string_view theirs,
                                    const std::map<std::string, std::string>& answers,
                                    const std::string& tree_dir, const WorkOfTasks& done);

}  // namespace gitplan
