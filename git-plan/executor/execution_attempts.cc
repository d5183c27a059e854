// The effects of attempts: Fork, Start, Stop. Each looks first what is there already, because
// whoever asks may be the successor of an executor that was killed in the middle of the same thing.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "core/agent/report.h"
#include "git-plan/executor/brief.h"
#include "git-plan/executor/execution.h"
#include "git-plan/executor/shim.h"
#include "git-plan/executor/task_folder.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"
#include "refs/wave/in_place.h"

namespace gitplan {
namespace {

constexpr Millis kMinute = 60000;
constexpr Millis kGrace = 10000;               // from an agent's end event to its end
constexpr Millis kLogEnd = 5000;               // for what a closed window still writes
constexpr std::uint64_t kLastWords = 1 << 20;  // of a log, in which that event is looked for

}  // namespace

AttemptFiles Execution::files_of(std::string_view task, std::string_view attempt) const {
  return AttemptFiles(attempt_dir(setup_.plan_dir, task, attempt));
}

Execution::Live* Execution::live(std::string_view task, std::string_view attempt) {
  const auto found = live_.find(task);
  return found != live_.end() && found->second.attempt == attempt ? &found->second : nullptr;
}

// From here on, until it is collected.
Execution::Live& Execution::look_after(const std::string& task, const std::string& attempt,
                                       const char* phase) {
  const Attempt& known = recorded(task, attempt);
  Live& live = live_[task];
  live = Live{};
  live.task = task;
  live.attempt = attempt;
  live.phase = phase;
  live.started = known.started;
  live.agent = known.agent;
  return live;
}

const Attempt& Execution::recorded(std::string_view task, std::string_view attempt) const {
  static const Attempt kNone;
  for (const Attempt& known : engine_->ledger().task(task).attempts)
    if (known.id == attempt) return known;
  return kNone;
}

int Execution::minutes_of(std::string_view task, std::string_view attempt) const {
  const int minutes = recorded(task, attempt).minutes;
  return minutes > 0 ? minutes : setup_.default_minutes;
}

ForkSpec Execution::fork_spec(std::string_view task, std::string_view attempt) const {
  ForkSpec spec;
  spec.plan = setup_.plan;
  spec.identity = setup_.identity;
  spec.task = task;
  spec.attempt = attempt;
  spec.attempt_dir = attempt_dir(setup_.plan_dir, task, attempt);
  const Attempt& known = recorded(task, attempt);
  spec.base = known.base;
  spec.branch = known.branch;
  return spec;
}

// Without the tree where it is not made yet.
PrepareJob Execution::prepare_job(std::string_view task, std::string_view attempt) const {
  PrepareJob job;
  job.attempt_dir = files_of(task, attempt).dir();
  job.tree = read_small_file(job.attempt_dir + "/tree").value_or("");
  if (const auto& orchestration = engine_->plan().orchestration) {
    job.copy = orchestration->copy;
    job.setup = orchestration->setup;
    job.teardown = orchestration->teardown;
  }
  job.deadline = minutes_of(task, attempt) * kMinute;
  return job;
}

TaskPlace Execution::place_of(const Task& task, const Live& live, const std::string& tree) const {
  TaskPlace place;
  place.plan = setup_.plan;
  place.task = task.name;
  place.role = task.role;
  place.attempt = live.attempt;
  place.folder = task_folder(tree, live.attempt);
  place.slot = live.slot ? live.slot->number() : -1;
  return place;
}

// ---- a slot and a tree ----

void Execution::carry_out(const Fork& effect) {
  Live& live = look_after(effect.task, effect.attempt, "fork");
  const Task* task = engine_->plan().find(effect.task);
  if (task != nullptr)
    if (const auto agent = agent_command(*task, settings_, live.agent)) live.preset = agent->preset;
  const AttemptFiles files = files_of(effect.task, effect.attempt);
  if (files.exit() || files.started() || files.alive()) {  // it has its tree, and had its slot
    const auto begun = begun_in_place(files.dir());
    return input(ForkReady{effect.task, effect.attempt, begun ? begun->head : ""});
  }
  if (effect.only_if_begun) {
    live_.erase(effect.task);
    return input(SlotRefused{effect.task, effect.attempt});
  }
  auto slot = Slot::take(repository_.local_dir(), setup_.max_forks);
  if (!slot) {
    live_.erase(effect.task);
    input(ForkFailed{effect.task, effect.attempt, "fork", slot.error().message});
    return;
  }
  if (!*slot) {
    live_.erase(effect.task);
    say_wait(setup_.max_forks == 1
                 ? std::string("the one slot of this clone is taken (plan.maxForks)")
                 : "all " + std::to_string(setup_.max_forks) +
                       " slots of this clone are taken (plan.maxForks)");
    input(SlotRefused{effect.task, effect.attempt});
    return;
  }
  if (task != nullptr && !task->locks.empty()) {
    std::string held;
    auto locks = NamedLocks::take(repository_.local_dir(), task->locks, held);
    if (!locks || !*locks) {
      live_.erase(effect.task);
      if (!locks)
        return input(ForkFailed{effect.task, effect.attempt, "fork", locks.error().message});
      say_wait("the lock '" + held + "' is held by another plan of this clone");
      return input(SlotRefused{effect.task, effect.attempt});
    }
    live.locks = std::move(*locks);
  }
  live.slot = std::move(**slot);
  if (effect.branch.empty()) return begin_in_tree(effect);
  say_wait({});

  const ForkSpec spec = fork_spec(effect.task, effect.attempt);
  PrepareJob job = prepare_job(effect.task, effect.attempt);
  TaskPlace place;
  if (task != nullptr) place = place_of(*task, live, "");
  loop_.work([this, spec, job = std::move(job), place = std::move(place),
              spare = take_spare()]() mutable -> Loop::Action {
    Status done;
    std::string kind = "fork";
    TreeSnapshot before;
    auto repository = repositories_.take();
    if (!repository) {
      done = std::move(repository).error();
    } else if ((*repository)->path_at(spec.base, ".git-plan")) {
      done = error(ErrorCode::kRefused,
                   "'.git-plan' is tracked by git, but git plan keeps its own files there",
                   "git rm -r --cached .git-plan, and commit that");
    } else {
      Forks forks(**repository, settings_, setup_.actor);
      auto tree = forks.ensure(spec, spare ? std::optional(spare->fork) : std::nullopt);
      if (!tree) {
        done = std::move(tree).error();
      } else {
        kind = "setup";
        job.tree = *tree;
        place.folder = task_folder(*tree, spec.attempt);
        job.environment = task_environment(place);
        done = prepare(job, **repository, shell_);
      }
      auto snapshot = snapshot_of(**repository);
      if (snapshot) before = *std::move(snapshot);
    }
    return [this, spec, kind, done = std::move(done), before = std::move(before),
            spare = std::move(spare)]() mutable {
      if (spare && spare->for_good) {  // its branch goes, and its tree where that was not taken
        to_release_.push_back(std::move(*spare));
        release_next();
      }
      Live* there = this->live(spec.task, spec.attempt);
      if (there == nullptr) return;
      if (!done) {
        const Error& why = done.error();
        log_.line(clock_now(), kind + " of " + spec.task + " failed: " + why.message);
        input(ForkFailed{spec.task, spec.attempt, kind,
                         why.message + (why.hint.empty() ? "" : "; " + why.hint)});
        live_.erase(spec.task);
      } else {
        there->before = std::move(before);
        input(ForkReady{spec.task, spec.attempt});
      }
    };
  });
}

// ---- its process ----

void Execution::carry_out(const Start& effect) {
  Live* live = this->live(effect.task, effect.attempt);
  if (live == nullptr) return;
  const AttemptFiles files = files_of(effect.task, effect.attempt);
  live->phase = "run";
  if (files.exit()) {
    process_ended(*live);
  } else if (files.alive()) {
    live->watched = true;
    if (files.on_terminal()) live->preset = nullptr;
    log_.line(clock_now(), "found " + effect.task + " at work");
  } else if (files.started()) {
    process_lost(*live);
  } else {
    const Task* task = engine_->plan().find(effect.task);
    const std::string tree = files.tree();
    if (task == nullptr) {
      live->error = "the task is not in the plan any more";
    } else if (!is_directory(tree)) {
      live->error = "its worktree is gone";
    } else {
      if (gets_window(*live, *task)) return begin_in_window(*live, *task, effect.minutes, tree);
      // Not while a question stands there.
      const bool attached =
          setup_.interactive && !asking_ && engine_->plan().mode_of(*task) == Mode::kInline;
      begin(*live, *task, effect.minutes, tree, attached);
    }
    if (!live->error.empty()) input(ProcessEnded{live->task, live->attempt, 126, "", live->error});
  }
}

// Its folder, its brief and what its shim is told; written by whoever starts it.
Result<AttemptSpec> Execution::lay_out(const Live& live, const Task& task, int minutes,
                                       const std::string& tree, bool terminal) {
  const AttemptFiles files = files_of(live.task, live.attempt);
  GITPLAN_TRY_ASSIGN(const AgentCommand agent,
                     agent_command(task, settings_, live.agent, terminal));
  FolderContent content;
  content.plan_text = text_;
  const OutputOf output_of = [&](std::string_view path) -> std::optional<std::string> {
    const std::string name(path.substr(path.find('/') + 1));
    if (const auto known = content.outputs.find(name); known != content.outputs.end())
      return known->second;
    std::optional<std::string> text;
    if (const auto pending = attachments_.find(std::string(path)); pending != attachments_.end())
      text = pending->second;
    else if (auto stored = store_.file(setup_.plan, path); stored)
      text = *std::move(stored);
    if (text) content.outputs.emplace(name, *text);
    return text;
  };
  content.brief = brief_of(setup_.plan, engine_->plan(), engine_->ledger(), task, live.attempt,
                           output_of, soft_locks_of_others(task));
  GITPLAN_TRY(make_task_folder(tree, live.attempt, content));
  GITPLAN_TRY(make_directories(files.dir()));
  GITPLAN_TRY(write_file(files.path("brief"), content.brief));
  AttemptSpec spec;
  spec.command = agent.command;
  spec.directory = task.cwd.empty() ? tree : tree + "/" + task.cwd;
  spec.terminal = terminal;
  if (!terminal) spec.input = files.path("brief");
  spec.log_limit = setup_.max_log;
  spec.wall_ms = minutes * kMinute;
  spec.idle_ms = task.idle_minutes.value_or(0) * kMinute;
  spec.environment = task_environment(place_of(task, live, tree));
  if (agent.preset != nullptr)
    std::erase_if(spec.environment, [&](const std::string& variable) {
      return std::ranges::count(agent.preset->unset, variable.substr(0, variable.find('='))) > 0;
    });
  if (task.budget_usd && task.run.empty()) {
    const TaskRecord& record = engine_->ledger().task(task.name);
    const double left =
        *task.budget_usd * (1 + record.budget_raises) - engine_->ledger().spent(task.name);
    spec.environment.push_back(fmt::format("PLAN_BUDGET_USD={:.4f}", std::max(left, 0.0)));
  }
  return spec;
}

void Execution::begin(Live& live, const Task& task, int minutes, const std::string& tree,
                      bool terminal) {
  const AttemptFiles files = files_of(live.task, live.attempt);
  const auto go = [&]() -> Status {
    GITPLAN_TRY_ASSIGN(const AttemptSpec spec, lay_out(live, task, minutes, tree, terminal));
    GITPLAN_TRY(files.write_spec(spec));
    GITPLAN_TRY_ASSIGN(const int lock, files.take_lock());
    if (terminal) {
      live.preset = nullptr;
      observer_.on_terminal(true);
      live.loan = std::make_unique<TerminalLoan>();
    }
    auto child = spawn_shim(setup_.shim, files.dir(),
                            {.attempt = lock,
                             .slot = live.slot ? live.slot->fd() : -1,
                             .named = live.locks ? live.locks->fd() : -1},
                            terminal ? ShimPlace::kTerminal : ShimPlace::kOwnSession);
    ::close(lock);
    if (!child) return std::move(child).error();
    live.child = *child;
    live.watched = true;
    return {};
  };
  if (const Status begun = go(); !begun)
    live.error =
        begun.error().message + (begun.error().hint.empty() ? "" : "; " + begun.error().hint);
}

void Execution::carry_out(const Stop& effect) {
  Live* live = this->live(effect.task, effect.attempt);
  if (live == nullptr) return;
  const AttemptFiles files = files_of(effect.task, effect.attempt);
  live->phase = "stop";
  if (live->watched || files.alive()) {
    live->watched = true;
    if (const Status asked = files.request_stop(effect.why); !asked) {
      observer_.on_warning(asked.error().message);
      if (live->child > 0) ::kill(live->child, SIGTERM);
    }
  } else if (files.exit()) {
    process_ended(*live);
  } else if (files.started()) {
    process_lost(*live);
  } else {  // it never began
    input(ProcessEnded{effect.task, effect.attempt, 128 + SIGTERM, effect.why, ""});
  }
}

void Execution::look_at_processes(bool adopted_too) {
  for (auto& [name, live] : live_) {
    if (!live.watched) continue;
    if (live.child > 0) {
      if (::waitpid(live.child, nullptr, WNOHANG) != live.child) continue;
      live.child = 0;
    } else if (!adopted_too || files_of(name, live.attempt).alive()) {
      continue;
    } else if (files_of(name, live.attempt).log_is_written()) {
      if (live.over_since == 0) live.over_since = clock_now();
      if (clock_now() - live.over_since < kLogEnd) continue;
    }
    live.watched = false;
    process_ended(live);
  }
}

// Some agents hang after their last word: what they said counts, and then they are ended.
void Execution::look_for_last_words() {
  const Millis now = clock_now();
  for (auto& [name, live] : live_) {
    if (!live.watched || live.hung || live.preset == nullptr || !live.preset->end_event) continue;
    const AttemptFiles files = files_of(name, live.attempt);
    if (const std::uint64_t size = files.log_size(); live.said_end == 0 && size != live.log_seen) {
      live.log_seen = size;
      if (read_report(live.preset->dialect, files.end_of_log(kLastWords)).ended)
        live.said_end = now;
    }
    if (live.said_end == 0 || now - live.said_end < kGrace) continue;
    live.hung = true;
    log_.line(now, name + " has said its last word and hangs");
    if (const Status asked = files.request_stop("end"); !asked)
      observer_.on_warning(asked.error().message);
  }
}

void Execution::take_terminal_back(Live& live) {
  if (live.loan == nullptr) return;
  live.loan.reset();
  observer_.on_terminal(false);
  ask_next();
}

void Execution::process_ended(Live& live) {
  const auto exit = files_of(live.task, live.attempt).exit();
  if (!exit) return process_lost(live);
  take_terminal_back(live);
  if (exit->stopped_by == "interrupt") interrupt();  // Ctrl+C went to the one that had the terminal
  live.error = exit->error;
  input(ProcessEnded{live.task, live.attempt, exit->exit_code, exit->stopped_by, exit->error});
}

// The shim was killed, or the machine stopped: neither lock nor exit status.
void Execution::process_lost(Live& live) {
  const AttemptFiles files = files_of(live.task, live.attempt);
  const std::string tree = files.tree();
  if (!tree.empty()) kill_strays(task_folder(tree, live.attempt) + "/brief.md");
  take_terminal_back(live);
  live.lost = true;
  log_.line(clock_now(), "lost the process of " + live.task);
  input(ProcessEnded{live.task, live.attempt, 128 + SIGKILL, "", "its process was lost"});
}

void Execution::stop_everything() {
  for (auto& [name, live] : live_)
    if (live.watched || files_of(name, live.attempt).alive())
      carry_out(Stop{name, live.attempt, "cancel"});
}

}  // namespace gitplan
