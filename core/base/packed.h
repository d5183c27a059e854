// Structs to bytes and back, driven by their each_field() (core/base/fields.h): for caches, which
// the same program reads again.
//
// No names, no defaults: the fields in their order. Integers are varints (signed ones zigzag),
// doubles the varint of their bits, texts and lists have their length before them. shape_of() tells
// the layout; a reader compares it before it unpacks what another version may have written.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/fields.h"

namespace gitplan {

namespace packed {

inline void put_number(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else if constexpr (std::is_signed_v<T>)
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  else
    return value;
}

template <class T>
T of_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(bits >> 1) ^
                          -static_cast<std::int64_t>(bits & 1));
  else
    return static_cast<T>(bits);
}

}  // namespace packed

template <class T>
void pack(const T& value, std::string& out) {
  using namespace fields;
  if constexpr (std::is_same_v<T, std::string>) {
    packed::put_number(value.size(), out);
    out += value;
  } else if constexpr (std::is_enum_v<T>) {
    packed::put_number(static_cast<std::uint64_t>(value), out);
  } else if constexpr (std::is_same_v<T, double> || std::is_unsigned_v<T>) {
    packed::put_number(packed::bits_of(value), out);
  } else if constexpr (std::is_arithmetic_v<T>) {
    packed::put_number(packed::bits_of(static_cast<std::int64_t>(value)), out);
  } else if constexpr (kIsOptional<T>) {
    out += value ? '\1' : '\0';
    if (value) pack(*value, out);
  } else if constexpr (kIsList<T>) {
    packed::put_number(value.size(), out);
    for (const auto& entry : value) pack(entry, out);
  } else if constexpr (kIsMap<T>) {
    packed::put_number(value.size(), out);
    for (const auto& [key, entry] : value) {
      pack(key, out);
      pack(entry, out);
    }
  } else {
    each_field(value, [&](const char*, const auto& member, const auto&...) { pack(member, out); });
  }
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  explicit Unpacker(std::string&&) = delete;  // they must outlive it

  // Everything was there, and nothing more.
  bool complete() const { return good_ && rest_.empty(); }

  template <class T>
  void read(T& value) {
    using namespace fields;
    if constexpr (std::is_same_v<T, std::string>) {
      value = take(number());
    } else if constexpr (std::is_same_v<T, bool>) {
      value = number() != 0;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(number());
    } else if constexpr (std::is_same_v<T, double> || std::is_unsigned_v<T>) {
      value = packed::of_bits<T>(number());
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(packed::of_bits<std::int64_t>(number()));
    } else if constexpr (kIsOptional<T>) {
      if (number() != 0) read(value.emplace());
    } else if constexpr (kIsList<T>) {
      value.resize(count());
      for (auto& entry : value) read(entry);
    } else if constexpr (kIsMap<T>) {
      for (std::size_t left = count(); left > 0 && good_; --left) {
        typename T::key_type key{};
        read(key);
        read(value.emplace_hint(value.end(), std::move(key), typename T::mapped_type{})->second);
      }
    } else {
      each_field(value, [&](const char*, auto& member, const auto&...) { this->read(member); });
    }
  }

 private:
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }

  // Of a list: each entry has a byte at least.
  std::size_t count() {
    const std::uint64_t value = number();
    return value <= rest_.size() ? value : fail();
  }

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) size = fail();
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }

  std::uint64_t fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool good_ = true;
};

// The names of all fields below T, in their order.
template <class T>
void shape_of(std::string& out) {
  using namespace fields;
  if constexpr (kIsOptional<T>) {
    out += '?';
    shape_of<typename T::value_type>(out);
  } else if constexpr (kIsList<T>) {
    out += '*';
    shape_of<typename T::value_type>(out);
  } else if constexpr (kIsMap<T>) {
    out += '%';
    shape_of<typename T::mapped_type>(out);
  } else if constexpr (kIsStruct<T>) {
    out += '{';
    T value{};
    each_field(value, [&](const char* key, auto& member, const auto&...) {
      out.append(key).append(1, ' ');
      shape_of<std::remove_reference_t<decltype(member)>>(out);
    });
    out += '}';
  } else {
    out += std::is_same_v<T, std::string> ? 's' : std::is_enum_v<T> ? 'e' : 'n';
  }
}

}  // namespace gitplan
