// What the codecs ask about the type of a field.
//
// A stored struct tells its members by a function each_field(struct, field) beside it
// (core/journal/event_fields.h, core/ledger/ledger_fields.h, core/plan/definition_fields.h); the
// codecs (core/journal/json_fields.h, core/base/packed.h) walk them.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace gitplan {

// Lets one each_field() take a struct to read and one to write.
template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

namespace fields {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class K, class T, class C>
inline constexpr bool kIsMap<std::map<K, T, C>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsStruct =
    !std::is_arithmetic_v<T> && !std::is_enum_v<T> && !std::is_same_v<T, std::string> &&
    !kIsList<T> && !kIsMap<T> && !kIsOptional<T>;

}  // namespace fields
}  // namespace gitplan
