// Reading one plan: the ledger at a tip, the records that are not yet there, the definition.
#include <algorithm>
#include <ctime>

#include "core/journal/event_codec.h"
#include "core/ledger/fold.h"
#include "core/ledger/ledger_fields.h"
#include "core/ledger/readiness.h"
#include "core/plan/definition_fields.h"
#include "refs/store/store_state.h"

namespace gitplan {
namespace {

// How many commits a cached tip may be behind before the journal is folded anew.
constexpr int kCatchUp = 256;
// In bytes: reading its YAML takes longer than another file does.
constexpr std::size_t kLargeDefinition = 64u << 10;

bool descends(const PlanTrees& trees, const RawCommit& tip, const git_oid& older) {
  RawCommit at = tip;
  for (int i = 0; i < kCatchUp && !at.parents.empty(); ++i) {
    for (const git_oid& parent : at.parents)
      if (git_oid_equal(&parent, &older)) return true;
    auto next = trees.commit(at.parents.front());
    if (!next.ok()) return false;
    at = std::move(next).value();
  }
  return false;
}

// All of them come after what the ledger has seen, so that it can simply go on.
bool follows(const Ledger& ledger, const std::vector<Event>& events) {
  return std::all_of(events.begin(), events.end(),
                     [&ledger](const Event& event) { return event.clock > ledger.clock; });
}

}  // namespace

Millis current_time() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<Millis>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

// Two heads that do not merge: no event says that, and nothing of the plan runs.
PlanState shown_state(const Ledger& ledger, bool conflicted) {
  return conflicted && ledger.state != PlanState::kDeleted ? PlanState::kConflicted : ledger.state;
}

const std::string& Store::State::self() {
  if (!actor.id.empty()) return actor.id;
  if (self_.empty()) {
    const auto known = known_actor(local_dir);
    self_ = known.ok() && *known ? (*known)->id : "-";
  }
  return self_;
}

Summary summary_of(std::string_view id, const Plan& plan, const Ledger& ledger, PlanState state) {
  Summary summary;
  summary.id = id;
  summary.title = plan.title.empty() ? ledger.title : plan.title;
  summary.state = state;
  summary.former_names = ledger.former_names;
  const Progress at = progress(plan, ledger);
  summary.done = at.done;
  summary.total = at.total;
  summary.tags = plan.tags;
  summary.created = ledger.created;
  summary.last_activity = ledger.last_activity;
  summary.ttl_days = plan.ttl_days.value_or(0);
  return summary;
}

std::vector<Event> Store::State::not_in(const Ledger& ledger, const std::vector<Event>& records) {
  std::vector<Event> fresh;
  for (const Event& event : records) {
    const auto actor_known = ledger.actors.find(event.actor);
    if (actor_known == ledger.actors.end() || event.clock > actor_known->second.clock)
      fresh.push_back(event);
  }
  return fresh;
}

Result<std::vector<Event>> Store::State::not_at(const Tip& tip, const std::vector<Event>& records) {
  if (memory_ && memory_->tip == hex(tip.commit.id)) return not_in(memory_->ledger, records);
  GITPLAN_TRY_ASSIGN(const Folded at_tip, fold_at(tip));
  return not_in(at_tip.ledger, records);
}

void Store::State::remember(const std::string& identity, const std::string& tip, Ledger ledger,
                            Saved saved) {
  if (memory_ && memory_->identity != identity) save();
  memory_ = Memory{identity, tip, std::move(ledger), saved};
}

void Store::State::save() const {
  if (memory_ && memory_->saved == Saved::kNo)
    ledgers.write(memory_->identity, memory_->tip, memory_->ledger);
}

Store::State::~State() { save(); }

Result<Folded> Store::State::fold_at(const Tip& tip, Keep keep) {
  const std::string id = hex(tip.commit.id);
  if (memory_ && memory_->tip == id) {
    if (keep != Keep::kTaken) return Folded{memory_->ledger, {}};
    Folded taken{std::move(memory_->ledger), {}};
    memory_.reset();
    return taken;
  }

  Folded folded;
  std::optional<PackedCache<Ledger>::Entry> older;
  if (memory_ && memory_->identity == tip.identity)
    older = {memory_->tip, memory_->ledger};
  else
    older = ledgers.read(tip.identity);
  if (older && older->key == id) {
    if (keep == Keep::kYes) remember(tip.identity, id, older->value, Saved::kYes);
    return Folded{std::move(older->value), {}};
  }
  git_oid older_id;
  if (older && parse_oid(older->key, older_id) && descends(trees, tip.commit, older_id)) {
    GITPLAN_TRY_ASSIGN(const RawCommit before, trees.commit(older_id));
    GITPLAN_TRY_ASSIGN(const auto segments, trees.segments(tip.commit.tree, &before.tree));
    GITPLAN_TRY_ASSIGN(const auto events, trees.events(segments, folded.damage));
    if (folded.damage.empty() && follows(older->value, events)) {
      folded.ledger = std::move(older->value);
      for (const Event& event : events) apply(folded.ledger, event);
      if (keep != Keep::kTaken)
        remember(tip.identity, id, folded.ledger, events.empty() ? Saved::kYes : Saved::kNo);
      return folded;
    }
    folded.damage.clear();
  }
  GITPLAN_TRY_ASSIGN(const auto segments, trees.segments(tip.commit.tree));
  GITPLAN_TRY_ASSIGN(auto events, trees.events(segments, folded.damage));
  folded.ledger = fold(std::move(events));
  if (folded.damage.empty() && keep != Keep::kTaken)
    remember(tip.identity, id, folded.ledger, Saved::kNo);
  return folded;
}

Result<Folded> Store::State::fold_with(const Tip& tip, const std::vector<Event>& records,
                                       Keep keep) {
  GITPLAN_TRY_ASSIGN(Folded folded, fold_at(tip, keep));
  std::vector<Event> fresh = not_in(folded.ledger, records);
  if (follows(folded.ledger, fresh)) {
    std::stable_sort(fresh.begin(), fresh.end(), before);
    for (const Event& event : fresh) apply(folded.ledger, event);
    return folded;
  }
  // A pull brought events that come after some of these.
  folded.damage.clear();
  GITPLAN_TRY_ASSIGN(const auto segments, trees.segments(tip.commit.tree));
  GITPLAN_TRY_ASSIGN(auto events, trees.events(segments, folded.damage));
  events.insert(events.end(), fresh.begin(), fresh.end());
  folded.ledger = fold(std::move(events));
  return folded;
}

Result<std::string> Store::State::definition_text(std::string_view oid,
                                                  std::string_view identity) const {
  if (auto waiting = Pending(local_dir, identity).definition(oid)) return std::move(*waiting);
  git_oid id;
  if (!parse_oid(oid, id))
    return error(ErrorCode::kInvalid, "'" + std::string(oid) + "' names no definition");
  return trees.blob(id);
}

Result<ParsedDefinition> Store::State::read_definition(std::string_view oid,
                                                       std::string_view identity,
                                                       const std::string* text) const {
  if (auto known = definitions.read(identity); known && known->key == oid)
    return std::move(known->value);
  ParsedDefinition fresh;
  fresh.oid = oid;
  if (text != nullptr) {
    fresh.text = *text;
  } else {
    GITPLAN_TRY_ASSIGN(fresh.text, definition_text(oid, identity));
  }
  auto plan = parse_plan(fresh.text);
  if (plan.ok()) {
    fresh.plan = std::move(plan->plan);
    fresh.warnings = std::move(plan->warnings);
    if (!identity.empty() && fresh.text.size() >= kLargeDefinition)
      definitions.write(identity, oid, fresh);
  } else {  // written by plain git, or by a newer program: shown, but nothing of it runs
    fresh.warnings = std::move(plan.error().diagnostics);
    if (!has_error(fresh.warnings)) {
      Diagnostic diagnostic;
      diagnostic.code = "unreadable-definition";
      diagnostic.message = plan.error().message;
      diagnostic.file = "plan.md";
      fresh.warnings.push_back(std::move(diagnostic));
    }
  }
  return fresh;
}

Result<const ParsedDefinition*> Store::State::parsed(std::string_view oid,
                                                     std::string_view identity,
                                                     const std::string* text) {
  if (!parsed_ || parsed_->oid != oid) {
    GITPLAN_TRY_ASSIGN(parsed_, read_definition(oid, identity, text));
  }
  return &*parsed_;
}

Status Store::State::complete(PlanView& view, Keep keep) {
  if (view.ledger.heads.empty()) {
    Diagnostic diagnostic;
    diagnostic.code = "no-definition";
    diagnostic.message = "the journal of '" + view.id + "' names no definition";
    view.warnings.push_back(std::move(diagnostic));
    view.plan.title = view.ledger.title.empty() ? view.id : view.ledger.title;
    return {};
  }
  const std::string& head = view.ledger.heads.front();
  bool conflicted = false;
  auto definition = [&]() -> Result<ParsedDefinition> {
    const bool one = view.ledger.heads.size() == 1;
    if (one && keep == Keep::kNo && (!parsed_ || parsed_->oid != head))
      return read_definition(head, view.identity, nullptr);
    GITPLAN_TRY_ASSIGN(const Settled found, settled(view.ledger, view.identity, {}));
    conflicted = found.conflicted;
    view.conflict = found.conflict;
    return *found.definition;
  }();
  if (!definition.ok()) {
    Diagnostic diagnostic;
    diagnostic.code = "missing-definition";
    diagnostic.message = definition.error().message;
    diagnostic.target = view.ledger.heads.front();
    view.warnings.push_back(std::move(diagnostic));
    view.plan.title = view.ledger.title;
    return {};
  }
  view.definition = std::move(definition->oid);
  view.text = std::move(definition->text);
  view.plan = std::move(definition->plan);
  if (view.plan.title.empty()) view.plan.title = view.ledger.title;
  view.warnings.insert(view.warnings.end(), definition->warnings.begin(),
                       definition->warnings.end());
  view.ledger.state = shown_state(view.ledger, conflicted);
  return {};
}

Result<PlanView> Store::State::view_of(std::string_view id, const Tip& tip,
                                       const std::vector<Event>& records, PlanState* folded_state,
                                       Keep keep) {
  GITPLAN_TRY_ASSIGN(Folded folded, fold_with(tip, records, keep));
  if (folded_state != nullptr) *folded_state = folded.ledger.state;
  PlanView view;
  view.id = id;
  view.identity = tip.identity;
  view.tip = hex(tip.commit.id);
  view.format = tip.format;
  view.ledger = std::move(folded.ledger);
  view.ledger.self = self();
  view.warnings = std::move(folded.damage);
  GITPLAN_TRY(complete(view, keep));
  return view;
}

Result<PlanView> Store::State::view(std::string_view id) {
  GITPLAN_TRY_ASSIGN(Tip tip, trees.tip(id));
  const WriteAhead file = write_ahead(tip.identity);
  GITPLAN_TRY_ASSIGN(const std::vector<Event> records, file.read());
  // The file first and then the ref: a flush in between leaves an event in both, never in neither.
  GITPLAN_TRY_ASSIGN(const git_oid now, trees.ref_target(id));
  if (!git_oid_equal(&now, &tip.commit.id)) {
    GITPLAN_TRY_ASSIGN(tip, trees.at(id, now));
  }
  return view_of(id, tip, records, nullptr, Keep::kNo);
}

}  // namespace gitplan
