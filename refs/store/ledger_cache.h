// The ledger of a plan's tip as this clone folded it, so that a change folds only what is new.
//
// On disk: <common>/git-plan/cache/<identity>.json, '{"tip":"<commit>","sum":"<XXH3-64>","ledger":{…}}'. Replaced by
// rename, never needed, never trusted where the sum does not fit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ledger/ledger.h"

namespace gitplan {

struct CachedLedger {
  std::string tip;
  Ledger ledger;
};

class LedgerCache {
 public:
  explicit LedgerCache(const std::string& local_dir) : folder_(local_dir + "/cache/") {}
  std::optional<CachedLedger> read(std::string_view identity) const;
  // Failures do not matter. `json`: ledger_to_json of the ledger.
  void write(std::string_view identity, std::string_view tip, std::string_view json) const;

 private:
  std::string path_of(std::string_view identity) const;
  std::string folder_;
};

}  // namespace gitplan
