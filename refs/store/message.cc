#include "refs/store/message.h"

#include <charconv>

#include "core/base/plain_text.h"
#include "core/ledger/ledger.h"

namespace gitplan {
namespace {

void add(std::string& message, std::string_view key, std::string_view value) {
  message += key;
  message += ": ";
  message += value;
  message += '\n';
}

int number(std::string_view text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && value >= 0 ? value : 0;
}

// The trailers "Plan-…" of a message, in order.
template <typename Take>
void each_trailer(std::string_view message, Take take) {
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const std::string_view line = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    if (!line.starts_with("Plan-")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos) take(line.substr(5, colon - 5), line.substr(colon + 2));
  }
}

struct Telling {  // what an event says in a subject; the higher weight of a flush is told
  int weight = 0;
  std::string text;
};

struct Teller {
  Telling operator()(const PlanCreated& e) const { return {90, "Create '" + e.title + "'"}; }
  Telling operator()(const DefinitionChanged& e) const {
    return {60, "Change the definition" + (e.reason.empty() ? "" : ": " + e.reason)};
  }
  Telling operator()(const SnapshotTaken&) const { return {5, "Take a snapshot of references"}; }
  Telling operator()(const PlanStateSet& e) const { return {80, "Set the state to " + e.state}; }
  Telling operator()(const PlanRenamed& e) const { return {85, "Rename to " + e.plan}; }
  Telling operator()(const RunStarted&) const { return {40, "Start a run"}; }
  Telling operator()(const RunResumed&) const { return {39, "Go on with a run"}; }
  Telling operator()(const RunWaits& e) const {
    return {38, e.reason.empty() ? "Wait no more" : "Wait for plan '" + e.plan + "'"};
  }
  Telling operator()(const BaseTaken& e) const {
    if (e.task.empty()) return {11, "Start from " + e.base.substr(0, 7)};
    return {11, "Start '" + e.task + "' in the working tree"};
  }
  Telling operator()(const TaskApproved& e) const { return {57, "Approve '" + e.task + "'"}; }
  Telling operator()(const RunEnded& e) const { return {75, "End a run: " + e.outcome}; }
  Telling operator()(const ControlRequested& e) const { return {50, "Ask the run to " + e.what}; }
  Telling operator()(const AttemptStarted& e) const {
    return {10, (e.lease > 0 ? "Take '" : "Start '") + e.task + "'"};
  }
  Telling operator()(const AttemptRenewed& e) const {
    return {9, "Go on with '" + e.task + "' by hand"};
  }
  Telling operator()(const AttemptEnded& e) const { return {20, "'" + e.task + "' " + e.outcome}; }
  Telling operator()(const TaskQueued& e) const { return {12, "Queue '" + e.task + "'"}; }
  Telling operator()(const TaskSet& e) const { return {55, "Set '" + e.task + "' to " + e.status}; }
  Telling operator()(const WaveStarted& e) const { return wave(13, "Start", e.wave); }
  Telling operator()(const WaveMerged& e) const { return wave(14, "Merge", e.wave); }
  Telling operator()(const WaveCommitted& e) const { return wave(15, "Commit", e.wave); }
  Telling operator()(const WaveVerified& e) const { return wave(16, "Verify", e.wave); }
  Telling operator()(const WaveCompleted& e) const { return wave(70, "Complete", e.wave); }
  Telling operator()(const WaveAbandoned& e) const { return wave(45, "Abandon", e.wave); }
  Telling operator()(const WaveRewritten& e) const { return wave(19, "Follow", e.wave); }
  Telling operator()(const LandingStarted&) const { return {17, "Begin to land"}; }
  Telling operator()(const Landed& e) const { return {72, "Land on " + e.branch}; }
  Telling operator()(const DecisionAsked& e) const {
    return {65, "Ask: " + (e.what.empty() ? e.kind : e.what)};
  }
  Telling operator()(const DecisionResolved& e) const {
    return {58, "Answer " + e.decision + ": " + e.option};
  }
  Telling operator()(const DecisionWithdrawn& e) const { return {18, "Withdraw " + e.decision}; }
  Telling operator()(const Remark& e) const { return {3, "Note: " + e.text}; }
  Telling operator()(const UnknownEvent& e) const { return {1, "Record " + e.type}; }

 private:
  static Telling wave(int weight, std::string_view what, int number_of_wave) {
    return {weight, std::string(what) + " wave " + std::to_string(number_of_wave)};
  }
};

// Not in the middle of a UTF-8 sequence.
void cut(std::string& text, std::size_t length) {
  if (text.size() <= length) return;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  text.resize(length);
}

}  // namespace

std::string compose_message(std::string_view subject, const Summary& summary,
                            std::string_view identity) {
  std::string first = one_line(subject);
  cut(first, 120);
  if (first.starts_with("Plan-")) first.insert(0, "plan: ");  // a trailer of ours it must not be
  std::string message = (first.empty() ? "Record events" : first) + "\n\n";
  add(message, "Plan-Id", summary.id);
  add(message, "Plan-Title", one_line(summary.title));
  add(message, "Plan-State", name(summary.state));
  add(message, "Plan-Progress", std::to_string(summary.done) + "/" + std::to_string(summary.total));
  for (const std::string& tag : summary.tags) add(message, "Plan-Tag", one_line(tag));
  add(message, "Plan-Created", to_rfc3339(summary.created));
  add(message, "Plan-Activity", to_rfc3339(summary.last_activity));
  for (const std::string& name : summary.former_names) add(message, "Plan-Was", one_line(name));
  if (summary.ttl_days > 0) add(message, "Plan-Ttl", std::to_string(summary.ttl_days));
  add(message, "Plan-Format", std::to_string(kStoreFormat));
  if (!identity.empty()) add(message, "Plan-Root", identity);
  return message;
}

std::optional<MessageFacts> parse_message(std::string_view message) {
  MessageFacts facts;
  bool good = true;
  each_trailer(message, [&](std::string_view key, std::string_view value) {
    Summary& summary = facts.summary;
    if (key == "Title") {
      summary.title = value;
    } else if (key == "State") {
      const auto state = plan_state(value);
      good = good && state.has_value();
      summary.state = state.value_or(PlanState::kActive);
    } else if (key == "Progress") {
      const std::size_t slash = value.find('/');
      summary.done = number(value.substr(0, slash));
      summary.total = slash == std::string_view::npos ? 0 : number(value.substr(slash + 1));
    } else if (key == "Tag") {
      summary.tags.emplace_back(value);
    } else if (key == "Was") {
      summary.former_names.emplace_back(value);
    } else if (key == "Created") {
      summary.created = from_rfc3339(value).value_or(0);
    } else if (key == "Activity") {
      summary.last_activity = from_rfc3339(value).value_or(0);
    } else if (key == "Ttl") {
      summary.ttl_days = number(value);
    } else if (key == "Format") {
      facts.format = number(value);
    } else if (key == "Root") {
      facts.identity = value;
    }
  });
  if (!good || facts.format == 0 || facts.summary.created == 0) return std::nullopt;
  return facts;
}

std::string purged_root(std::string_view message) {
  std::string root;
  each_trailer(message, [&root](std::string_view key, std::string_view value) {
    if ("Plan-" + std::string(key) == kPurgedTrailer) root = value;
  });
  return root;
}

std::string subject_of(const std::vector<Event>& events) {
  Telling best;
  for (const Event& event : events) {
    Telling telling = std::visit(Teller(), event.body);
    if (telling.weight >= best.weight) best = std::move(telling);
  }
  if (events.size() > 1) best.text += " (" + std::to_string(events.size()) + " events)";
  return std::move(best.text);
}

}  // namespace gitplan
