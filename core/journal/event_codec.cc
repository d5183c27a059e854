#include "core/journal/event_codec.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "core/base/sha256.h"
#include "core/journal/event_fields.h"
#include "core/journal/json_fields.h"

namespace gitplan {
namespace {

using nlohmann::json;

constexpr std::size_t kIdDigits = 20;
constexpr std::size_t kActorDigits = 12;

std::string canonical(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string id_of(const json& without_id, std::string_view previous_id) {
  return sha256_hex(std::string(previous_id) + canonical(without_id)).substr(0, kIdDigits);
}

json json_without_id(const Event& event) {
  json object = std::visit([](const auto& body) { return json_of<json>(body); }, event.body);
  object["actor"] = event.actor;
  object["clock"] = event.clock;
  object["time"] = event.time;
  object["type"] = type_of(event.body);
  return object;
}

// Cuts texts to `size` bytes and lists to `size` entries, at every depth.
struct Shortener {
  std::size_t size;

  template <class T>
  void cut(T& value) const {
    if constexpr (std::is_same_v<T, std::string>) {
      if (value.size() <= size) return;
      std::size_t end = size;
      while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;
      value.resize(end);
    } else if constexpr (fields::kIsList<T>) {
      if (value.size() > size) value.resize(size);
      for (auto& entry : value) cut(entry);
    } else if constexpr (fields::kIsMap<T>) {
      while (value.size() > size) value.erase(std::prev(value.end()));
      for (auto& entry : value) cut(entry.second);
    } else if constexpr (fields::kIsStruct<T>) {
      each_field(value, [this](const char*, auto& member, const auto&...) { this->cut(member); });
    }
  }
};

void shorten(EventBody& body, std::size_t size) {
  std::visit([&](auto& known) { Shortener{size}.cut(known); }, body);
  if (auto* ended = std::get_if<AttemptEnded>(&body)) {
    static const std::string kNote = "left more than its record holds";
    if (ended->remarks.empty() || ended->remarks.front() != kNote)
      ended->remarks.insert(ended->remarks.begin(), kNote);
  }
}

Result<json> parse_object(std::string_view line) {
  if (line.size() > kMaxEventBytes)
    return error(ErrorCode::kInvalid, "an event of " + std::to_string(line.size()) +
                                          " bytes is longer than the " +
                                          std::to_string(kMaxEventBytes) + " that are read");
  if (nests_deeper(line, kMaxEventDepth))
    return error(ErrorCode::kInvalid, "the JSON of an event nests deeper than " +
                                          std::to_string(kMaxEventDepth) + " levels");
  try {
    json object = json::parse(line);
    if (!object.is_object()) return error(ErrorCode::kInvalid, "an event must be a JSON object");
    return object;
  } catch (const json::parse_error& fault) {
    return error(ErrorCode::kInvalid,
                 "an event is not valid JSON at byte " + std::to_string(fault.byte));
  } catch (const json::out_of_range&) {  // a number like 1e999
    return error(ErrorCode::kInvalid, "an event holds a number that is out of range");
  }
}

// Says which key an event must have and this one has not.
Error lacks(std::string_view key, std::string_view what) {
  return error(ErrorCode::kInvalid,
               "an event needs \"" + std::string(key) + "\": " + std::string(what));
}

template <std::size_t... Index>
EventBody body_of_type(std::string_view type, std::index_sequence<Index...>) {
  EventBody body = UnknownEvent{std::string(type)};
  const auto try_one = [&]<class Body>(std::in_place_type_t<Body>) {
    if (kTypeOf<Body> != type || type.empty()) return false;
    body = Body{};
    return true;
  };
  (void)(... || try_one(std::in_place_type<std::variant_alternative_t<Index, EventBody>>));
  return body;
}

// The body's fields, over defaults of its type. False where the object holds more than they do.
bool read_body(const json& object, Event& event) {
  constexpr std::size_t kOwnKeys = 4;  // actor, clock, time, type
  JsonReader<json> reader;
  return std::visit(
      [&](auto& body) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(body)>, UnknownEvent>) body = {};
        const std::size_t taken =
            kOwnKeys + (object.contains("id") ? 1 : 0) + reader.read_fields(object, body);
        return taken == object.size() && reader.exact();
      },
      event.body);
}

}  // namespace

std::string to_line(const Event& event) {
  if (!event.as_read.empty()) return event.as_read;
  json object = json_without_id(event);
  object["id"] = event.id;
  return canonical(object);
}

Event stamp(EventBody body, std::string_view actor, std::string_view previous_id,
            std::uint64_t clock, Millis time) {
  Event event{{},
              std::string(actor),
              std::min(clock, kMaxClock),
              std::clamp<Millis>(time, 0, kMaxTime),
              std::move(body),
              {}};
  constexpr std::size_t kIdMember = sizeof(R"("id":"",)") - 1 + kIdDigits;
  std::string text = canonical(json_without_id(event));
  for (std::size_t size = 1u << 16; size > 0 && text.size() + kIdMember > kMaxEventBytes;
       size /= 2) {
    shorten(event.body, size);
    text = canonical(json_without_id(event));
  }
  // Read back, so that what this process folds is what every other one will.
  const json object = json::parse(text);
  event.id = id_of(object, previous_id);
  read_body(object, event);
  return event;
}

Result<Event> from_line(std::string_view line) {
  GITPLAN_TRY_ASSIGN(const json object, parse_object(line));
  Event event;
  const auto read = [&](const char* key, auto& member) {
    const auto found = object.find(key);
    return found != object.end() && JsonReader<json>().read(*found, member);
  };
  std::string type;
  if (!read("id", event.id) || !is_hex(event.id, kIdDigits))
    return lacks("id", "20 lower-case hex digits");
  if (!read("actor", event.actor) || !is_hex(event.actor, kActorDigits))
    return lacks("actor", "12 lower-case hex digits");
  if (!read("clock", event.clock) || event.clock > kMaxClock)
    return lacks("clock", "a whole number from 0 to " + std::to_string(kMaxClock));
  if (!read("time", event.time) || event.time < 0 || event.time > kMaxTime)
    return lacks("time", "milliseconds from 0 to " + std::to_string(kMaxTime));
  if (!read("type", type) || type.empty()) return lacks("type", "a word");
  event.body = body_of_type(type, std::make_index_sequence<std::variant_size_v<EventBody>>());
  if (!read_body(object, event)) event.as_read = canonical(object);
  return event;
}

bool id_fits(std::string_view line, std::string_view previous_id) {
  auto object = parse_object(line);
  if (!object || canonical(*object) != line) return false;
  const auto found = object->find("id");
  if (found == object->end() || !found->is_string()) return false;
  const std::string id = found->get<std::string>();
  object->erase(found);
  return id == id_of(*object, previous_id);
}

Result<std::vector<Event>> parse_segment(std::string_view text) {
  std::vector<Event> events;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    auto event = from_line(text.substr(0, end));
    if (!event) return std::move(event).error().in("line " + std::to_string(number));
    events.push_back(std::move(event).value());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return events;
}

bool before(const Event& a, const Event& b) {
  return std::tie(a.clock, a.id) < std::tie(b.clock, b.id);
}

}  // namespace gitplan
