// Parts that several JSON documents share. The keys are those of git-plan(1), JSON: only ever added
// to.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/diagnostic.h"
#include "refs/store/store.h"

namespace gitplan {

std::string_view word(Severity severity);  // error, warning, note
nlohmann::ordered_json diagnostic_json(const Diagnostic& diagnostic);
nlohmann::ordered_json diagnostics_json(const std::vector<Diagnostic>& all);

// {"code","message","hint"}, and "diagnostics" where there are some.
nlohmann::ordered_json error_json(const Error& error);
nlohmann::ordered_json errors_json(const std::vector<Error>& all);

// A plan as `list` shows it.
nlohmann::ordered_json plan_json(const Summary& summary, bool stale);
// The same of a plan that was loaded whole.
Summary summary_of(const PlanView& view);

// An open decision, as `status` and `resolve` print it. `plan_dir`: where its log is read from.
nlohmann::ordered_json decision_json(const Ledger& ledger, const DecisionAsked& asked,
                                     const std::string& plan_dir);

// One line; bytes that are no UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace gitplan
