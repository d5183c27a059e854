// The brief of an attempt, from a run's own ledger (compose_brief() of executor.h is the same for a
// loaded plan).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/ledger/ledger.h"
#include "core/plan/definition.h"
#include "git-plan/neighbours/at_work.h"

namespace gitplan {

using OutputOf = std::function<std::optional<std::string>(std::string_view path)>;

std::string brief_of(std::string_view id, const Plan& plan, const Ledger& ledger, const Task& task,
                     std::string_view attempt, const OutputOf& output_of,
                     const std::vector<SoftLock>& others);

}  // namespace gitplan
