#include "tests/core/engine/simulation.h"

#include <algorithm>

#include "core/journal/event_codec.h"

namespace gitplan::simulation {
Plan random_plan(std::uint64_t seed, const Settings& settings) {
  std::mt19937_64 random(seed * 7919 + 17);
  std::uniform_real_distribution<double> unit(0, 1);
  Plan plan;
  plan.title = "Simulated";
  plan.orchestration.emplace();
  plan.orchestration->default_mode = Mode::kForked;
  if (unit(random) < 0.5) plan.orchestration->verify = {"true"};
  if (settings.eager) plan.orchestration->schedule = Schedule::kEager;
  if (settings.waits) plan.orchestration->waits_for = WaitsFor{"other", {}};
  for (int i = 0; i < settings.tasks; ++i) {
    Task task;
    task.name = "t" + std::to_string(i);
    task.description = "Task " + std::to_string(i);
    task.mode = Mode::kForked;
    task.run = "true";
    task.text_hash = "hash-" + task.name;
    if (unit(random) < settings.gates) task.approval_gate = true;
    if (unit(random) < settings.gates) task.checkpoint = Checkpoint::kHumanVerify;
    if (unit(random) < settings.locks) task.locks = {unit(random) < 0.5 ? "database" : "device"};
    if (unit(random) < settings.limits) {  // an agent's, with another behind it
      task.run.clear();
      task.agent = unit(random) < 0.5 ? "claude" : "codex";
      if (unit(random) < 0.5) task.fallback = {"gemini"};
    }
    if (unit(random) < settings.in_place) {
      if (unit(random) < 0.6) {
        task.mode = unit(random) < 0.5 ? Mode::kInline : Mode::kClean;
      } else {
        task.isolation = Isolation::kOptimistic;
        if (unit(random) < 0.8) task.files = {"dir" + std::to_string(random() % 4) + "/**"};
      }
    }
    for (int j = 0; j < i; ++j)
      if (unit(random) < settings.edges) task.depends_on.push_back("t" + std::to_string(j));
    plan.orchestration->tasks.push_back(std::move(task));
  }
  return plan;
}

World::World(std::uint64_t seed, const Settings& settings, Plan plan)
    : random_(seed), settings_(settings), plan_(std::move(plan)), graph_(plan_.tasks()) {
  for (const auto& task : plan_.tasks())
    if (chance(settings_.overlaps)) hot_tasks_.insert(task.name);
  target_ = new_commit({});
  append(PlanCreated{"sim", plan_.title, "d0", ""});
}

bool World::chance(double probability) {
  return std::uniform_real_distribution<double>(0, 1)(random_) < probability;
}

void World::fail(std::string why) {
  if (fault_.empty()) fault_ = std::move(why);
}

std::string World::new_commit(ToyCommit commit) {
  std::string id = "c" + std::to_string(++commit_count_);
  commits_[id] = std::move(commit);
  return id;
}

bool World::is_ancestor(const std::string& ancestor, const std::string& of) const {
  std::vector<std::string> queue{of};
  std::set<std::string> seen;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] == ancestor) return true;
    for (const auto& parent : commits_.at(queue[i]).parents)
      if (seen.insert(parent).second) queue.push_back(parent);
  }
  return false;
}

std::string World::final_tree() const {
  const ToyCommit& tip = commits_.at(target_);
  std::string text;
  for (const auto& task : tip.tasks) text += task + " ";
  return text + "/" + tip.hot;
}

Event World::append(EventBody body) {
  const auto actor = ledger_.actors.find(actor_);
  Event event =
      stamp(std::move(body), actor_, actor == ledger_.actors.end() ? "" : actor->second.last_id,
            ledger_.clock + 1, now_);
  if (const std::string why = misfit(ledger_, event.body); !why.empty())
    fail("an event that does not fit: " + std::string(type_of(event.body)) + ": " + why);
  check(event);
  journal_.push_back(event);
  apply(ledger_, event);
  return event;
}

// The tree shows all that was done, and nobody is in it who could be mixed up with the new one.
void World::check_working_tree(const AttemptStarted& started) {
  const Task& mine = *plan_.find(started.task);
  if (plan_.in_place(mine) != started.branch.empty())
    return fail(mine.name + " does not work where its mode says");
  if (plan_.in_place(mine) && !integration_.empty() && !is_ancestor(integration_, target_))
    fail(mine.name + " starts in a tree that does not show what was integrated");
  if (started.lease > 0) return;  // by hand, in a worktree
  for (const auto& [name, record] : ledger_.tasks) {
    if (record.status != TaskStatus::kRunning || record.claimed() != nullptr) continue;
    const Task& other = *plan_.find(name);
    if (!plan_.in_place(mine) && !plan_.in_place(other)) continue;
    const bool together = plan_.optimistic(mine) && plan_.optimistic(other) &&
                          !mine.files.empty() && !other.files.empty() && mine.files != other.files;
    if (!together) fail(mine.name + " and " + name + " share the working tree");
  }
}

// Invariants, looked at before the event takes effect.
void World::check(const Event& event) {
  if (const auto* started = std::get_if<AttemptStarted>(&event.body)) {
    for (const auto& dependency : plan_.find(started->task)->depends_on) {
      const TaskRecord& record = ledger_.task(dependency);
      if (record.status == TaskStatus::kSkipped) continue;
      if (record.status != TaskStatus::kCompleted)
        return fail(started->task + " starts before " + dependency + " is done");
      if (!record.commit.empty() && !is_ancestor(record.commit, started->base))
        return fail(started->task + " starts on a base without " + dependency);
    }
    int running = started->lease > 0 ? -settings_.tasks : 0;  // one by hand takes no job
    const Task& mine = *plan_.find(started->task);
    if (mine.approval_gate && ledger_.task(mine.name).approved != mine.text_hash)
      fail(mine.name + " starts without approval");
    const bool by_hand = started->lease > 0;
    const auto& seen = ledger_.overlaps_seen;
    if (settings_.near && !by_hand && std::count(seen.begin(), seen.end(), "near") == 0)
      fail(mine.name + " starts beside another plan and nobody was asked");
    const auto answered = [&mine](const Decision& decision) {
      return !decision.open() && std::ranges::count(decision.asked.paths, mine.name + ".old") > 0;
    };
    if (settings_.stale && !by_hand && std::ranges::none_of(ledger_.decisions, answered))
      fail(mine.name + " starts with a stale reference and nobody was asked");
    for (const WaitsFor& other : plans_before(plan_, ledger_))
      if (!by_hand && looked_at_other_[other.plan] < 4)
        fail(mine.name + " does not wait for the plan " + other.plan);
    if (!by_hand && !by_other_.empty() && !is_ancestor(by_other_, started->base))
      fail(mine.name + " starts on a base without what was waited for");
    const auto limit = ledger_.agent_limits.find(started->agent);
    if (limit != ledger_.agent_limits.end() && limit->second > now_)
      fail(mine.name + " starts while its agent is limited");
    for (const auto& [name, record] : ledger_.tasks) {
      if (record.status != TaskStatus::kRunning) continue;
      running += record.claimed() == nullptr;
      for (const std::string& lock : plan_.find(name)->locks)
        if (std::count(mine.locks.begin(), mine.locks.end(), lock) > 0)
          fail(mine.name + " and " + name + " hold one lock");
    }
    if (running >= settings_.jobs) fail("more tasks run than jobs allow");
    check_working_tree(*started);
  }
  if (const auto* completed = std::get_if<WaveCompleted>(&event.body)) {
    for (const auto& task : completed->tasks)
      if (const Attempt& last = *ledger_.task(task).last();
          last.in_place() && last.changed() && completed->tasks.size() > 1)
        fail(task + " changed the working tree and is no wave of its own");
    for (const auto& task : completed->tasks) {
      const TaskRecord& record = ledger_.task(task);
      if (record.status != TaskStatus::kFinished)
        fail(task + " is completed without being finished");
      else if (plan_.find(task)->checkpoint != Checkpoint::kNone &&
               record.checked != record.last()->id)
        fail(task + " is completed past its checkpoint");
      for (const auto& dependency : plan_.find(task)->depends_on) {
        const TaskStatus status = ledger_.task(dependency).status;
        if (status != TaskStatus::kCompleted && status != TaskStatus::kSkipped)
          fail("landing is no linear extension: " + task + " before " + dependency);
      }
    }
    if (!completed->commit.empty() && integration_ != completed->commit)
      fail("wave " + std::to_string(completed->wave) + " is completed but not on the branch");
  }
  if (const auto* ended = std::get_if<AttemptEnded>(&event.body)) {
    const Attempt* claimed = ledger_.task(ended->task).claimed();
    if (claimed != nullptr && ended->outcome == "lost" && claimed->lease > now_)
      fail(ended->task + " is lost before its lease is over");
    if (claimed != nullptr && ended->outcome == "lost" && ended->commit.empty())
      fail(ended->task + " is lost with its work");
  }
  if (const auto* ended = std::get_if<AttemptEnded>(&event.body))
    if (!ended->commit.empty() && !kept_.contains(ended->commit))
      fail("the work of " + ended->task + " is not kept alive");
  if (const auto* ended = std::get_if<RunEnded>(&event.body)) {
    const bool open = std::any_of(ledger_.decisions.begin(), ledger_.decisions.end(),
                                  [](const Decision& d) { return d.open(); });
    if (ended->outcome == "paused" && !open && ended->reason.empty())
      fail("a run paused without saying why");
    if (ended->outcome == "failed") fail("a run failed: " + ended->reason);
  }
}

void World::maybe_crash() {
  const int point = crash_points_++;
  const bool drawn = chance(settings_.crashes);
  if (!crashing_ || (settings_.crash_at >= 0 ? point != settings_.crash_at : !drawn)) return;
  ++crash_count_;
  throw Crash{};
}

void World::answer(Millis delay, InputBody body) {
  answers_.push({now_ + delay, ++order_, std::move(body)});
}

void World::commit_events(Engine& engine, std::vector<EventBody> bodies) {
  if (bodies.empty()) return;
  maybe_crash();  // before the append
  for (auto& body : bodies) engine.apply(append(std::move(body)));
  maybe_crash();  // before the effects
}

void World::drive(Engine& engine, Step step) {
  while (fault_.empty()) {
    // As the executor does it: nobody would come again to clean up behind a run that is over.
    const bool ends = std::any_of(step.events.begin(), step.events.end(), [](const EventBody& e) {
      return std::holds_alternative<RunEnded>(e);
    });
    if (ends)
      std::erase_if(step.effects, [this](const Effect& effect) {
        if (!std::holds_alternative<Release>(effect)) return false;
        carry_out(effect);
        maybe_crash();
        return true;
      });
    commit_events(engine, std::move(step.events));
    for (const auto& effect : step.effects) {
      carry_out(effect);
      maybe_crash();  // before the answer
    }
    if (!step.ended.empty()) return;
    step = engine.poll(now_, random_());
    if (step.empty()) return;
  }
}

void World::maybe_disturb(Engine& engine) {
  if (chance(settings_.interrupts))
    drive(engine, engine.react({now_, random_(), InterruptPressed{1}}));
  hands_at_work(&engine);
  if (chance(settings_.user)) {
    ToyCommit commit = commits_.at(target_);
    commit.parents = {target_};
    target_ = new_commit(std::move(commit));
  }
}

void World::execute_once(bool resume) {
  ++run_count_;
  RunRequest request;
  request.run = "r" + std::to_string(++run_number_);
  request.target = "refs/heads/main";
  request.target_tip = target_;
  request.base = integration_.empty() ? target_ : integration_;
  request.land = settings_.land;
  request.jobs = settings_.jobs;
  request.resume = resume;
  Beginning beginning = begin_run(plan_, ledger_, request);
  for (auto& body : beginning.events) append(std::move(body));
  maybe_crash();

  EngineOptions options;
  options.actor = actor_;
  options.run = beginning.run;
  options.jobs = settings_.jobs;
  options.task_branch_prefix = "refs/heads/plan/sim/";
  if (settings_.stale)
    for (const Task& task : plan_.tasks())
      options.stale.push_back({task.name, task.name + ".old", "was deleted", task.name.size() > 2});
  if (settings_.near) options.overlaps = {{"near", "both change hot.txt"}};
  const std::string base = ledger_.run()->base;
  Engine engine(options, plan_, ledger_, [this, base](std::string_view commit) {
    return is_ancestor(std::string(commit), integration_.empty() ? base : integration_);
  });
  drive(engine, {});
  while (fault_.empty() && ledger_.run()->outcome.empty()) {
    if (++steps_ > 200000) return fail("it does not come to an end");
    if (answers_.empty()) return fail("the engine waits for nothing");
    Answer next = answers_.top();
    answers_.pop();
    now_ = std::max(now_, next.at);
    maybe_crash();
    drive(engine, engine.react({now_, random_(), std::move(next.body)}));
    if (ledger_.run()->outcome.empty()) maybe_disturb(engine);
  }
}

void World::resolve_decisions() {
  std::vector<std::string> open;
  for (const auto& decision : ledger_.decisions)
    if (decision.open()) open.push_back(decision.asked.decision);
  for (const auto& id : open) {
    const Decision& decision = *ledger_.decision(id);
    std::vector<std::string> keys;
    for (const auto& option : decision.asked.options) {
      const bool other = option.key == "abort" || option.key == "onto:<branch>" ||
                         option.key == "leave" || option.key == "view";
      if (option.disabled.empty() && !other) keys.push_back(option.key);
    }
    DecisionResolved resolved;
    resolved.decision = id;
    resolved.option = keys[random_() % keys.size()];
    if (resolved.option ==
        "hand") {  // a person merges it: the task's change on top of what is there
      const Attempt* last = ledger_.task(decision.asked.task).last();
      ToyCommit merged;
      const std::string base = integration_.empty() ? target_ : integration_;
      if (last != nullptr) merged = commits_.at(last->commit);
      const ToyCommit& onto = commits_.at(decision.asked.task.empty() ? target_ : base);
      const ToyCommit& plan = commits_.at(base);
      merged.tasks.insert(onto.tasks.begin(), onto.tasks.end());
      merged.tasks.insert(plan.tasks.begin(), plan.tasks.end());
      if (merged.hot.empty()) merged.hot = plan.hot.empty() ? onto.hot : plan.hot;
      merged.parents = {base};
      if (decision.asked.task.empty()) merged.parents.push_back(target_);
      if (last != nullptr) merged.parents.push_back(last->commit);
      resolved.text = new_commit(std::move(merged));
    }
    if (resolved.option == "message") resolved.text = "Another message";
    append(std::move(resolved));
  }
}

bool World::run_to_completion() {
  for (int round = 0; round < 2000 && fault_.empty(); ++round) {
    if (ledger_.state == PlanState::kCompleted) break;
    // Patience ends: the last rounds are without crashes, interrupts and failures.
    crashing_ = round < 500;
    if (round >= 500)
      settings_.interrupts = settings_.failures = settings_.timeouts = settings_.hands = 0;
    try {
      execute_once(round % 3 == 2 || chance(0.3));
      if (fault_.empty()) resolve_decisions();
      // Nobody of the run waits for those: their time passes between two runs.
      for (const auto& [name, record] : ledger_.tasks)
        if (record.claimed() != nullptr) now_ += 500;
      if (fault_.empty()) hands_at_work(nullptr);
    } catch (const Crash&) {
      answers_ = {};  // nobody hears them any more; processes go on
      for (auto& [name, process] : processes_)
        if (process.started && !process.exited && chance(0.05)) {  // the machine went down with it
          process.exited = true;
          process.exit_code = 137;
          process.failure = "lost";
        }
    }
  }
  if (!fault_.empty()) return false;
  if (ledger_.state != PlanState::kCompleted) {
    fail("the plan is not completed but " + std::string(name(ledger_.state)));
    return false;
  }
  if (!ledger_.misfits.empty()) fail("misfit: " + ledger_.misfits[0].why);
  for (const auto& [id, process] : processes_)
    if (process.forked && !released_.contains(id)) fail("a tree is left behind: " + id);
  std::map<std::string, int> seen;
  for (const auto& wave : ledger_.waves)
    if (wave.phase == WavePhase::kCompleted && !wave.commit.empty())
      if (++seen[wave.commit] > 1) fail("a commit is in two waves");
  if (!integration_.empty() && settings_.land != "never" && !is_ancestor(integration_, target_))
    fail("the result has not landed");
  return fault_.empty();
}

}  // namespace gitplan::simulation
