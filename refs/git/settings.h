// The section `plan` of git config: one table of every key, typed, read as git reads it.
//
// `git -c`, GIT_CONFIG_*, includes, includeIf and config.worktree count: values come from one
// `git config --list -z`, but where a cheap look finds none of these the files are read here
// (config_files.h), which saves the process and gives the same answer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

struct SettingInfo {
  std::string_view key;  // "plan.maxForks", as printed
  std::string_view
      type;  // int, bool, string, path, naming, subject, size, enum:apply,confirm,iterate
  std::string_view fallback;  // the default, as text
  std::string_view meaning;   // one line
  int least = 0;              // of an int or a size: the smallest value that has a sense
};

// Every key; `doctor` and the manual print it. plan.agent.<name>.command and the like have a <…>
// part.
const std::vector<SettingInfo>& all_settings();

class Settings {
 public:
  static Result<Settings> read(const Repository& repository);

  // The configured or default value. Unknown keys are a programming error. Wrong values: the error
  // names the key, the value and what would be right (exit 2).
  Result<int> integer(std::string_view key) const;
  Result<bool> boolean(std::string_view key) const;
  Result<std::int64_t> size(std::string_view key) const;  // bytes: 512, 64k, 64m, 1g
  Result<std::string> text(std::string_view key) const;   // a path has its ~/ expanded
  // plan.agent.<name>.<variable>, plan.role.<role>.agent
  std::optional<std::string> value(std::string_view section, std::string_view name,
                                   std::string_view variable) const;
  std::optional<std::string> raw(
      std::string_view key) const;  // any key of any section, case as git's
  std::vector<std::string> names(std::string_view section) const;  // configured agents
  // Unknown plan.* keys and values of the wrong type.
  std::vector<Diagnostic> check() const;

 private:
  Result<std::string> checked(std::string_view key) const;
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace gitplan
