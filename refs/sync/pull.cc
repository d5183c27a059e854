#include "refs/sync/pull.h"

#include <algorithm>

#include "core/plan/names.h"
#include "refs/sync/local_plans.h"
#include "refs/sync/rename.h"
#include "refs/sync/validate.h"

namespace gitplan {
namespace {

using What = PulledPlan::What;

bool is_wanted(const PullOptions& options, const std::string& here, const std::string& there) {
  const auto& plans = options.plans;
  return plans.empty() || std::find(plans.begin(), plans.end(), here) != plans.end() ||
         std::find(plans.begin(), plans.end(), there) != plans.end();
}

class Pull {
 public:
  Pull(Repository& repository, Store& store, const Remote& remote, const PullOptions& options,
       LocalPlans local)
      : repository_(repository),
        store_(store),
        remote_(remote),
        options_(options),
        trees_(repository),
        local_(std::move(local)) {}

  Result<Pulled> run() {
    GITPLAN_TRY_ASSIGN(const auto seen, trees_.refs_below(remote_.seen_plans()));
    for (const auto& [there, tip] : seen) {
      if (there == kMemoryPlan) continue;
      const auto same = local_.tip(there);
      if (same && git_oid_equal(&*same, &tip)) {
        ++result_.same;
        continue;
      }
      PulledPlan plan;
      plan.id = there;
      if (Status status = take(there, tip, plan); !status.ok()) {
        plan.what = What::kRefused;
        plan.why = status.error().message;
        plan.hint = status.error().hint;
      }
      if (plan.what == What::kNothing)
        ++result_.same;
      else
        result_.plans.push_back(std::move(plan));
    }
    result_.new_actor = store_.actor_is_new_copy();
    return std::move(result_);
  }

 private:
  Status take(const std::string& there, const git_oid& at, PulledPlan& plan) {
    if (const auto fault = plan_id_fault(there))
      return is_wanted(options_, there, there)
                 ? Status(error(ErrorCode::kInvalid, "a plan cannot be called so: it " + *fault))
                 : Status();
    GITPLAN_TRY_ASSIGN(const Tip theirs, trees_.at(there, at));
    const auto mine = local_.named(theirs.identity);
    // What was purged here does not come back; push takes it away there.
    if (const auto here = local_.tip(there); here && !mine) {
      GITPLAN_TRY_ASSIGN(const Tip tombstone, trees_.at(there, *here));
      GITPLAN_TRY_ASSIGN(const std::string purged, trees_.purged_by(tombstone));
      if (purged == theirs.identity) return {};
    }
    if (!is_wanted(options_, mine.value_or(there), there)) return {};
    std::optional<git_oid> known;
    if (mine) known = local_.tip(*mine);
    if (known && (git_oid_equal(&*known, &at) ||
                  git_graph_descendant_of(repository_.raw(), &*known, &at) == 1))
      return {};
    GITPLAN_TRY(validate_arrival(repository_, theirs.identity, known ? &*known : nullptr, at));
    if (mine) {
      plan.id = *mine;
      if (*mine != there) plan.there = there;
    } else {
      GITPLAN_TRY_ASSIGN(const bool free, make_room(there, theirs, plan));
      if (!free) return {};
    }
    GITPLAN_TRY_ASSIGN(const Store::Taken taken, store_.take_in(plan.id, hex(at)));
    git_oid tip;
    parse_oid(taken.tip, tip);
    local_.moved(plan.id, tip, theirs.identity);
    switch (taken.what) {
      case Store::Taken::What::kNothing: plan.what = What::kNothing; break;
      case Store::Taken::What::kNew:
        if (plan.what != What::kPurged) plan.what = What::kNew;
        break;
      case Store::Taken::What::kForward: plan.what = What::kForward; break;
      case Store::Taken::What::kUnited: plan.what = What::kUnited; break;
    }
    return {};
  }

  // A plan that is new here: its name may be another's. False: it stays out.
  Result<bool> make_room(const std::string& there, const Tip& theirs, PulledPlan& plan) {
    GITPLAN_TRY_ASSIGN(const std::string purged, trees_.purged_by(theirs));
    const auto old = purged.empty() ? std::nullopt : local_.named(purged);
    if (old) {
      GITPLAN_TRY_ASSIGN(const bool yes, options_.agree_to_purge ? options_.agree_to_purge(*old)
                                                                 : Result<bool>(false));
      if (!yes) {
        plan.id = *old;
        plan.what = What::kRefused;
        plan.why = "it was purged elsewhere, and this clone still has all of it";
        plan.hint = "'git plan pull --yes' takes it away here, too";
        plan.awaits_word = true;
        return false;
      }
      GITPLAN_TRY(forget_plan(repository_, store_, *old));
      GITPLAN_TRY_ASSIGN(local_, LocalPlans::of(repository_));
      plan.what = What::kPurged;
    }
    if (!local_.taken(there)) return true;
    // The name that the remote has stays; ours is called something else from now on.
    std::string free;
    for (int number = 2; free.empty(); ++number) {
      std::string next = there + "-" + std::to_string(number);
      if (!local_.taken(next) &&
          !trees_.refs_below(remote_.seen_plans() + next).value().contains(""))
        free = std::move(next);
    }
    GITPLAN_TRY(rename_plan(repository_, store_, there, free));
    GITPLAN_TRY_ASSIGN(local_, LocalPlans::of(repository_));
    plan.renamed = free;
    return true;
  }

  Repository& repository_;
  Store& store_;
  const Remote& remote_;
  const PullOptions& options_;
  PlanTrees trees_;
  LocalPlans local_;
  Pulled result_;
};

}  // namespace

Result<Pulled> take_seen(Repository& repository, Store& store, const Remote& remote,
                         const PullOptions& options) {
  GITPLAN_TRY_ASSIGN(LocalPlans local, LocalPlans::of(repository));
  return Pull(repository, store, remote, options, std::move(local)).run();
}

Result<Pulled> pull_plans(Repository& repository, Store& store, const Remote& remote,
                          const PullOptions& options) {
  GITPLAN_TRY(fetch_refs(repository, remote));
  return take_seen(repository, store, remote, options);
}

}  // namespace gitplan
