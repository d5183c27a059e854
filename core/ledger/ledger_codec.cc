#include "core/ledger/ledger_codec.h"

#include <nlohmann/json.hpp>

#include "core/journal/json_fields.h"
#include "core/ledger/ledger_fields.h"

namespace gitplan {

// json_fields.h asks for these by the enum.
template <class Enum>
static bool take(std::optional<Enum> found, Enum& value) {
  if (found) value = *found;
  return found.has_value();
}
static bool named(std::string_view word, PlanState& value) { return take(plan_state(word), value); }
static bool named(std::string_view word, TaskStatus& value) {
  return take(task_status(word), value);
}
static bool named(std::string_view word, WavePhase& value) { return take(wave_phase(word), value); }

namespace {

using nlohmann::json;

constexpr int kFormat = 1;
constexpr int kMaxDepth = 64;

// One entry a line: a diff between two states of a plan shows what happened.
template <class T>
void print_member(const T& member, std::string& out) {
  if constexpr (fields::kIsMap<T> || fields::kIsList<T>) {
    out += fields::kIsMap<T> ? '{' : '[';
    const char* separator = "\n";
    for (const auto& entry : member) {
      out += separator;
      if constexpr (fields::kIsMap<T>) {
        print_json<json>(entry.first, out);
        out += ':';
        print_json<json>(entry.second, out);
      } else {
        print_json<json>(entry, out);
      }
      separator = ",\n";
    }
    out += fields::kIsMap<T> ? "\n}" : "\n]";
  } else {
    print_json<json>(member, out);
  }
}

Error unreadable(std::string what) {
  return error(ErrorCode::kInvalid, "the ledger " + std::move(what),
               "it can be folded again from the journal");
}

}  // namespace

std::string ledger_to_json(const Ledger& ledger) {
  std::string out = "{\"format\":" + std::to_string(kFormat) +
                    ",\n\"note\":\"folded from the journal; changes made here have no effect\"";
  each_field(ledger, [&](const char* key, const auto& member) {
    if (json_fields::left_out(member)) return;
    out.append(",\n\"").append(key).append("\":");
    print_member(member, out);
  });
  out += "\n}\n";
  return out;
}

Result<Ledger> ledger_from_json(std::string_view text) {
  if (nests_deeper(text, kMaxDepth))
    return unreadable("nests deeper than " + std::to_string(kMaxDepth) + " levels");
  try {
    const json object = json::parse(text);
    if (!object.is_object()) return unreadable("is not a JSON object");
    int format = 0;
    JsonReader<json> reader;
    const auto found = object.find("format");
    if (found == object.end() || !reader.read(*found, format)) return unreadable("has no format");
    if (format != kFormat)
      return unreadable("has format " + std::to_string(format) + ", this version reads " +
                        std::to_string(kFormat));
    Ledger ledger;
    reader.read_fields(object, ledger);
    return ledger;
  } catch (const json::parse_error& fault) {
    return unreadable("is not valid JSON at byte " + std::to_string(fault.byte));
  } catch (const json::out_of_range&) {
    return unreadable("holds a number that is out of range");
  }
}

}  // namespace gitplan
