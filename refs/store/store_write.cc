// Store: writing. Events are stamped and checked under the lock of the plan's write-ahead file.
#include <algorithm>

#include "core/journal/event_codec.h"
#include "core/ledger/fold.h"
#include "core/plan/names.h"
#include "refs/store/run_lock.h"
#include "refs/store/store_state.h"

namespace gitplan {
namespace {

Error refused(std::string_view id, std::string_view why) {
  return error(ErrorCode::kRefused, "plan '" + std::string(id) + "': " + std::string(why));
}

// Stamps the bodies one by one onto the ledger; each sees what those before it did.
Result<std::vector<Event>> stamp_all(std::string_view id, std::vector<EventBody> bodies,
                                     const std::string& actor, Ledger& ledger) {
  std::vector<Event> events;
  events.reserve(bodies.size());
  const Millis now = current_time();
  for (EventBody& body : bodies) {
    if (const std::string why = misfit(ledger, body); !why.empty()) return refused(id, why);
    const auto known = ledger.actors.find(actor);
    const std::string previous = known == ledger.actors.end() ? "" : known->second.last_id;
    events.push_back(stamp(std::move(body), actor, previous, ledger.clock + 1, now));
    apply(ledger, events.back());
  }
  return events;
}

Status check_attachments(const std::vector<Attachment>& attachments) {
  for (const Attachment& attachment : attachments)
    if (const std::string fault = attachment_fault(attachment.path); !fault.empty())
      return error(ErrorCode::kInvalid, "the path '" + attachment.path + "' " + fault);
  return {};
}

// A ref's name in another case would be the same file on some systems.
bool same_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return low(x) == low(y);
  });
}

Result<std::optional<std::string>> taken_by(const PlanTrees& trees, std::string_view id) {
  GITPLAN_TRY_ASSIGN(const auto plans, trees.refs_below(kPlanRefs));
  for (const auto& [other, tip] : plans)
    if (same_without_case(other, id)) return std::optional<std::string>(other);
  return std::optional<std::string>();
}

}  // namespace

Result<PlanView> Store::create(std::string_view id, std::string_view text, const Plan& plan,
                               std::vector<EventBody> bodies, std::string_view subject) {
  if (const auto fault = plan_id_fault(id))
    return error(ErrorCode::kInvalid, "'" + std::string(id) + "' cannot name a plan: it " + *fault);
  GITPLAN_TRY_ASSIGN(const auto taken, taken_by(state_->trees, id));
  if (taken)
    return error(ErrorCode::kRefused, "a plan '" + *taken + "' exists already",
                 "give another title or id");
  GITPLAN_TRY(state_->need_actor());

  Addition addition;
  const std::string oid = blob_id(text);
  addition.definitions[oid] = text;
  addition.subject = subject;
  for (EventBody& body : bodies)
    if (auto* created = std::get_if<PlanCreated>(&body)) {
      if (created->plan.empty()) created->plan = id;
      if (created->title.empty()) created->title = plan.title;
      if (created->definition.empty()) created->definition = oid;
    }
  Ledger ledger;
  GITPLAN_TRY_ASSIGN(addition.events, stamp_all(id, std::move(bodies), state_->actor.id, ledger));
  GITPLAN_TRY_ASSIGN(const Tip tip, state_->commit_root(id, addition, ledger));
  return state_->view_of(id, tip, {});
}

Result<PlanView> Store::change(std::string_view id,
                               const std::function<Result<Change>(const PlanView&)>& decide,
                               bool flush_now) {
  State& state = *state_;
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  GITPLAN_TRY_ASSIGN(Tip tip, state.trees.tip(id));
  GITPLAN_TRY(state.check_writable(id, tip));
  GITPLAN_TRY(state.need_actor());
  WriteAhead file = state.write_ahead(tip.identity);
  GITPLAN_TRY_ASSIGN(auto locked, file.lock());

  GITPLAN_TRY_ASSIGN(tip, state.trees.tip(id));
  GITPLAN_TRY(state.check_writable(id, tip));
  PlanState folded_state = PlanState::kActive;
  GITPLAN_TRY_ASSIGN(PlanView view, state.view_of(id, tip, locked.records(), &folded_state));
  for (const Diagnostic& diagnostic : view.warnings)
    if (diagnostic.code == "damaged-segment")
      return error(
          ErrorCode::kInvalid,
          "the journal of plan '" + std::string(id) + "' is damaged: " + diagnostic.message,
          diagnostic.fix);
  GITPLAN_TRY_ASSIGN(Change change, decide(view));
  if (change.bodies.empty() && change.attachments.empty()) return view;
  GITPLAN_TRY(check_attachments(change.attachments));

  view.ledger.state = folded_state;
  GITPLAN_TRY_ASSIGN(const std::vector<Event> events,
                     stamp_all(id, std::move(change.bodies), state.actor.id, view.ledger));

  Addition addition;
  for (std::string& text : change.definitions) {
    std::string oid = blob_id(text);
    addition.definitions.emplace(std::move(oid), std::move(text));
  }
  const Pending pending(state.local_dir, tip.identity);
  const bool run_at_work = RunLock::holder(state.plan_dir(tip.identity)).has_value();
  if (flush_now && !run_at_work) {
    // One step: either the ref moves, or nothing has happened.
    GITPLAN_TRY_ASSIGN(addition.attachments, pending.files());
    for (Attachment& attachment : change.attachments)
      addition.attachments.push_back(std::move(attachment));
    if (!locked.records().empty()) {
      GITPLAN_TRY_ASSIGN(addition.events, state.not_at(tip, locked.records()));
    }
    addition.events.insert(addition.events.end(), events.begin(), events.end());
    addition.subject = std::move(change.subject);
    GITPLAN_TRY_ASSIGN(const Tip moved,
                       state.commit(id, tip, std::move(addition), std::move(view.ledger)));
    GITPLAN_TRY(locked.clear());
    pending.clear();
    return state.view_of(id, moved, {});
  }
  for (const auto& [oid, text] : addition.definitions)
    GITPLAN_TRY(pending.add_definition(oid, text));
  for (const Attachment& attachment : change.attachments) GITPLAN_TRY(pending.add_file(attachment));
  GITPLAN_TRY(locked.append(events, true));
  std::erase_if(view.warnings, [](const Diagnostic& one) { return one.file == "plan.md"; });
  GITPLAN_TRY(state.complete(view));
  return view;
}

Status Store::flush(std::string_view id, std::vector<Attachment> attachments,
                    std::string_view subject) {
  State& state = *state_;
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  GITPLAN_TRY(check_attachments(attachments));
  GITPLAN_TRY_ASSIGN(Tip tip, state.trees.tip(id));
  GITPLAN_TRY(state.need_actor());
  WriteAhead file = state.write_ahead(tip.identity);
  const Pending pending(state.local_dir, tip.identity);
  if (file.empty() && attachments.empty() && pending.empty()) return {};
  GITPLAN_TRY_ASSIGN(auto locked, file.lock());
  GITPLAN_TRY_ASSIGN(tip, state.trees.tip(id));

  Addition addition;
  GITPLAN_TRY_ASSIGN(addition.attachments, pending.files());
  for (Attachment& attachment : attachments) addition.attachments.push_back(std::move(attachment));
  addition.events = locked.records();
  addition.subject = subject;
  GITPLAN_TRY_ASSIGN(const std::vector<Event> fresh, state.not_at(tip, addition.events));
  // A crash between the ref and the removal of the file leaves only records that are known.
  if (!fresh.empty() || !addition.attachments.empty())
    GITPLAN_TRY(state.commit(id, tip, std::move(addition), std::nullopt));
  GITPLAN_TRY(locked.clear());
  pending.clear();
  return {};
}

Status Store::purge(std::string_view id) {
  State& state = *state_;
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  GITPLAN_TRY_ASSIGN(const Tip tip, state.trees.tip(id));
  GITPLAN_TRY(state.need_actor());
  Ledger ledger;
  Addition addition;
  addition.subject = "Purge a plan";
  std::vector<EventBody> bodies{PlanCreated{std::string(id), "purged", "", ""},
                                PlanStateSet{"deleted", "purged", {}}};
  GITPLAN_TRY_ASSIGN(addition.events, stamp_all(id, std::move(bodies), state.actor.id, ledger));
  GITPLAN_TRY_ASSIGN(const git_oid root, state.purged_root_of(id, tip, addition, ledger));
  bool moved = false;
  GITPLAN_TRY(state.move_ref(id, &tip, root, moved));
  if (moved) return {};
  return error(ErrorCode::kBusy, "'" + std::string(id) + "' has changed in this moment",
               "look at it and try again");
}

}  // namespace gitplan
