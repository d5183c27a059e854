// The coding agents that git plan knows: how each is started and how it says that it is done.
//
// Data alone. agent_command() (git-plan/executor) takes the command from here where the
// configuration has none, `doctor` looks whether the program is there, read_report()
// (core/agent/report.h) reads what it printed. All take the brief on standard input or as a file,
// never as an argument: arguments are bounded and every process of the machine can read them.
#pragma once

#include <span>
#include <string_view>

#include "core/agent/failure.h"

namespace gitplan {

// What an agent prints on standard output.
enum class Dialect {
  kText,      // for people
  kClaude,    // a line {"type":"result", …} at the end, other JSON lines before it
  kCodex,     // JSON lines; turn.completed or turn.failed at the end
  kGemini,    // JSON lines; {"type":"result","status":…} at the end
  kOpencode,  // JSON lines; step_finish with a reason, error
};

struct Preset {
  std::string_view name;         // as in plan.agent and in a task's `agent`
  std::string_view program;      // on PATH
  std::string_view command;      // for sh -c, unattended
  std::string_view interactive;  // for sh -c, on a terminal; the brief is $PLAN_BRIEF
  Dialect dialect = Dialect::kText;
  bool end_event = false;                        // exit status 0 says nothing without it
  std::span<const std::string_view> unset = {};  // variables that confuse it
  std::span<const FailurePattern> patterns = {};
};

std::span<const Preset> presets();                 // by name
const Preset* find_preset(std::string_view name);  // null: none of that name

}  // namespace gitplan
