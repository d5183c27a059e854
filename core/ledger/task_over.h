// Which statuses of a task are final: whoever waits for it need not wait any more.
#pragma once

#include "core/ledger/ledger.h"

namespace gitplan {

inline bool is_over(TaskStatus status) {
  return status == TaskStatus::kCompleted || status == TaskStatus::kSkipped;
}

}  // namespace gitplan
