// What a run waits for outside of it (the user's rebase, an index.lock), for other processes to
// show.
//
// The run writes it; `status` and `why` read it while the run's lock is held, because a killed run
// leaves it behind. On disk: <plan dir>/waiting, the reason as text; no file: it waits for nothing.
#pragma once

#include <string>
#include <string_view>

namespace gitplan {

// Never fails: a run does not stop because nobody can be told why it waits. Empty: it goes on.
void tell_waiting(const std::string& plan_dir, std::string_view reason);

std::string waiting_of_run(const std::string& plan_dir);

}  // namespace gitplan
