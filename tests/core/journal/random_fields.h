// Fills any stored struct with random values, and counts its members against its fields.
#pragma once

#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/journal/json_fields.h"
#include "core/ledger/ledger_fields.h"

namespace gitplan::testing_fields {

class RandomFields {
 public:
  explicit RandomFields(unsigned seed) : random_(seed) {}
  virtual ~RandomFields() = default;

  std::size_t below(std::size_t end) { return random_() % end; }

  template <class T>
  T make() {
    T value{};
    fill("", value);
    return value;
  }

  template <class T>
  void fill(std::string_view key, T& value) {
    using namespace json_fields;
    if constexpr (std::is_same_v<T, std::string>) {
      value = text(key);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = below(2) == 1;
    } else if constexpr (std::is_same_v<T, double>) {
      value = static_cast<double>(below(1000)) / 7;
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = number<T>(key);
    } else if constexpr (std::is_same_v<T, PlanState>) {
      value = static_cast<T>(below(13));
    } else if constexpr (std::is_same_v<T, TaskStatus>) {
      value = static_cast<T>(below(9));
    } else if constexpr (std::is_same_v<T, WavePhase>) {
      value = static_cast<T>(below(6));
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(below(2));
    } else if constexpr (kIsOptional<T>) {
      if (below(2) == 1) fill(key, value.emplace());
    } else if constexpr (kIsList<T>) {
      value.resize(below(4));
      for (auto& entry : value) fill(key, entry);
    } else if constexpr (kIsMap<T>) {
      for (std::size_t left = below(4); left > 0; --left) fill(key, value[text(key)]);
    } else {
      each_field(value, [this](const char* name, auto& member, const auto&...) {
        this->fill(name, member);
      });
    }
  }

 protected:
  // Empty now and then, else with all that JSON must escape.
  virtual std::string text(std::string_view) {
    static constexpr std::string_view kPieces[] = {"a",
                                                   "Z9",
                                                   " ",
                                                   "\"",
                                                   "\\",
                                                   "/",
                                                   "\n",
                                                   "\t",
                                                   std::string_view("\0", 1),
                                                   "\x1f",
                                                   "\x7f",
                                                   "\xc3\xa9",
                                                   "\xe2\x82\xac",
                                                   "\xf0\x9f\x98\x80",
                                                   "{",
                                                   "]",
                                                   "\xe2\x80\xa8"};
    std::string made;
    for (std::size_t left = below(6); left > 0; --left) made += kPieces[below(std::size(kPieces))];
    return made;
  }

  // 1 stands for the wave that the next events are about.
  template <class T>
  T number(std::string_view key) {
    if (key == "wave" && small_waves_) return static_cast<T>(1 + below(3));
    switch (below(4)) {
      case 0: return 0;
      case 1: return std::numeric_limits<T>::max();
      case 2: return std::numeric_limits<T>::min();
      default: return static_cast<T>(below(100000));
    }
  }
  bool small_waves_ = false;

 private:
  std::mt19937 random_;
};

template <std::size_t... Index>
EventBody random_body_at(RandomFields& random, std::size_t type, std::index_sequence<Index...>) {
  EventBody body;
  (void)(... || (Index == type &&
                 (body = random.make<std::variant_alternative_t<Index, EventBody>>(), true)));
  return body;
}

// Every type but UnknownEvent, which is the last.
inline constexpr std::size_t kKnownTypes = std::variant_size_v<EventBody> - 1;

inline EventBody random_body(RandomFields& random, std::size_t type) {
  return random_body_at(random, type, std::make_index_sequence<kKnownTypes>());
}

// How many members an aggregate has: the longest list that can initialise it.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT: implicit on purpose, never called
};

template <class T, class... Members>
constexpr std::size_t member_count() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; }) {
    return member_count<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

template <class T>
std::size_t field_count() {
  std::size_t fields = 0;
  T value{};
  each_field(value, [&](const char*, auto&, const auto&...) { ++fields; });
  return fields;
}

}  // namespace gitplan::testing_fields
