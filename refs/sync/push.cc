#include "refs/sync/push.h"

#include <algorithm>
#include <set>

#include "refs/fork/keep_ref.h"
#include "refs/store/lock_wait.h"
#include "refs/sync/local_plans.h"

namespace gitplan {
namespace {

using What = PushedPlan::What;

constexpr std::chrono::seconds kPatience{60};  // for others who push the same plans

struct Wish {
  std::string from, to;  // a ref here, a ref there
  std::string lease;     // what stands there now and goes; empty: nothing goes
  std::string seen;      // the ref that notes it
  PushedPlan said;
};

// "!\trefs/plans/x:refs/plans/x\t[remote rejected] (hook declined)" -> "hook declined".
std::string reason_of(std::string_view summary) {
  const std::size_t open = summary.find('(');
  if (open == std::string_view::npos) return std::string(summary);
  return std::string(summary.substr(open + 1, summary.rfind(')') - open - 1));
}

// Somebody was faster: what is there now has to be taken first.
bool overtaken(std::string_view reason) {
  for (const std::string_view word :
       {"fetch first", "non-fast-forward", "stale info", "needs force", "failed to update ref",
        "incorrect old value provided", "cannot lock ref", "reference already exists"})
    if (reason.find(word) != std::string_view::npos) return true;
  return false;
}

class Push {
 public:
  Push(Repository& repository, Store& store, const Remote& remote, const PushOptions& options)
      : repository_(repository),
        store_(store),
        remote_(remote),
        options_(options),
        trees_(repository) {}

  Result<Pushed> run() {
    GITPLAN_TRY(flush());
    for (LockWait patience(kPatience); true;) {
      GITPLAN_TRY_ASSIGN(RemoteRefs there, refs_of(repository_, remote_));
      GITPLAN_TRY_ASSIGN(std::vector<Wish> wishes, wishes_for(there));
      if (pull_first_) {
        pull_first_ = false;
        GITPLAN_TRY_ASSIGN(Pulled pulled, pull_plans(repository_, store_, remote_, options_.pull));
        remember(std::move(pulled));
        GITPLAN_TRY(flush());
        GITPLAN_TRY_ASSIGN(there, refs_of(repository_, remote_));
        GITPLAN_TRY_ASSIGN(wishes, wishes_for(there));
        pull_first_ = false;
      }
      if (wishes.empty()) break;
      GITPLAN_TRY_ASSIGN(const bool again, send(wishes));
      if (!again || !patience.wait()) break;
      GITPLAN_TRY_ASSIGN(Pulled pulled, pull_plans(repository_, store_, remote_, options_.pull));
      remember(std::move(pulled));
    }
    return std::move(result_);
  }

 private:
  bool wanted(const std::string& id) const {
    const auto& plans = options_.plans;
    return plans.empty() || std::find(plans.begin(), plans.end(), id) != plans.end();
  }

  Status flush() {
    GITPLAN_TRY_ASSIGN(const auto tips, trees_.refs_below(kPlanRefs));
    for (const auto& [id, tip] : tips)
      if (id != kMemoryPlan && wanted(id) && plan_ids_.insert(id).second)
        GITPLAN_TRY(store_.flush(id));
    return {};
  }

  void remember(Pulled pulled) {
    result_.pulled.new_actor = result_.pulled.new_actor || pulled.new_actor;
    for (PulledPlan& plan : pulled.plans) {
      if (plan.what == PulledPlan::What::kRefused) held_.insert(plan.id);
      result_.pulled.plans.push_back(std::move(plan));
    }
  }

  // What is to be pushed; pull_first_ where the remote has what we have not.
  Result<std::vector<Wish>> wishes_for(const RemoteRefs& there) {
    GITPLAN_TRY_ASSIGN(const LocalPlans local, LocalPlans::of(repository_));
    GITPLAN_TRY_ASSIGN(const auto names, names_there(there));
    std::vector<Wish> wishes;
    result_.same = 0;
    for (const auto& [id, tip] : local.tips()) {
      if (!wanted(id) || held_.contains(id) || done_.contains(id)) continue;
      const auto same = there.plans.find(id);
      if (same != there.plans.end() && same->second == hex(tip)) {
        ++result_.same;
        continue;
      }
      const auto mine = trees_.at(id, tip);
      if (!mine.ok()) {
        refuse(id, mine.error().message);
        continue;
      }
      GITPLAN_TRY(wish_for(id, *mine, there, names, wishes));
    }
    return wishes;
  }

  // By identity, the name that the remote has for a plan, as far as we have seen its plans.
  Result<std::map<std::string, std::string>> names_there(const RemoteRefs& there) {
    std::map<std::string, std::string> names;
    for (const auto& [name, oid] : there.plans) {
      git_oid at;
      if (!parse_oid(oid, at)) continue;
      const auto known = identities_.find(oid);
      if (known != identities_.end()) {
        names[known->second] = name;
        continue;
      }
      if (is_here(at))
        if (const auto tip = trees_.at(name, at); tip.ok()) {
          identities_[oid] = tip->identity;
          names[tip->identity] = name;
        }
    }
    return names;
  }

  bool is_here(const git_oid& id) const {
    Handle<git_odb> odb;
    return git_repository_odb(odb.out(), repository_.raw()) == 0 && git_odb_exists(odb.get(), &id);
  }

  Status wish_for(const std::string& id, const Tip& mine, const RemoteRefs& there,
                  const std::map<std::string, std::string>& names, std::vector<Wish>& wishes) {
    GITPLAN_TRY_ASSIGN(const bool settled, wish_about_purge(id, mine, there, names, wishes));
    if (settled) return {};
    const auto named = names.find(mine.identity);
    const std::string name = named == names.end() ? free_name(id, there, names) : named->second;
    const auto stands = there.plans.find(name);
    Wish wish;
    wish.from = hex(mine.commit.id);
    wish.said.id = id;
    wish.said.what = stands == there.plans.end() ? What::kNew : What::kForward;
    if (stands != there.plans.end()) {
      git_oid at;
      const bool known = parse_oid(stands->second, at) && is_here(at);
      if (known && git_oid_equal(&at, &mine.commit.id)) {
        ++result_.same;
        return {};
      }
      if (known && named != names.end() &&
          git_graph_descendant_of(repository_.raw(), &at, &mine.commit.id) == 1) {
        ++result_.same;  // the remote is ahead, which is pull's business
        return {};
      }
      if (!known || named == names.end() ||
          git_graph_descendant_of(repository_.raw(), &mine.commit.id, &at) != 1) {
        if (pulled_for_.insert(id + stands->second).second) {
          pull_first_ = true;
          return {};
        }
        refuse(id, "the remote's '" + name + "' cannot be taken in");
        return {};
      }
    }
    if (name != id) wish.said.there = name;
    wish.to = remote_.plans + name;
    wish.seen = remote_.seen_plans() + name;
    wishes.push_back(std::move(wish));
    GITPLAN_TRY(wish_for_kept(id, mine, there, wishes));
    if (options_.branches) GITPLAN_TRY(wish_for_branches(id, wishes));
    return {};
  }

  // What an open decision is about has to be there for whoever answers it.
  Status wish_for_kept(const std::string& id, const Tip&, const RemoteRefs& there,
                       std::vector<Wish>& wishes) {
    GITPLAN_TRY_ASSIGN(const PlanView view, store_.load(id));
    std::vector<std::string> commits;
    for (const Decision& decision : view.ledger.decisions) {
      if (!decision.open()) continue;
      std::vector<std::string> tasks = decision.asked.tasks;
      tasks.push_back(decision.asked.task);
      for (const std::string& name : tasks) {
        const TaskRecord& task = view.ledger.task(name);
        if (!task.commit.empty()) commits.push_back(task.commit);
        for (const Attempt& attempt : task.attempts)
          if (attempt.actor == store_.actor() && attempt.changed())
            commits.push_back(attempt.commit);
      }
      if (!decision.asked.commit.empty()) commits.push_back(decision.asked.commit);
    }
    std::erase_if(commits, [this](const std::string& commit) {
      git_oid at;
      return !parse_oid(commit, at) || !is_here(at);
    });
    if (commits.empty()) return {};
    GITPLAN_TRY(keep_commits(repository_, id, store_.actor(), commits));
    const std::string ref = keep_ref(id, store_.actor());
    GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(ref));
    const std::string name = ref.substr(std::string_view("refs/plan-keep/").size());
    const auto stands = there.kept.find(name);
    if (!tip || (stands != there.kept.end() && stands->second == *tip)) return {};
    Wish wish;
    wish.from = *tip;
    wish.to = remote_.kept + name;
    wish.seen = remote_.seen_kept() + name;
    wish.said.id = name;
    wish.said.what = What::kKept;
    wishes.push_back(std::move(wish));
    return {};
  }

  Status wish_for_branches(const std::string& id, std::vector<Wish>& wishes) {
    const std::string prefix = "refs/heads/plan/" + id + "/";
    GITPLAN_TRY_ASSIGN(const auto branches, trees_.refs_below(prefix));
    for (const auto& [name, tip] : branches) {
      Wish wish;
      wish.from = hex(tip);
      wish.to = prefix + name;
      wish.said.id = "plan/" + id + "/" + name;
      wish.said.what = What::kBranch;
      wishes.push_back(std::move(wish));
    }
    return {};
  }

  // True: one of the two was put in the place of the other, and that decides.
  Result<bool> wish_about_purge(const std::string& id, const Tip& mine, const RemoteRefs& there,
                                const std::map<std::string, std::string>& names,
                                std::vector<Wish>& wishes) {
    GITPLAN_TRY_ASSIGN(const std::string purged, trees_.purged_by(mine));
    const auto old = purged.empty() ? names.end() : names.find(purged);
    if (old != names.end()) {
      Wish wish;
      wish.from = hex(mine.commit.id);
      wish.to = remote_.plans + old->second;
      wish.lease = there.plans.at(old->second);
      wish.seen = remote_.seen_plans() + old->second;
      wish.said = {id, old->second == id ? "" : old->second, What::kPurged, ""};
      wishes.push_back(std::move(wish));
      return true;
    }
    git_oid at;
    const auto stands = there.plans.find(id);
    if (stands == there.plans.end() || !parse_oid(stands->second, at) || !is_here(at)) return false;
    const auto theirs = trees_.at(id, at);
    if (!theirs.ok() || theirs->identity == mine.identity) return false;
    GITPLAN_TRY_ASSIGN(const std::string gone, trees_.purged_by(*theirs));
    if (gone != mine.identity) return false;
    refuse(id, "it was purged there; 'git plan pull' asks what becomes of it here");
    return true;
  }

  // A plan that is new there: the name that another has there stays that one's.
  std::string free_name(const std::string& id, const RemoteRefs& there,
                        const std::map<std::string, std::string>& names) const {
    const auto of_another = [&](const std::string& name) {
      return std::any_of(names.begin(), names.end(),
                         [&name](const auto& one) { return one.second == name; });
    };
    if (!of_another(id)) return id;
    for (int number = 2;; ++number) {
      const std::string next = id + "-" + std::to_string(number);
      if (!there.plans.contains(next) && !trees_.ref_target(next).ok()) return next;
    }
  }

  void refuse(const std::string& id, const std::string& why) {
    held_.insert(id);
    result_.refs.push_back({id, "", What::kRefused, why});
  }

  // True: somebody was faster with some of them.
  Result<bool> send(const std::vector<Wish>& wishes) {
    GitCall call;
    // Hooks of the user's are for code: those that look at what is pushed look at the branches.
    call.args = {"push", "--porcelain", "--quiet", "--no-follow-tags", "--recurse-submodules=no"};
    if (!options_.branches) call.args.push_back("--no-verify");
    if (options_.atomic) call.args.push_back("--atomic");
    for (const Wish& wish : wishes)
      if (!wish.lease.empty())
        call.args.push_back("--force-with-lease=" + wish.to + ":" + wish.lease);
    call.args.push_back(remote_.name);
    for (const Wish& wish : wishes) call.args.push_back(wish.from + ":" + wish.to);
    call.foreground = true;
    GITPLAN_TRY_ASSIGN(const Outcome outcome, repository_.git().call(call));
    std::map<std::string, std::pair<char, std::string>> answers;  // by the ref there
    for (std::string_view text = outcome.output; !text.empty();) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
      if (first != 1 || second == std::string_view::npos) continue;
      const std::string_view refs = line.substr(2, second - 2);
      answers[std::string(refs.substr(refs.find(':') + 1))] = {line[0],
                                                               reason_of(line.substr(second + 1))};
    }
    if (answers.empty() && !outcome.ok()) return remote_error(remote_, "push to", outcome);
    bool again = false;
    for (const Wish& wish : wishes) {
      const auto answer = answers.find(wish.to);
      // Without a word about it nothing was to do, or all was quiet and well.
      const bool refused = answer != answers.end() && answer->second.first == '!';
      if (refused && overtaken(answer->second.second) && wish.said.what != What::kBranch) {
        again = true;
        continue;
      }
      PushedPlan said = wish.said;
      if (refused) {
        said.what = What::kRefused;
        said.why = answer->second.second;
        held_.insert(said.id);
      } else {
        done_.insert(said.id);
        if (!wish.seen.empty())
          GITPLAN_TRY(repository_.git().check({"update-ref", wish.seen, wish.from}));
      }
      result_.refs.push_back(std::move(said));
    }
    return again;
  }

  Repository& repository_;
  Store& store_;
  const Remote& remote_;
  const PushOptions& options_;
  PlanTrees trees_;
  bool pull_first_ = false;
  std::set<std::string> plan_ids_, held_, done_, pulled_for_;
  std::map<std::string, std::string> identities_;  // by commit
  Pushed result_;
};

}  // namespace

Result<Pushed> push_plans(Repository& repository, Store& store, const Remote& remote,
                          const PushOptions& options) {
  return Push(repository, store, remote, options).run();
}

}  // namespace gitplan
