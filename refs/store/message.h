// The message of a plan's commit: all that `list` prints, as trailers, so that listing reads no
// tree.
//
// On disk: refs/store/FORMAT.md. Written by every flush, read by list() and for a plan's identity.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/journal/event.h"
#include "refs/store/store.h"

namespace gitplan {

// `identity` empty: this is the root commit.
std::string compose_message(std::string_view subject, const Summary& summary,
                            std::string_view identity);

// The root of the plan that this root was made in the place of (`delete --purge`); empty: of none.
std::string purged_root(std::string_view message);
inline constexpr std::string_view kPurgedTrailer = "Plan-Purged";

struct MessageFacts {
  Summary summary;
  std::string identity;  // of Plan-Root; empty in a root commit
  int format = 0;
};
// Nothing where it is not a message of ours. `id` and `tip` of the summary are the caller's to set.
std::optional<MessageFacts> parse_message(std::string_view message);

// What happened, for people who read `git log refs/plans/<id>`.
std::string subject_of(const std::vector<Event>& events);

}  // namespace gitplan
