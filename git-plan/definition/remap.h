// Stale references put right in the plan's text: `git plan check --fix`, and the answer `fix` to a
// decision about them.
//
// One change of the plan: the text with the new places, and what it refers to noted anew. What is
// not settled stays stale.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "git-plan/command/context.h"
#include "refs/snapshot/check.h"

namespace gitplan {

struct Place {
  std::string path;
  int first_line = 0, last_line = 0;  // 0: without lines
  int similarity = -1;                // percent; -1: not known
};
// Where an uncertain reference may mean now, best first.
std::vector<Place> candidates(const CheckedReference& reference);

struct Remapped {
  struct Change {
    int line = 0;  // in plan.md as it was
    std::string from, to;
  };
  std::vector<Change> changes;
  std::vector<std::string> noted_anew;  // paths whose new content is taken as what is meant
  // What was left, each with the reason: "its task is running".
  struct Left {
    CheckedReference reference;
    std::string why;
    bool uncertain = false;  // an answer would settle it
  };
  std::vector<Left> left;
};

// Asked about each reference whose place is uncertain. Nothing: it stays as it is. An error:
// nothing is written.
using ChoosePlace = std::function<Result<std::optional<Place>>(const CheckedReference&)>;

// `found`: of HEAD. kRefused where the plan was changed meanwhile.
Result<Remapped> remap(Context& context, const PlanView& view, const CheckedReferences& found,
                       const ChoosePlace& choose);

}  // namespace gitplan
