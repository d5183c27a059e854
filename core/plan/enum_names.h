// The words that plan.md uses for the values of the enums, in one table each.
//
// name() (definition.h) writes by them, the reader of plan.md reads by them.
#pragma once

#include <string_view>

#include "core/plan/definition.h"

namespace gitplan {

template <typename E>
struct NamedValue {
  std::string_view name;
  E value;
};

inline constexpr NamedValue<Mode> kModes[] = {
    {"inline", Mode::kInline}, {"clean", Mode::kClean}, {"forked", Mode::kForked}};
inline constexpr NamedValue<Schedule> kSchedules[] = {{"wave", Schedule::kWave},
                                                      {"eager", Schedule::kEager}};
inline constexpr NamedValue<Isolation> kIsolations[] = {{"branch", Isolation::kBranch},
                                                        {"optimistic", Isolation::kOptimistic}};
inline constexpr NamedValue<Backoff> kBackoffs[] = {{"exponential", Backoff::kExponential},
                                                    {"linear", Backoff::kLinear},
                                                    {"fixed", Backoff::kFixed}};
inline constexpr NamedValue<Checkpoint> kCheckpoints[] = {
    {"none", Checkpoint::kNone},
    {"human_verify", Checkpoint::kHumanVerify},
    {"decision", Checkpoint::kDecision},
    {"human_action", Checkpoint::kHumanAction}};
inline constexpr NamedValue<Complexity> kComplexities[] = {{"trivial", Complexity::kTrivial},
                                                           {"moderate", Complexity::kModerate},
                                                           {"complex", Complexity::kComplex}};

constexpr const auto& names_of(Mode) { return kModes; }
constexpr const auto& names_of(Schedule) { return kSchedules; }
constexpr const auto& names_of(Isolation) { return kIsolations; }
constexpr const auto& names_of(Backoff) { return kBackoffs; }
constexpr const auto& names_of(Checkpoint) { return kCheckpoints; }
constexpr const auto& names_of(Complexity) { return kComplexities; }

}  // namespace gitplan
