// compose_plan() and default_body() of plan_edit.h: plan files that are made, not edited.
#include "core/plan/plan_edit.h"
#include "core/plan/yaml_write.h"

namespace gitplan {

std::string compose_plan(std::string_view title, const std::vector<std::string>& tags,
                         std::string_view body) {
  std::string text = "---\ntitle: " + write_text(title) + "\n";
  if (!tags.empty()) text += "tags: " + write_list(tags) + "\n";
  text += "---\n";
  if (!body.empty() && body.front() != '\n') text += '\n';
  text += body;
  if (text.back() != '\n') text += '\n';
  return text;
}

// The notes are comments: they guide the writer, and count neither as text nor as references.
std::string default_body(std::string_view title) {
  return "# " + std::string(title) + R"(

## Context
<!-- Why this change, what led to it, what will be better after it. -->

## Approach
<!-- The way that was chosen. -->

## Scope
<!-- What belongs to it, and what does not. -->

## Changes
<!-- One line a file:
- [modify] path/to/file - what changes, and why
- [create] path/to/file - what it is for
- [delete] path/to/file - why it goes
-->

## Risks
<!-- What could go wrong, where to look closely. -->

## Reuse
<!-- What exists and is to be used, with its path. -->

## Verification
<!-- How to see that it works: commands, checks by hand. -->
)";
}

}  // namespace gitplan
