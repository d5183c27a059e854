// Wave commits that were rewritten where no hook told: by another tool, without hooks, or squashed
// on a server. They are found again by their trailers, else by their patch.
//
// `status` and `check` say it, `execute` records it (wave_rewritten). It costs next to nothing
// while all waves are where they were.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/ledger/ledger.h"
#include "refs/git/repository.h"

namespace gitplan {

struct RewrittenWave {
  std::string run;
  int wave = 0;
  std::string from, to;
  bool by_trailer = false;  // else by patch
};

// Of completed waves of which neither the commit nor a recorded later one is in `tip`; those that
// are found there, oldest first.
Result<std::vector<RewrittenWave>> find_rewritten(const Repository& repository,
                                                  std::string_view plan, const Ledger& ledger,
                                                  const std::string& tip);

// As the event would change it.
void note_rewritten(const std::vector<RewrittenWave>& found, Ledger& ledger);

// "wave 1 (7989e49) is 1a2b3c4 now: found by its trailers"
std::string words(const RewrittenWave& found);

}  // namespace gitplan
