// Store: every plan folded again from its journal and compared with what is stored.
#include <algorithm>
#include <filesystem>
#include <set>

#include "core/journal/event_codec.h"
#include "core/ledger/fold.h"
#include "core/ledger/ledger_codec.h"
#include "core/ledger/ledger_fields.h"
#include "core/plan/names.h"
#include "refs/store/message.h"
#include "refs/store/store_state.h"

namespace gitplan {
namespace {

class Check {
 public:
  Check(Store::State& state, std::string id, std::vector<Diagnostic>& found)
      : state_(state), id_(std::move(id)), found_(found) {}

  void run() {
    if (const auto fault = plan_id_fault(id_)) {
      report("bad-name", "refs/plans/" + id_ + " cannot be a plan: its name " + *fault,
             "'git update-ref -d refs/plans/" + id_ + "' removes it");
      return;
    }
    auto tip = state_.trees.tip(id_);
    if (!tip.ok()) {
      report("unreadable-plan", tip.error().message, tip.error().hint);
      return;
    }
    if (tip->format > kStoreFormat) {
      report("newer-format",
             "plan '" + id_ + "' is written in format " + std::to_string(tip->format) +
                 "; this git plan knows " + std::to_string(kStoreFormat),
             "install a newer git plan", Severity::kWarning);
      return;
    }
    chain(*tip);
    journal(*tip);
    ahead(*tip);
  }

 private:
  void report(std::string code, std::string message, std::string fix = {},
              Severity severity = Severity::kError) {
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.target = "refs/plans/" + id_;
    diagnostic.fix = std::move(fix);
    found_.push_back(std::move(diagnostic));
  }

  // Along the chain segments are only added, and every commit names the same root.
  void chain(const Tip& tip) {
    std::vector<git_oid> waiting{tip.commit.id};
    std::set<std::string> seen;
    while (!waiting.empty()) {
      const git_oid id = waiting.back();
      waiting.pop_back();
      if (!seen.insert(hex(id)).second) continue;
      auto commit = state_.trees.commit(id);
      if (!commit.ok()) {
        report("missing-commit", commit.error().message, "fetch the plan from another clone");
        continue;
      }
      if (commit->parents.empty() && hex(id) != tip.identity)
        report("two-roots",
               "the chain of plan '" + id_ + "' starts at " + hex(id) + " and at " + tip.identity);
      for (const git_oid& parent : commit->parents) {
        added_only(parent, *commit);
        waiting.push_back(parent);
      }
    }
  }

  void added_only(const git_oid& parent_id, const RawCommit& commit) {
    auto parent = state_.trees.commit(parent_id);
    if (!parent.ok()) return;  // reported where it is visited
    // Seen from the parent: what is there and not the same in the child was changed or removed.
    auto lost = state_.trees.segments(parent->tree, &commit.tree);
    if (!lost.ok()) {
      report("missing-tree", lost.error().message, "fetch the plan from another clone");
      return;
    }
    for (const Segment& segment : *lost)
      report("rewritten-segment",
             "commit " + hex(commit.id) + " changed or removed " + segment.path +
                 ", which never changes",
             "fetch the plan from another clone");
  }

  void journal(const Tip& tip) {
    auto segments = state_.trees.segments(tip.commit.tree);
    if (!segments.ok()) {
      report("missing-tree", segments.error().message, "fetch the plan from another clone");
      return;
    }
    std::vector<Event> events;
    std::map<std::string, Event> last;  // by actor
    bool whole = true;
    for (const Segment& segment : *segments) {
      auto text = state_.trees.blob(segment.blob);
      auto parsed = text.ok() ? parse_segment(*text) : Result<std::vector<Event>>(text.error());
      if (!parsed.ok()) {
        found_.push_back(segment_damage(segment.path, parsed.error()));
        found_.back().message.insert(0, "plan '" + id_ + "': ");
        whole = false;
        continue;
      }
      chain_of_ids(segment, *text, *parsed, last);
      std::move(parsed->begin(), parsed->end(), std::back_inserter(events));
    }
    clocks(events);
    if (whole) compare(tip, std::move(events));
  }

  // Each event's id follows from its content and from its actor's event before it.
  void chain_of_ids(const Segment& segment, std::string_view text, const std::vector<Event>& events,
                    std::map<std::string, Event>& last) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const Event& event = events[i];
      const std::string where = segment.path + " line " + std::to_string(i + 1);
      if (event.actor != segment.actor)
        report("wrong-actor",
               where + ": an event of actor " + event.actor + " in a segment of " + segment.actor);
      const auto before_it = last.find(event.actor);
      if (!id_fits(line, before_it == last.end() ? "" : before_it->second.id))
        report("wrong-id",
               where + ": the id " + event.id +
                   " does not follow from the event and the one before it",
               "the event was changed after it was written; fetch the plan from another clone");
      if (before_it != last.end() && event.clock <= before_it->second.clock)
        report("wrong-clock", where + ": clock " + std::to_string(event.clock) +
                                  " does not come after " +
                                  std::to_string(before_it->second.clock));
      last[event.actor] = event;
    }
  }

  void clocks(const std::vector<Event>& events) {
    std::uint64_t highest = 0;
    for (const Event& event : events) highest = std::max(highest, event.clock);
    if (highest > events.size())
      report("wrong-clock", "plan '" + id_ + "' has " + std::to_string(events.size()) +
                                " events and a clock of " + std::to_string(highest));
  }

  void compare(const Tip& tip, std::vector<Event> events) {
    const Ledger ledger = fold(std::move(events));
    expect(tip, "ledger.json", ledger_to_json(ledger), "stale-ledger");
    for (const std::string& oid : ledger.definition_history) {
      auto entry =
          state_.trees.entry(tip.commit.tree, "definitions/" + oid.substr(0, 2) + "/" + oid);
      git_oid id;
      if (!entry.ok() || !*entry || !parse_oid(oid, id) || !git_oid_equal(&id, &**entry) ||
          !state_.trees.blob(id).ok())
        report("missing-definition", "plan '" + id_ + "' lacks the definition " + oid,
               "fetch the plan from another clone");
    }
    if (!ledger.heads.empty()) {
      const auto plan = state_.trees.entry(tip.commit.tree, "plan.md");
      const auto wanted = state_.settled(ledger, tip.identity, {});
      if (wanted.ok() && (!plan.ok() || !*plan || hex(**plan) != wanted->definition->oid))
        report("stale-plan",
               "plan.md of plan '" + id_ + "' is not its definition " + wanted->definition->oid,
               "the next change writes it again", Severity::kWarning);
    }
    const auto facts = parse_message(tip.commit.message);
    if (!facts || facts->summary.state != ledger.state)
      if (ledger.heads.size() == 1)
        report("stale-summary",
               "the message of " + hex(tip.commit.id) + " does not say the state '" +
                   std::string(name(ledger.state)) + "'",
               "the next change writes it again", Severity::kWarning);
    const auto cached = state_.ledgers.read(tip.identity);
    if (cached && cached->key == hex(tip.commit.id) &&
        ledger_to_json(cached->value) != ledger_to_json(ledger))
      report("wrong-cache", "the cached ledger of plan '" + id_ + "' is not what its journal says",
             "remove " + state_.local_dir + "/cache", Severity::kWarning);
  }

  void expect(const Tip& tip, const std::string& path, const std::string& text,
              const std::string& code) {
    const auto entry = state_.trees.entry(tip.commit.tree, path);
    if (entry.ok() && *entry && hex(**entry) == Store::blob_id(text)) return;
    report(code, path + " of plan '" + id_ + "' is not what its journal folds to",
           "the next change writes it again", Severity::kWarning);
  }

  void ahead(const Tip& tip) {
    const WriteAhead file = state_.write_ahead(tip.identity);
    const auto records = file.read();
    if (!records.ok()) {
      report("unreadable-write-ahead", records.error().message, records.error().hint);
    } else if (file.damaged()) {
      report("damaged-write-ahead", file.path() + " has damaged records before its last one",
             "the next change keeps it as " + file.path() + ".damaged");
    }
    std::error_code ignored;
    if (std::filesystem::exists(file.path() + ".damaged", ignored))
      report("damaged-write-ahead", file.path() + ".damaged holds records that could not be read",
             "look at it and remove it", Severity::kWarning);
  }

  Store::State& state_;
  std::string id_;
  std::vector<Diagnostic>& found_;
};

}  // namespace

Result<std::vector<Diagnostic>> Store::fsck() const {
  GITPLAN_TRY_ASSIGN(const auto plans, state_->trees.refs_below(kPlanRefs));
  std::vector<Diagnostic> found;
  for (const auto& [id, tip] : plans)
    if (id != kMemoryPlan) Check(*state_, id, found).run();
  return found;
}

}  // namespace gitplan
