// The ledger as JSON and back. On disk: core/ledger/FORMAT.md.
//
// Written into each commit of a plan for people and other tools; read back only from this clone's
// own cache. ledger_from_json is total but for shape, and its result folds on as the original
// would.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/ledger/ledger.h"

namespace gitplan {

std::string ledger_to_json(const Ledger& ledger);
Result<Ledger> ledger_from_json(std::string_view text);

}  // namespace gitplan
