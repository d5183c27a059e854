// Store: reading what is there.
#include "refs/store/store.h"

#include <algorithm>
#include <filesystem>

#include "core/base/plain_text.h"
#include "core/journal/event_codec.h"
#include "core/ledger/fold.h"
#include "core/plan/names.h"
#include "refs/store/message.h"
#include "refs/store/store_state.h"

namespace gitplan {
namespace {

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Error no_such_plan(std::string_view id, const std::string& fault) {
  return error(ErrorCode::kNotFound, "no plan is called '" + one_line(id) + "': it " + fault,
               "'git plan list --status all' shows every plan");
}

Store::State::State(Repository& repository_of_plans)
    : repository(repository_of_plans),
      local_dir(repository_of_plans.local_dir()),
      trees(repository_of_plans),
      ledgers(local_dir, "ledger"),
      definitions(local_dir, "definition") {}

Status Store::State::need_actor() {
  if (!actor.id.empty()) return {};
  auto found = actor_of(local_dir);
  if (!found.ok()) return found.error();
  actor = std::move(found).value();
  if (!actor.minted_for_copy) return {};
  std::error_code code;
  for (std::filesystem::directory_iterator entry(local_dir + "/wal", code), end;
       !code && entry != end; entry.increment(code)) {
    if (entry->path().filename().string().size() != 16) continue;  // not a plan's file
    WriteAhead file(local_dir, entry->path().filename().string());
    GITPLAN_TRY_ASSIGN(auto locked, file.lock());
    std::vector<Event> own;
    for (const Event& event : locked.records())
      own.push_back(
          stamp(event.body, actor.id, own.empty() ? "" : own.back().id, event.clock, event.time));
    GITPLAN_TRY(locked.replace(own));
  }
  return {};
}

std::string Store::State::plan_dir(std::string_view identity) const {
  return local_dir + "/plans/" + std::string(identity.substr(0, 16));
}

WriteAhead Store::State::write_ahead(std::string_view identity) const {
  return WriteAhead(local_dir, std::string(identity.substr(0, 16)));
}

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(Repository& repository) {
  return Store(std::make_unique<State>(repository));
}

Result<PlanView> Store::load(std::string_view id) const {
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  return state_->view(id);
}

Result<std::vector<Event>> Store::journal(std::string_view id) const {
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  GITPLAN_TRY_ASSIGN(Tip tip, state_->trees.tip(id));
  GITPLAN_TRY_ASSIGN(const auto records, state_->write_ahead(tip.identity).read());
  GITPLAN_TRY_ASSIGN(const git_oid now, state_->trees.ref_target(id));
  GITPLAN_TRY_ASSIGN(tip, state_->trees.at(id, now));
  std::vector<Diagnostic> damage;
  GITPLAN_TRY_ASSIGN(const auto segments, state_->trees.segments(tip.commit.tree));
  GITPLAN_TRY_ASSIGN(auto events, state_->trees.events(segments, damage));
  std::map<std::string, std::uint64_t> clocks;
  for (const Event& event : events)
    clocks[event.actor] = std::max(clocks[event.actor], event.clock);
  for (const Event& event : records)
    if (event.clock > clocks[event.actor]) events.push_back(event);
  std::stable_sort(events.begin(), events.end(), before);
  return events;
}

Result<PlanView> Store::load_at(std::string_view id, std::string_view change) const {
  constexpr std::size_t kEventDigits = 20;
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  const auto unknown = [&] {
    return error(ErrorCode::kNotFound,
                 "plan '" + std::string(id) + "' has no change '" + std::string(change) + "'",
                 "'git plan log " + std::string(id) + "' shows its changes");
  };
  if (!is_hex(change) || change.size() < 4 || change.size() > GIT_OID_HEXSZ) return unknown();
  GITPLAN_TRY_ASSIGN(const Tip tip, state_->trees.tip(id));

  Handle<git_object> object;
  git_oid wanted;
  if (git_oid_fromstrn(&wanted, change.data(), change.size()) == 0 &&
      git_object_lookup_prefix(object.out(), state_->repository.raw(), &wanted, change.size(),
                               GIT_OBJECT_COMMIT) == 0 &&
      state_->repository.is_ancestor(hex(*git_object_id(object.get())), hex(tip.commit.id))) {
    GITPLAN_TRY_ASSIGN(Tip then, state_->trees.at(id, *git_object_id(object.get())));
    PlanView view;
    view.id = id;
    view.identity = tip.identity;
    view.tip = hex(then.commit.id);
    view.format = then.format;
    GITPLAN_TRY_ASSIGN(const auto segments, state_->trees.segments(then.commit.tree));
    GITPLAN_TRY_ASSIGN(auto events, state_->trees.events(segments, view.warnings));
    view.ledger = fold(std::move(events));
    GITPLAN_TRY(state_->complete(view));
    return view;
  }

  if (change.size() > kEventDigits) return unknown();
  GITPLAN_TRY_ASSIGN(const auto events, journal(id));
  PlanView view;
  view.id = id;
  view.identity = tip.identity;
  view.tip = hex(tip.commit.id);
  view.format = tip.format;
  const auto named = [&](const Event& event) { return event.id.starts_with(change); };
  const auto last = std::find_if(events.begin(), events.end(), named);
  if (last == events.end()) return unknown();
  if (std::find_if(last + 1, events.end(), named) != events.end())
    return error(ErrorCode::kAmbiguous, "'" + std::string(change) + "' names several changes",
                 "give more digits");
  for (auto event = events.begin(); event != last + 1; ++event) apply(view.ledger, *event);
  GITPLAN_TRY(state_->complete(view));
  return view;
}

Result<std::optional<std::string>> Store::file(std::string_view id, std::string_view path) const {
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  GITPLAN_TRY_ASSIGN(const Tip tip, state_->trees.tip(id));
  if (auto waiting = Pending(state_->local_dir, tip.identity).file(path);
      waiting && attachment_fault(path).empty())
    return waiting;
  GITPLAN_TRY_ASSIGN(const auto found, state_->trees.entry(tip.commit.tree, path));
  if (!found) return std::optional<std::string>();
  GITPLAN_TRY_ASSIGN(std::string text, state_->trees.blob(*found));
  return std::optional(std::move(text));
}

Result<std::string> Store::blob(std::string_view oid) const {
  git_oid id;
  if (!parse_oid(oid, id))
    return error(ErrorCode::kInvalid, "'" + std::string(oid) + "' is no object id");
  return state_->trees.blob(id);
}

std::string Store::blob_id(std::string_view text) {
  start_libgit2();
  git_oid id;
  git_odb_hash(&id, text.data(), text.size(), GIT_OBJECT_BLOB);
  return hex(id);
}

const std::string& Store::actor() const {
  (void)state_->need_actor();  // where it fails, the first write says why
  return state_->actor.id;
}

bool Store::actor_is_new_copy() const {
  (void)state_->need_actor();
  return state_->actor.minted_for_copy;
}

Result<std::string> Store::plan_dir(std::string_view id) const {
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  GITPLAN_TRY_ASSIGN(const Tip tip, state_->trees.tip(id));
  return state_->plan_dir(tip.identity);
}

}  // namespace gitplan
