#include <fmt/format.h>

#include <algorithm>

#include "core/agent/preset.h"
#include "git-plan/doctor/doctor.h"
#include "git-plan/view/words.h"
#include "refs/git/process.h"

namespace gitplan {
namespace {

// The program that a shell command starts with: behind assignments, without quotes.
std::string program_of(std::string_view command) {
  while (!command.empty()) {
    const std::size_t begin = command.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos) return {};
    command.remove_prefix(begin);
    const std::size_t end = std::min(command.find_first_of(" \t\n;|&<>"), command.size());
    std::string word(command.substr(0, end));
    const std::size_t equals = word.find('=');
    const std::size_t other =
        word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    if (equals == std::string::npos || other != equals) return word;
    command.remove_prefix(end);
  }
  return {};
}

// A word that the shell would have to work on first cannot be looked up.
bool plain(const std::string& word) {
  return !word.empty() && word.find_first_of("$`\"'\\(){}*?[]~") == std::string::npos;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<bool> shell_finds(const std::string& program) {
  GITPLAN_TRY_ASSIGN(const Outcome outcome,
                     run({.argv = {"sh", "-c", "command -v -- \"$1\"", "sh", program}}));
  return outcome.ok();
}

}  // namespace

Status examine_configuration(Context& context, Examination& seen) {
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  for (Diagnostic& diagnostic : settings->check()) seen.found.push_back(std::move(diagnostic));
  return {};
}

Status examine_agents(Context& context, Examination& seen) {
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  const std::vector<std::string> names = settings->names("agent");
  std::vector<std::string> present;
  for (const std::string& name : names) {
    const std::string command = settings->value("agent", name, "command").value_or("");
    const std::string key = "plan.agent." + name + ".command";
    if (command.empty()) {
      seen.add(Severity::kError, "agent-without-command", "the agent '" + name + "' has no command",
               key, "git config " + key + " '<shell command>'");
      continue;
    }
    const std::string program = program_of(command);
    bool found = true;
    if (plain(program)) {
      GITPLAN_TRY_ASSIGN(found, shell_finds(program));
    }
    if (found)
      present.push_back(name);
    else
      seen.add(Severity::kError, "agent-not-found",
               "the agent '" + name + "' starts '" + program + "', which is not on PATH", key,
               "install it, or change " + key);
  }
  std::vector<std::string> absent;  // presets
  for (const Preset& preset : presets()) {
    const std::string name(preset.name);
    if (contains(names, name)) continue;
    GITPLAN_TRY_ASSIGN(const bool found, shell_finds(std::string(preset.program)));
    (found ? present : absent).push_back(name);
  }
  seen.fact("agents", present.empty() ? "none configured or installed" : joined(present));
  const auto known = [&](const std::string& wanted, const std::string& key) {
    if (wanted.empty() || wanted == "run" || contains(names, wanted) || contains(present, wanted))
      return;
    if (contains(absent, wanted))
      seen.add(Severity::kError, "agent-not-found",
               key + " names the agent '" + wanted + "', which is not on PATH", key,
               "install '" + wanted + "', or change " + key);
    else
      seen.add(Severity::kError, "unknown-agent",
               key + " names the agent '" + wanted + "', which is not configured", key,
               "git config plan.agent." + wanted + ".command '<shell command>'");
  };
  known(settings->raw("plan.agent").value_or(""), "plan.agent");
  for (const std::string& role : settings->names("role"))
    known(settings->value("role", role, "agent").value_or(""), "plan.role." + role + ".agent");
  return {};
}

}  // namespace gitplan
