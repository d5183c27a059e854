// The files that a completed wave leaves in the plan: waves/<NNN>-<run>/wave.md, findings.jsonl,
// verify.json, summary.md.
#pragma once

#include <vector>

#include "core/ledger/ledger.h"
#include "core/plan/definition.h"
#include "refs/store/store.h"

namespace gitplan {

std::vector<Attachment> wave_files(const Plan& plan, const Ledger& ledger, const Wave& wave);

}  // namespace gitplan
