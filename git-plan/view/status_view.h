// A plan's status for people and as JSON (the shape in git-plan-status(1) only ever gains keys).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "git-plan/command/context.h"
#include "git-plan/view/plan_facts.h"

namespace gitplan {

struct StatusOptions {
  std::string task;  // only this one; empty: all
};

// Header, tasks, waves and open decisions.
std::string status_text(const Output& out, const PlanView& view, const PlanFacts& facts,
                        const StatusOptions& options, Millis now);
// What goes on, for a window: header, tasks that run, stopped or are ready, total.
std::vector<std::string> watch_lines(const Output& out, const PlanView& view,
                                     const PlanFacts& facts, Millis now);
// One document, without a newline. `output_of_task`: the text that the one task of `options` left.
std::string status_json(const PlanView& view, const PlanFacts& facts, const StatusOptions& options,
                        std::string_view output_of_task);

struct PlanRow {
  Summary summary;
  bool stale = false;
  std::optional<RunHolder> holder;
  std::size_t decisions = 0;
  std::string waiting;  // what its run waits for outside; empty: nothing
};
std::string overview_text(const Output& out, const std::vector<PlanRow>& rows, Millis now);
std::string overview_json(const std::vector<PlanRow>& rows);

}  // namespace gitplan
