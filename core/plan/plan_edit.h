// Changes plan.md by touching only the lines it must: comments, key order and quoting elsewhere
// stay.
//
// `update`, `edit`, `resolve` (longer) and `create --title` call this. Each function returns the
// new text, which the caller parses again before it writes anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace gitplan {

// Sets (or adds) a top-level key to a scalar.
Result<std::string> set_key(std::string_view text, std::string_view key, std::string_view value);
// Sets (or adds) a top-level key to a flow sequence: tags: [a, b].
Result<std::string> set_list(std::string_view text, std::string_view key,
                             const std::vector<std::string>& values);
// Replaces the Markdown body, keeping the front matter byte for byte.
Result<std::string> set_body(std::string_view text, std::string_view body);
// Sets (or adds) one key of one task. The value is YAML ("[a, b]", "30", "text"): it is quoted
// where it would not read back as what was given.
Result<std::string> set_task_key(std::string_view text, std::string_view task, std::string_view key,
                                 std::string_view value);
// Adds a task at the end (a YAML mapping, or only a name), making `orchestration` and `tasks` where
// missing.
Result<std::string> add_task(std::string_view text, std::string_view task);
// Removes a task; the error names those that depend on it.
Result<std::string> drop_task(std::string_view text, std::string_view task);
// A plan file made from scratch: front matter with title and tags, then the body.
std::string compose_plan(std::string_view title, const std::vector<std::string>& tags,
                         std::string_view body);
// The default body template (Context, Approach, Scope, Changes, Risks, Reuse, Verification).
std::string default_body(std::string_view title);

}  // namespace gitplan
