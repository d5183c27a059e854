// Why an agent failed, read from its exit status and its last words.
//
// The executor asks once an attempt has ended badly. A transient failure costs no attempt: the task
// is queued, and its agent's other tasks with it, until the time that the message names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/timestamp.h"

namespace gitplan {

enum class FailureClass { kTask, kConfig, kAuth, kRateLimit, kQuota, kOverload, kNetwork };

std::string_view name(
    FailureClass failure);             // task, config, auth, rate_limit, quota, overload, network
bool transient(FailureClass failure);  // the last four

struct FailurePattern {
  std::string_view text;  // lower case; found anywhere in a line, whatever its case
  FailureClass failure;
};

struct Failure {
  FailureClass failure = FailureClass::kTask;
  std::string line;             // that said so; empty: the exit status did, or nothing
  std::optional<Millis> until;  // when it may be tried again, if the words say it
};

// A moment on a wall clock somewhere.
struct LocalTime {
  Millis now = 0;     // since 1970, UTC
  Millis offset = 0;  // of local time from UTC
};

// `words`: the end of what the process printed; at most its last 64 KiB count. The last line that
// fits a pattern decides, since agents tell of limits that they waited out; the agent's own
// patterns go before the common ones. Exit status 75 (EX_TEMPFAIL) is transient whatever was said.
Failure classify_failure(int exit_code, std::string_view words,
                         std::span<const FailurePattern> patterns, const LocalTime& time);

// The time that a message about a limit names: "retry after 30", "try again in 2h 5m", "resets
// 3:30pm", "reset at 2030-01-02T03:04:05Z", "limit reached|1890000000". Times of day are local and
// in the next 24 hours, by today's offset from UTC. Nothing where it names none, or one more than
// 8 days away.
std::optional<Millis> reset_time(std::string_view line, const LocalTime& time);

}  // namespace gitplan
