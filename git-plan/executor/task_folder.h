// The folder of an attempt inside its tree: .git-plan/<attempt>, what a task reads and what it
// leaves.
//
// It ignores itself, and nothing in it is trusted: a task can have replaced any of it by a link, a
// pipe or a flood. The masters are in the attempt's directory.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace gitplan {

inline constexpr std::size_t kMaxOutput = 1u << 20;  // bytes of a summary
inline constexpr std::size_t kMaxFindingsFile = 4u << 20;

std::string task_folder(const std::string& tree, std::string_view attempt);

struct FolderContent {
  std::string plan_text;                       // plan.md
  std::string brief;                           // brief.md
  std::map<std::string, std::string> outputs;  // outputs/<name>
};
// Made anew. Refused where `.git-plan` is a link or no directory.
Status make_task_folder(const std::string& tree, std::string_view attempt,
                        const FolderContent& content);

// Of an attempt in the user's working tree; `.git-plan` too where nothing else is in it.
void remove_task_folder(const std::string& tree, std::string_view attempt);

// The summary that somebody gives who works by hand: replaces output.md, and follows no link.
Status write_output(const std::string& tree, std::string_view attempt, std::string_view text);

// Copies output.md and findings.jsonl to the attempt's directory: ordinary files only, cut at their
// limits with a line that says so. What is not there any more leaves an earlier copy alone.
Status save_masters(const std::string& tree, std::string_view attempt,
                    const std::string& attempt_dir);

}  // namespace gitplan
