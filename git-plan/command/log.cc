// `git plan log`: who changed what of a plan, and when, newest first.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/journal/event_codec.h"
#include "core/ledger/fold.h"
#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/view/event_lines.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

// What a reader of a run does not need told, but a reader of the history does.
struct Words {
  std::string operator()(const PlanCreated& e) const {
    return e.from.empty() ? "created" : "created from " + e.from;
  }
  std::string operator()(const DefinitionChanged& e) const {
    const std::string merged = e.replaces.size() > 1 ? ", replacing two that did not merge" : "";
    return "definition changed by " + (e.reason.empty() ? "another clone" : e.reason) + merged;
  }
  std::string operator()(const PlanStateSet& e) const {
    return spoken(e.state) + (e.reason.empty() ? "" : ": " + e.reason);
  }
  std::string operator()(const PlanRenamed& e) const {
    return "renamed from " + e.before + ": another plan has that name";
  }
  std::string operator()(const RunEnded& e) const {
    return "run " + e.run + " ended: " + outcome_text(e.outcome) +
           (e.reason.empty() ? "" : ", " + e.reason);
  }
  std::string operator()(const UnknownEvent& e) const {
    return "'" + e.type + "', of a newer version";
  }
  template <typename Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

// `misfits`: how many there were before the event.
std::vector<EventLine> lines_of(const Event& event, std::size_t misfits, const Ledger& after) {
  if (after.misfits.size() > misfits)
    return {
        {spoken(type_of(event.body)) + " had no effect: " + after.misfits.back().why, Style::kDim}};
  if (std::string text = std::visit(Words{}, event.body); !text.empty())
    return {{one_line(text, 2000), Style::kPlain}};
  return event_lines(event, after);
}

// The name that an actor's commits carry; the actor itself where there is none.
class Names {
 public:
  Names(const Repository& repository, std::string plan)
      : repository_(repository), plan_(std::move(plan)) {}

  const std::string& of(const std::string& actor) {
    const auto known = names_.find(actor);
    if (known != names_.end()) return known->second;
    const Result<std::string> found = repository_.git().read(
        {"log", "-1", "--format=%an", "refs/plans/" + plan_, "--", "journal/" + actor});
    const bool good = found && !found->empty();
    return names_[actor] = good ? one_line(*found, 20) : actor;
  }

 private:
  const Repository& repository_;
  std::string plan_;
  std::map<std::string, std::string> names_;
};

Result<int> print_json(Context& context, const std::string& id, const std::vector<Event>& events) {
  auto all = nlohmann::ordered_json::array();
  for (auto event = events.rbegin(); event != events.rend(); ++event)
    all.push_back(nlohmann::ordered_json::parse(to_line(*event)));
  for (auto& event : all)
    if (event["time"].is_number()) event["time"] = to_rfc3339(event["time"].get<Millis>());
  context.out().line(json_text({{"schema", 1}, {"plan", id}, {"events", all}}));
  return 0;
}

Result<int> log(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const std::string id, store->resolve(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(const std::vector<Event> events, store->journal(id));
  if (context.json()) return print_json(context, id, events);

  Output& out = context.out();
  context.page();
  struct Entry {
    const Event* event;
    std::vector<EventLine> lines;
  };
  std::vector<Entry> entries;
  Ledger ledger;
  for (const Event& event : events) {
    const std::size_t misfits = ledger.misfits.size();
    apply(ledger, event);
    entries.push_back({&event, lines_of(event, misfits, ledger)});
  }
  Names names(*repository, id);
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    for (const EventLine& line : entry->lines) {
      const Event& event = *entry->event;
      out.line(
          out.styled(Style::kWarn, short_id(event.id)) + "  " +
          out.styled(Style::kDim, date_of(event.time) + " " + time_of(event.time).substr(0, 8)) +
          "  " + names.of(event.actor) + "  " + out.styled(line.style, line.text));
    }
  return 0;
}

}  // namespace

const CommandInfo kLogCommand{
    .name = "log",
    .summary = "Say who changed what of a plan, and when",
    .usage = "git plan log <plan> [--json]",
    .group = Group::kPlans,
    .json = true,
    .positionals = {{"<plan>", true, false, Completes::kPlan}},
    .run = log,
};

}  // namespace gitplan
