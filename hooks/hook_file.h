// One file in a hooks directory: the text of ours, and what somebody else's is.
//
// Ours is a short script of sh. It finds git-plan-hook (hooks/program) by name, then at the path
// that was recorded when it was installed, and becomes it; where there is neither it runs what was
// there before it, and fails for nothing of ours. Its second line tells that it is ours, and its
// version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

// The hooks that do something, in the order in which they are told.
const std::vector<std::string>& hook_names();

// What was at the place of ours is kept beside it, byte for byte, as <hook>.before-git-plan.
inline constexpr std::string_view kBeforeUs = ".before-git-plan";

std::string hook_text(std::string_view hook, std::string_view recorded_program);

enum class HookKind { kNone, kOurs, kScript, kSymlink, kProgram, kDirectory, kOther };

struct HookFile {
  HookKind kind = HookKind::kNone;
  bool executable = false;
  bool crlf = false;    // its first line ends so, and nobody finds such an interpreter
  int version = 0;      // of ours
  std::string text;     // of a script and of ours, at most 64 KiB
  std::string manager;  // husky, lefthook, pre-commit, git-lfs; empty: none that is known
};

HookFile read_hook(const std::string& path);
// The version in a file's second line; 0: not ours.
int version_of_ours(std::string_view text);
// Of the text that hook_text() makes now.
int current_version();

// Moves `text` there by rename, 0755. False with errno where that fails.
bool write_hook(const std::string& path, std::string_view text);

}  // namespace gitplan
