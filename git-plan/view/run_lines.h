// The lines that `execute` and `status --watch` draw while a run works: one a task, and the total.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ledger/ledger.h"
#include "core/plan/definition.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

// "  lexer   run      12 s  compiling src/lexer.cc"
std::string task_line(const Output& out, std::string_view task, int name_width,
                      std::string_view phase, Millis elapsed, std::string_view last_line);

// "4 of 6 tasks done, 1 skipped"
std::string done_text(const Plan& plan, const Ledger& ledger);

// "  3/6 tasks, 1 skipped, 2 running, 1 m 12 s, about 40 s left"
std::string total_line(const Output& out, const Plan& plan, const Ledger& ledger, int running,
                       Millis now);

// "  removing worktrees: 12 of 150": at the end of a run.
std::string cleaning_line(const Output& out, std::size_t done, std::size_t all);

// How long the rest takes if it goes on as it went: the mean time of a finished attempt, what is
// left, and how many ran at once. Nothing before the first attempt has finished.
std::optional<Millis> estimate(const Plan& plan, const Ledger& ledger, Millis now);

}  // namespace gitplan
