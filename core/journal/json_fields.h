// Structs to JSON values and back, driven by their each_field() (event_fields.h).
//
// For the codecs of the journal and the ledger. Templates over the JSON type, so that only their
// .cc files read the heavy header.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/fields.h"

namespace gitplan {

// Whether lists and objects nest deeper than `depth` levels: asked before a parse whose result will
// be walked recursively. Right for valid JSON; of other text it says something that the parse will
// not need.
bool nests_deeper(std::string_view text, int depth);

namespace json_fields {

using namespace fields;

// States are always written, for people; a number that JSON cannot say never is.
template <class T, class... Default>
bool left_out(const T& value, const Default&... fallback) {
  if constexpr (sizeof...(Default) == 1)
    return (..., (value == fallback));
  else if constexpr (std::is_same_v<T, double>)
    return value == 0 || !std::isfinite(value);
  else if constexpr (std::is_arithmetic_v<T>)
    return value == T{};
  else if constexpr (kIsOptional<T>)
    return !value.has_value();
  else if constexpr (std::is_enum_v<T> || kIsStruct<T>)
    return false;
  else
    return value.empty();
}

}  // namespace json_fields

template <class Json, class T>
Json json_of(const T& value) {
  using namespace json_fields;
  if constexpr (std::is_enum_v<T>) {
    return Json(std::string(name(value)));
  } else if constexpr (kIsOptional<T>) {
    return json_of<Json>(*value);
  } else if constexpr (kIsList<T>) {
    Json list = Json::array();
    for (const auto& entry : value) list.push_back(json_of<Json>(entry));
    return list;
  } else if constexpr (kIsMap<T>) {
    Json object = Json::object();
    for (const auto& [key, entry] : value) object.emplace(key, json_of<Json>(entry));
    return object;
  } else if constexpr (kIsStruct<T>) {
    Json object = Json::object();
    each_field(value, [&](const char* key, const auto& member, const auto&... fallback) {
      if (left_out(member, fallback...)) return;
      object.emplace(key, json_of<Json>(member));
    });
    return object;
  } else {
    return Json(value);
  }
}

// What json_of() would make, straight into text, in the order of the fields: a large ledger is
// written often, and a tree of it costs more than its text.
template <class Json, class T>
void print_json(const T& value, std::string& out) {
  using namespace json_fields;
  if constexpr (std::is_same_v<T, std::string>) {
    const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
      return c >= ' ' && c <= '~' && c != '"' && c != '\\';
    });
    if (plain) {
      out.append(1, '"').append(value).append(1, '"');
    } else {
      out += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    out += std::to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    out.append(1, '"').append(name(value)).append(1, '"');
  } else if constexpr (kIsOptional<T>) {
    print_json<Json>(*value, out);
  } else if constexpr (kIsList<T>) {
    const char* separator = "";
    out += '[';
    for (const auto& entry : value) {
      out += separator;
      print_json<Json>(entry, out);
      separator = ",";
    }
    out += ']';
  } else if constexpr (kIsMap<T>) {
    const char* separator = "";
    out += '{';
    for (const auto& [key, entry] : value) {
      out += separator;
      print_json<Json>(key, out);
      out += ':';
      print_json<Json>(entry, out);
      separator = ",";
    }
    out += '}';
  } else if constexpr (kIsStruct<T>) {
    const char* separator = "";
    out += '{';
    each_field(value, [&](const char* key, const auto& member, const auto&... fallback) {
      if (left_out(member, fallback...)) return;
      out.append(separator).append(1, '"').append(key).append("\":");
      print_json<Json>(member, out);
      separator = ",";
    });
    out += '}';
  } else {
    out += Json(value).dump();
  }
}

template <class Json>
class JsonReader {
 public:
  // Takes what fits; false where the value is of another type, `value` then keeps its default.
  template <class T>
  bool read(const Json& json, T& value) {
    using namespace json_fields;
    if constexpr (std::is_same_v<T, std::string>) {
      const auto* text = json.template get_ptr<const std::string*>();
      if (text == nullptr) return miss();
      value = *text;
    } else if constexpr (std::is_same_v<T, bool>) {
      if (!json.is_boolean()) return miss();
      value = json.template get<bool>();
    } else if constexpr (std::is_same_v<T, double>) {
      if (!json.is_number()) return miss();
      if (!json.is_number_float()) exact_ = false;
      value = json.template get<double>();
    } else if constexpr (std::is_arithmetic_v<T>) {
      return read_integer(json, value);
    } else if constexpr (std::is_enum_v<T>) {
      const auto* text = json.template get_ptr<const std::string*>();
      if (text == nullptr || !named(*text, value)) return miss();
    } else if constexpr (kIsOptional<T>) {
      typename T::value_type entry{};
      if (!read(json, entry)) return false;
      value = std::move(entry);
    } else if constexpr (kIsList<T>) {
      if (!json.is_array()) return miss();
      value.clear();
      value.reserve(json.size());
      for (const Json& entry : json) {
        value.emplace_back();
        if (!read(entry, value.back())) value.pop_back();
      }
    } else if constexpr (kIsMap<T>) {
      if (!json.is_object()) return miss();
      for (auto entry = json.begin(); entry != json.end(); ++entry) {
        typename T::mapped_type mapped{};
        if (read(*entry, mapped)) value.emplace_hint(value.end(), entry.key(), std::move(mapped));
      }
    } else {
      if (!json.is_object()) return miss();
      if (read_fields(json, value) != json.size()) exact_ = false;
    }
    return true;
  }

  // The fields of one struct; how many keys of the object it took.
  template <class T>
  std::size_t read_fields(const Json& object, T& value) {
    std::size_t taken = 0;
    each_field(value, [&](const char* key, auto& member, const auto&... fallback) {
      const auto found = object.find(key);
      if (found == object.end() || !read(*found, member)) return;
      if (!json_fields::left_out(member, fallback...)) ++taken;
    });
    return taken;
  }

  // Whether json_of() would give back all that was read.
  bool exact() const { return exact_; }

 private:
  bool miss() {
    exact_ = false;
    return false;
  }

  template <class T>
  bool read_integer(const Json& json, T& value) {
    if (json.is_number_unsigned()) {
      const auto number = json.template get<std::uint64_t>();
      if (!std::in_range<T>(number)) return miss();
      value = static_cast<T>(number);
    } else if (json.is_number_integer()) {
      const auto number = json.template get<std::int64_t>();
      if (!std::in_range<T>(number)) return miss();
      value = static_cast<T>(number);
    } else {
      return miss();
    }
    return true;
  }

  bool exact_ = true;
};

}  // namespace gitplan
