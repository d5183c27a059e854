// The engine's way into the journal of one plan.
#include <algorithm>
#include <utility>

#include "core/journal/event_codec.h"
#include "core/plan/names.h"
#include "refs/store/store_state.h"

namespace gitplan {
namespace {

class PlanAppender final : public Store::Appender {
 public:
  PlanAppender(Store::State& state, PlanView view, const git_oid& tree)
      : state_(state),
        id_(view.id),
        view_(std::move(view)),
        tip_(view_.tip),
        tree_(tree),
        file_(state.write_ahead(view_.identity)),
        clock_(view_.ledger.clock) {
    for (const auto& [actor, record] : view_.ledger.actors)
      known_[actor] = {record.clock, record.last_id};
  }

  PlanView take_view() override { return std::exchange(view_, {}); }

  Result<std::vector<Event>> append(std::vector<EventBody> bodies, bool durable,
                                    const Revise& revise) override {
    GITPLAN_TRY_ASSIGN(auto locked, file_.lock());
    GITPLAN_TRY_ASSIGN(std::vector<Event> events, new_ones(locked.records()));
    if (revise && !events.empty()) {
      revise(events, bodies);
      if (bodies.empty()) return events;
    }
    const auto known = known_;
    const std::uint64_t clock = clock_;
    const Millis now = current_time();
    const std::string& actor = state_.actor.id;
    std::vector<Event> own;
    for (EventBody& body : bodies) {
      Known& me = known_[actor];
      own.push_back(stamp(std::move(body), actor, me.last_id, clock_ + 1, now));
      take(own.back());
    }
    if (Status status = locked.append(own, durable); !status.ok()) {
      taken_back_ = std::move(events);  // others' events are still to be told
      known_ = known;
      clock_ = clock;
      return std::move(status).error();
    }
    events.insert(events.end(), std::make_move_iterator(own.begin()),
                  std::make_move_iterator(own.end()));
    return events;
  }

  Result<std::vector<Event>> poll() override {
    GITPLAN_TRY_ASSIGN(const std::vector<Event> records, file_.read());
    return new_ones(records);
  }

  Status sync() override { return file_.sync(); }

  Result<std::optional<PlanView>> arrived() override {
    if (!arrived_) return std::optional<PlanView>();
    GITPLAN_TRY_ASSIGN(auto locked, file_.lock());
    GITPLAN_TRY_ASSIGN(const Tip tip, state_.trees.tip(id_));
    GITPLAN_TRY_ASSIGN(PlanView view, state_.view_of(id_, tip, locked.records(), nullptr,
                                                     Store::State::Keep::kNo));
    arrived_ = false;
    taken_back_.clear();
    for (const auto& [actor, record] : view.ledger.actors)
      known_[actor] = {record.clock, record.last_id};
    clock_ = std::max(clock_, view.ledger.clock);
    tip_ = view.tip;
    tree_ = tip.commit.tree;
    return std::optional(std::move(view));
  }

 private:
  struct Known {
    std::uint64_t clock = 0;
    std::string last_id;
  };

  void take(const Event& event) {
    known_[event.actor] = {event.clock, event.id};
    clock_ = std::max(clock_, event.clock);
  }

  // From the tip, if a flush or a pull moved it, and from the file. What a flush moved is in both
  // or only in the tip, so the file has to be read first, which the callers have done.
  Result<std::vector<Event>> new_ones(const std::vector<Event>& records) {
    std::vector<Event> found = std::exchange(taken_back_, {});
    const auto ref = state_.trees.ref_target(id_);
    if (!ref.ok() && ref.error().code == ErrorCode::kNotFound) {
      Error gone = ref_is_gone(id_, tip_);
      gone.code = ErrorCode::kFailed;
      return gone;
    }
    GITPLAN_TRY_ASSIGN(const git_oid now, ref);
    if (const std::string tip = hex(now); tip != tip_) {
      GITPLAN_TRY_ASSIGN(const RawCommit commit, state_.trees.commit(now));
      GITPLAN_TRY_ASSIGN(const auto segments, state_.trees.segments(commit.tree, &tree_));
      std::vector<Diagnostic> damage;
      GITPLAN_TRY_ASSIGN(const auto events, state_.trees.events(segments, damage));
      if (!damage.empty()) return error(ErrorCode::kInvalid, damage.front().message);
      std::vector<Event> own;
      for (const Event& event : events) {
        if (event.actor == state_.actor.id)
          own.push_back(event);
        else if (const auto known = known_.find(event.actor);
                 known == known_.end() || event.clock > known->second.clock)
          arrived_ = true;
      }
      add_unknown(own, found);
      tip_ = tip;
      tree_ = commit.tree;
    }
    add_unknown(records, found);
    return found;
  }

  void add_unknown(const std::vector<Event>& events, std::vector<Event>& found) {
    for (const Event& event : events) {
      const auto known = known_.find(event.actor);
      if (known != known_.end() && event.clock <= known->second.clock) continue;
      take(event);
      found.push_back(event);
    }
  }

  Store::State& state_;
  const std::string id_;
  PlanView view_;
  std::string tip_;
  git_oid tree_;
  WriteAhead file_;
  std::map<std::string, Known> known_;
  std::uint64_t clock_;
  std::vector<Event> taken_back_;
  bool arrived_ = false;  // a pull brought what other clones did
};

}  // namespace

Result<std::unique_ptr<Store::Appender>> Store::appender(std::string_view id) const {
  GITPLAN_TRY(state_->need_actor());
  GITPLAN_TRY_ASSIGN(PlanView view, load(id));
  git_oid tip;
  if (!parse_oid(view.tip, tip)) return failed("'" + view.tip + "' is no commit id");
  GITPLAN_TRY_ASSIGN(const Tip at, state_->trees.at(id, tip));
  GITPLAN_TRY(state_->check_writable(id, at));
  return std::unique_ptr<Appender>(
      std::make_unique<PlanAppender>(*state_, std::move(view), at.commit.tree));
}

}  // namespace gitplan
