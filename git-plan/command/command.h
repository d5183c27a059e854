// The table of commands: one row and one file each.
//
// main looks the command up, checks its declared needs, parses its arguments from the same
// declaration that -h, completion and --list-commands print, and calls it. To add one: a file
// git-plan/command/<name>.cc that includes table.h and defines `const CommandInfo k<Name>Command`,
// its declaration in table.h, and a row in table.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"

namespace gitplan {

class Context;

enum class Completes {
  kNothing,
  kPlan,
  kTask,
  kFile,
  kDecision,
  kAttempt,
  kAgent,
  kRemote,
  kWords
};

struct OptionInfo {
  std::string_view name;      // "--title"
  std::string_view letter;    // "-F", or empty
  std::string_view argument;  // "<text>"; empty: a flag
  std::string_view help;      // one line
  bool repeatable = false;
  Completes completes = Completes::kNothing;
  std::string_view words = {};  // of kWords: "active|archived|all", also checked
};

struct PositionalInfo {
  std::string_view name;  // "<plan>"
  bool required = true;
  bool repeatable = false;  // the last one only
  Completes completes = Completes::kNothing;
  std::string_view words = {};  // of kWords, as of an option; not checked
};

enum class Group { kPlans, kWork, kGit, kSetup, kHidden };
enum class Needs { kNothing, kRepository };

// What the parser found. Names are those of the declaration.
class Arguments {
 public:
  bool has(std::string_view option) const;
  std::optional<std::string> value(std::string_view option) const;  // the last one given
  std::vector<std::string> values(std::string_view option) const;
  std::optional<std::string> positional(std::size_t index) const;
  std::vector<std::string> positionals(std::size_t from = 0) const;

  std::unordered_map<std::string, std::vector<std::string>> options;  // flags: one empty string
  std::vector<std::string> rest;
};

struct CommandInfo {
  std::string_view name;
  std::string_view summary;  // one line, for the list and -h
  std::string_view usage;    // "git plan create [--title <text>] …"
  Group group = Group::kPlans;
  Needs needs = Needs::kRepository;
  bool inside_task = true;  // false: changes plans or their runs, which no task may
  bool json = false;        // takes --json
  std::vector<OptionInfo> options = {};
  std::vector<PositionalInfo> positionals = {};
  // The exit status, or an error that main prints and turns into one.
  Result<int> (*run)(Context& context, const Arguments& arguments) = nullptr;
};

const std::vector<const CommandInfo*>& all_commands();
const CommandInfo* find_command(std::string_view name);

// CLI11 lives behind this (git-plan/command/parse.cc). kUsage errors carry "did you mean" and the
// usage line.
// "-h" and "--help" are found before any other fault is reported; main answers them.
Result<Arguments> parse_arguments(const CommandInfo& command, const std::vector<std::string>& argv);
std::string short_help(const CommandInfo& command);
// The options that a command has: its own, --json where it takes it, -h and --help.
std::vector<OptionInfo> options_of(const CommandInfo& command);

}  // namespace gitplan
