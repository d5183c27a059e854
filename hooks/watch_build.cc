#include "hooks/watch_build.h"

#include <unistd.h>

#include <map>
#include <set>
#include <thread>

#include "core/ledger/task_over.h"
#include "core/plan/references.h"
#include "hooks/quick/git_state.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::size_t kPathsOfAPlan = 2000, kPaths = 20000, kWaves = 20000;
constexpr std::size_t kShortIdentity = 16;

bool is_watched(PlanState state) {
  return state != PlanState::kArchived && state != PlanState::kDeleted;
}

// Path -> names of the tasks that refer to it; "" stands for the plan's text.
std::map<std::string, std::set<std::string>> who_refers(const PlanView& view) {
  const auto& noted = view.ledger.snapshot.references;
  std::map<std::string, std::set<std::string>> found;
  for (const Reference& reference : references_of(view.plan, [&](std::string_view path) {
         return noted.find(std::string(path)) != noted.end();
       })) {
    // A task that is over refers to what was there before it.
    if (!reference.task.empty() && is_over(view.ledger.task(reference.task).status)) continue;
    found[reference.path].insert(reference.task);
  }
  return found;
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    if (!name.empty()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

WatchedPlan watched(const PlanView& view, bool& whole) {
  WatchedPlan plan;
  const PlanState state = view.ledger.state;
  if (state != PlanState::kCompleted)
    for (const auto& [path, names] : who_refers(view)) {
      const auto noted = view.ledger.snapshot.references.find(path);
      if (noted == view.ledger.snapshot.references.end() || noted->second.empty()) continue;
      if (plan.paths.size() == kPathsOfAPlan) {
        whole = false;
        break;
      }
      plan.paths.push_back({path, noted->second, joined(names)});
    }
  for (const Task& task : view.plan.tasks()) {
    if (view.ledger.task(task.name).status != TaskStatus::kRunning) continue;
    for (std::string& pathspec : scope_of(view.plan, task, [](std::string_view) { return true; }))
      plan.scopes.push_back({task.name, std::move(pathspec)});
  }
  std::set<std::string> seen;
  for (const auto& [name, task] : view.ledger.tasks) {
    if (task.commit.empty()) continue;
    const Wave* wave = view.ledger.wave(task.wave);
    const std::string run = wave == nullptr ? "" : wave->run;
    for (const std::string& commit : task.rewritten)
      if (seen.insert(commit).second) plan.waves.push_back({run, task.wave, commit});
    if (seen.insert(task.commit).second) plan.waves.push_back({run, task.wave, task.commit});
  }
  return plan;
}

// Write-ahead files by the plan's identity, as text.
std::map<std::string, std::string> ahead_of(const std::vector<Stamp>& stamps) {
  std::map<std::string, std::string> result;
  for (const Stamp& stamp : stamps)
    if (const std::size_t slash = stamp.name.rfind('/');
        slash != std::string::npos && stamp.name.starts_with("git-plan/wal/") && stamp.size > 0)
      result.emplace(stamp.name.substr(slash + 1), to_text(stamp));
  return result;
}

class Builder {
 public:
  Builder(const Store& store, std::chrono::steady_clock::time_point end)
      : store_(store), end_(end) {}

  void take_old(Watch old) {
    for (WatchedPlan& plan : old.plans) old_.emplace(plan.id, std::move(plan));
  }

  Status add(const Summary& summary, const std::map<std::string, std::string>& ahead) {
    if (!summary.fault.empty() || !is_watched(summary.state)) return {};
    const auto old = old_.find(summary.id);
    if (old != old_.end() && old->second.tip == summary.tip &&
        old->second.ahead == of(ahead, old->second.identity)) {
      keep(std::move(old->second));
      return {};
    }
    if (std::chrono::steady_clock::now() > end_) {
      watch.whole = false;
      return {};
    }
    const Result<PlanView> view = store_.load(summary.id);
    if (!view) return {};  // a plan that cannot be read is no hook's affair
    WatchedPlan plan = watched(*view, watch.whole);
    plan.id = summary.id;
    plan.tip = view->tip;
    plan.identity = view->identity.substr(0, kShortIdentity);
    plan.ahead = of(ahead, plan.identity);
    keep(std::move(plan));
    return {};
  }

  Watch watch;

 private:
  static std::string of(const std::map<std::string, std::string>& ahead,
                        const std::string& identity) {
    const auto found = ahead.find(identity);
    return found == ahead.end() ? std::string() : found->second;
  }

  void keep(WatchedPlan plan) {
    if (paths_ + plan.paths.size() > kPaths || waves_ + plan.waves.size() > kWaves) {
      watch.whole = false;
      return;
    }
    paths_ += plan.paths.size();
    waves_ += plan.waves.size();
    watch.plans.push_back(std::move(plan));
  }

  const Store& store_;
  std::chrono::steady_clock::time_point end_;
  std::map<std::string, WatchedPlan> old_;
  std::size_t paths_ = 0, waves_ = 0;
};

}  // namespace

Result<Watch> current_watch(const Repository& repository, const Store& store,
                            std::chrono::milliseconds time) {
  const std::string& common = repository.common_dir();
  const WatchHead head = read_watch_head(common);
  if (head.current)
    if (auto watch = parse_watch(head.text)) return std::move(*watch);
  Builder builder(store, std::chrono::steady_clock::now() + time);
  if (auto old = parse_watch(head.text)) builder.take_old(std::move(*old));
  // Looked at before the plans are: what changes meanwhile makes the file out of date.
  builder.watch.stamps = stamps_of(common);
  const auto ahead = ahead_of(builder.watch.stamps);
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> plans, store.list());
  for (const Summary& summary : plans) GITPLAN_TRY(builder.add(summary, ahead));
  const std::string text = to_text(builder.watch);
  // Also where it says the same: its time shows that what it saw had settled.
  (void)replace_file(watch_path(common), text, false).ok();
  return std::move(builder.watch);
}

void prepare_watch(Repository& repository) {
  const std::string& common = repository.common_dir();
  if (!may_have_plans({repository.git_dir(), common})) return;
  const Result<Store> store = Store::open(repository);
  if (!store) return;
  // Refs that moved just now are not trusted until they had time to settle.
  constexpr std::chrono::milliseconds kAll{10'000}, kSettling{30};
  for (int tries = 0; tries < 2; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(kSettling);
    if (!current_watch(repository, *store, kAll) || read_watch_head(common).current) return;
  }
}

void remove_watch(const Repository& repository) {
  ::unlink(watch_path(repository.common_dir()).c_str());
}

}  // namespace gitplan
