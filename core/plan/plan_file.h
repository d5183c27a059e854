// Reads plan.md: YAML front matter and a Markdown body (core/plan/FORMAT.md).
//
// `create`, `edit`, `update` and the store call this. All faults of a text are found in one pass
// and reported together with line and column; a text with an error yields no plan. Pure: what needs
// the repository (other plans, paths of HEAD) is checked by the callers with what is here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/error.h"
#include "core/plan/definition.h"

namespace gitplan {

// The limits: refused beyond, before anything is allocated for it.
inline constexpr std::size_t kMaxPlanBytes = 4u << 20;
inline constexpr std::size_t kMaxTasks = 20000;
inline constexpr int kMaxDepth = 64;                   // of nested YAML
inline constexpr std::size_t kMaxAliases = 1000;       // expansions of YAML aliases
inline constexpr std::size_t kMaxYamlValues = 500000;  // keys, texts, lists and mappings together

struct ParsedPlan {
  Plan plan;
  std::vector<Diagnostic> warnings;  // unknown keys and the like
};

// `file` is the name that diagnostics carry. The error has code kInvalid and all the diagnostics.
Result<ParsedPlan> parse_plan(std::string_view text, std::string_view file = "plan.md");

// A key that a run cannot honour, with its place: `execute` refuses a plan that has any.
// Returned in file order; empty: the plan can run.
std::vector<Diagnostic> keys_not_executable(const Plan& plan, std::string_view file = "plan.md");

}  // namespace gitplan
