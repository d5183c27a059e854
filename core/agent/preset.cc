#include "core/agent/preset.h"

#include <algorithm>

namespace gitplan {
namespace {

using enum FailureClass;

constexpr std::string_view kClaudeUnset[] = {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"};

constexpr FailurePattern kClaudeFailures[] = {
    {"usage limit reached", kQuota},    {"hit your limit", kQuota},
    {"limit reached", kQuota},          {"credit balance is too low", kQuota},
    {"overloaded_error", kOverload},    {"rate_limit_error", kRateLimit},
    {"invalid api key", kAuth},         {"please run /login", kAuth},
    {"oauth token has expired", kAuth},
};
constexpr FailurePattern kCodexFailures[] = {
    {"hit your usage limit", kQuota},
    {"usage_limit_reached", kQuota},
    {"selected model is at capacity", kOverload},
    {"stream disconnected before completion", kNetwork},
    {"not logged in", kAuth},
    {"codex login", kAuth},
    {"not inside a trusted directory", kConfig},
};
constexpr FailurePattern kGeminiFailures[] = {
    {"exhausted your daily quota", kQuota}, {"exhausted your capacity", kQuota},
    {"resource_exhausted", kRateLimit},     {"model is overloaded", kOverload},
    {"set an auth method", kAuth},          {"api key not valid", kAuth},
};
constexpr FailurePattern kAiderFailures[] = {
    {"litellm.ratelimiterror", kRateLimit},   {"litellm.authenticationerror", kAuth},
    {"litellm.apiconnectionerror", kNetwork}, {"litellm.internalservererror", kOverload},
    {"litellm.notfounderror", kConfig},       {"no llm model was specified", kConfig},
};
constexpr FailurePattern kOpencodeFailures[] = {
    {"providerautherror", kAuth},
    {"providermodelnotfounderror", kConfig},
    {"no providers available", kConfig},
};

constexpr Preset kPresets[] = {
    {.name = "aider",
     .program = "aider",
     // The commit is ours; it would ask before it runs a command, and change .gitignore.
     .command = "aider --message-file \"$PLAN_BRIEF\" --yes-always --no-suggest-shell-commands "
                "--no-auto-commits --no-dirty-commits --no-gitignore --no-check-update "
                "--no-analytics --no-detect-urls --no-pretty --no-stream "
                "--input-history-file /dev/null --chat-history-file /dev/null",
     .interactive = "aider --read \"$PLAN_BRIEF\" --no-auto-commits --no-gitignore",
     .patterns = kAiderFailures},
    {.name = "claude",
     .program = "claude",
     .command = "claude -p --output-format stream-json --verbose --permission-mode acceptEdits "
                "--disallowedTools ExitPlanMode "
                "${PLAN_BUDGET_USD:+--max-budget-usd \"$PLAN_BUDGET_USD\"}",
     .interactive = "claude \"Do the task that the file $PLAN_BRIEF describes.\"",
     .dialect = Dialect::kClaude,
     .end_event = true,
     .unset = kClaudeUnset,
     .patterns = kClaudeFailures},
    {.name = "codex",
     .program = "codex",
     .command = "codex exec --json --sandbox workspace-write --skip-git-repo-check -",
     .interactive = "codex \"Do the task that the file $PLAN_BRIEF describes.\"",
     .dialect = Dialect::kCodex,
     .end_event = true,
     .patterns = kCodexFailures},
    {.name = "gemini",
     .program = "gemini",
     .command = "gemini --output-format stream-json --approval-mode auto_edit",
     .interactive = "gemini -i \"Do the task that the file $PLAN_BRIEF describes.\"",
     .dialect = Dialect::kGemini,
     .end_event = true,
     .patterns = kGeminiFailures},
    {.name = "opencode",
     .program = "opencode",
     .command = "opencode run --format json",
     .interactive = "opencode --prompt \"Do the task that the file $PLAN_BRIEF describes.\"",
     .dialect = Dialect::kOpencode,
     .end_event = true,
     .patterns = kOpencodeFailures},
};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

const Preset* find_preset(std::string_view name) {
  const auto found = std::find_if(std::begin(kPresets), std::end(kPresets),
                                  [&](const Preset& preset) { return preset.name == name; });
  return found == std::end(kPresets) ? nullptr : found;
}

}  // namespace gitplan
