#include "core/plan/definition.h"

#include "core/plan/enum_names.h"

namespace gitplan {
namespace {

template <typename E>
std::string_view name_in_table(E value) {
  for (const auto& entry : names_of(value))
    if (entry.value == value) return entry.name;
  return "";
}

}  // namespace

std::string_view name(Mode mode) { return name_in_table(mode); }
std::string_view name(Schedule schedule) { return name_in_table(schedule); }
std::string_view name(Isolation isolation) { return name_in_table(isolation); }
std::string_view name(Backoff backoff) { return name_in_table(backoff); }
std::string_view name(Checkpoint checkpoint) { return name_in_table(checkpoint); }
std::string_view name(Complexity complexity) { return name_in_table(complexity); }

}  // namespace gitplan
