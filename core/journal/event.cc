#include "core/journal/event.h"

#include "core/journal/event_fields.h"

namespace gitplan {

std::string_view type_of(const EventBody& body) {
  return std::visit(
      [](const auto& known) -> std::string_view {
        using Body = std::decay_t<decltype(known)>;
        if constexpr (std::is_same_v<Body, UnknownEvent>) {
          return known.type;
        } else {
          static_assert(!kTypeOf<Body>.empty(), "every event has a type on disk");
          return kTypeOf<Body>;
        }
      },
      body);
}

}  // namespace gitplan
