// Rules for the names of tasks and for the ids of plans. Described in core/plan/FORMAT.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/timestamp.h"

namespace gitplan {

// Nothing when the name is good; else what is wrong with it, as a clause ("ends with '.lock'").
// [A-Za-z0-9][A-Za-z0-9._-]{0,63}; good as part of a ref (no "..", no ".lock" or "." at the end); a
// legal file name on Windows (no CON, NUL, COM1 …); not "integration".
std::optional<std::string> task_name_fault(std::string_view name);

// The same for a plan id: a task name's rules, at most 100 characters, not "memory".
std::optional<std::string> plan_id_fault(std::string_view id);

// Lower-case ASCII, hyphens, at most 40 characters; accents are dropped, other scripts too. Empty
// where the title has no ASCII letter or digit.
std::string slug_of(std::string_view title);

// What a naming template may have: "{date}", "{time}", "{datetime}", "{title}", "{id}".
const std::vector<std::string>& naming_tokens();
// What stands in braces in a template and is no token, as it is written ("{bogus}"); to the end
// where no brace closes it.
std::vector<std::string> unknown_tokens(std::string_view naming,
                                        const std::vector<std::string>& known = naming_tokens());

// A plan id by a naming template ("{date}-{title}"; tokens date, time, datetime, title, id). A
// title without a slug becomes plan-<8 hex of its XXH3>. `random_hex`: 8 digits for {id}. When the
// id is `taken` (compared without case), -2, -3 … is added.
std::string plan_id(std::string_view naming, std::string_view title, Millis now,
                    std::string_view random_hex, const std::vector<std::string>& taken);

}  // namespace gitplan
