// One error type for the whole program, and the value-or-error that carries it.
//
// Everybody calls this: a function that can fail returns Result<T> or Status and never prints,
// throws or exits. The command's main turns an Error into text on standard error (or JSON) and into
// the exit status; exit_status() below is the only table of exit statuses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/diagnostic.h"

namespace gitplan {

// Codes are few: one for each thing that a caller or a script acts on.
enum class ErrorCode {
  kFailed,       // anything else that went wrong
  kUsage,        // the command line
  kInvalid,      // bad input: a plan file, a name, a value
  kNotFound,     // no such plan, task, decision, object
  kAmbiguous,    // a name that fits several; the message lists them
  kBusy,         // another run, or a lock that did not come free
  kNotTrusted,   // the plan came from elsewhere and was not read here
  kDecision,     // a person must answer first
  kStale,        // `check` found stale references
  kConflicted,   // the definition has several heads that do not merge
  kStuck,        // planning stuck
  kInterrupted,  // Ctrl+C
  kRefused,      // not in this state: the transition table or the repository says no
  kUnsupported,  // a repository that this program cannot work in
};

struct Error {
  ErrorCode code = ErrorCode::kFailed;
  std::string message;  // what happened and where; a sentence without the final full stop
  std::string hint;     // what to do; may be empty
  std::vector<Diagnostic> diagnostics;  // all faults of a bad input, in file order

  // The same error with a place in front of the message: "plan 'x': " + message.
  Error in(std::string_view where) && {
    message.insert(0, std::string(where) + ": ");
    return std::move(*this);
  }
};

// 129, 2, 8, 7, 3, 4, 5, 6, 130, 1: what a script sees. Source: git-plan(1), EXIT STATUS.
int exit_status(ErrorCode code);

// A stable word for JSON: "invalid", "busy", ...
std::string_view name(ErrorCode code);

inline Error failed(std::string message, std::string hint = {}) {
  return {ErrorCode::kFailed, std::move(message), std::move(hint), {}};
}
inline Error error(ErrorCode code, std::string message, std::string hint = {}) {
  return {code, std::move(message), std::move(hint), {}};
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace gitplan

// Leaves the function with the error of a Status or Result expression, if it has one.
#define GITPLAN_TRY(expression)                                                                    \
  do {                                                                                             \
    if (auto gitplan_try = (expression); !gitplan_try.ok()) return std::move(gitplan_try).error(); \
  } while (false)

// Declares `name` as the value of a Result expression, or leaves with its error.
#define GITPLAN_TRY_ASSIGN(declaration, expression) \
  GITPLAN_TRY_ASSIGN_AT(declaration, expression, __LINE__)
#define GITPLAN_TRY_ASSIGN_AT(declaration, expression, line) \
  GITPLAN_TRY_ASSIGN_NAMED(declaration, expression, line)
#define GITPLAN_TRY_ASSIGN_NAMED(declaration, expression, line)                     \
  auto gitplan_result_##line = (expression);                                        \
  if (!gitplan_result_##line.ok()) return std::move(gitplan_result_##line).error(); \
  declaration = std::move(gitplan_result_##line).value()
