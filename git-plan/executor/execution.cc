#include "git-plan/executor/execution.h"

#include <sys/random.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "core/journal/event.h"
#include "core/ledger/fold.h"
#include "core/plan/plan_file.h"
#include "git-plan/executor/waiting.h"
#include "git-plan/executor/wave_files.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

constexpr Millis kTick = 150;  // other processes' events, attempts that were adopted
constexpr Millis kProgress = 500;
constexpr Millis kSamePress = 400;
constexpr std::size_t kMostUnflushed = 2000;  // events
constexpr Millis kWindUp = 20000;  // for attempts to end when the journal cannot be written

std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
    bits = static_cast<std::uint64_t>(clock_now());
  return bits;
}

std::string task_of(const EventBody& body) {
  return std::visit(
      [](const auto& event) -> std::string {
        if constexpr (requires { event.task; })
          return event.task;
        else
          return {};
      },
      body);
}

// Refs move and commands start only when the reason is on the disk.
bool must_be_durable(const Effect& effect) {
  return !std::holds_alternative<Integrate>(effect) && !std::holds_alternative<Stop>(effect) &&
         !std::holds_alternative<Flush>(effect) && !std::holds_alternative<Wait>(effect) &&
         !std::holds_alternative<Watch>(effect);
}

bool ignored(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

Plan with_mode(Plan plan, std::optional<Mode> mode) {
  if (mode && plan.orchestration)
    for (Task& task : plan.orchestration->tasks) task.mode = mode;
  return plan;
}

Execution::Execution(Repository& repository, const Settings& settings, Store& store,
                     Observer& observer, ExecutionSetup setup,
                     std::unique_ptr<Store::Appender> appender)
    : repository_(repository),
      settings_(settings),
      store_(store),
      observer_(observer),
      setup_(std::move(setup)),
      appender_(std::move(appender)),
      log_(setup_.plan_dir + "/run.log"),
      repositories_(repository),
      shell_(setup_.shim),
      text_(setup_.text) {
  // A run that was killed may have left its own.
  tell_waiting(setup_.plan_dir, {});
  std::error_code ignored;
  std::filesystem::remove_all(setup_.plan_dir + "/foretell", ignored);
}

Execution::~Execution() {
  while (loop_.jobs() > 0) loop_.run_once();
}

Result<std::string> Execution::drive(Plan plan, Ledger ledger, const std::vector<Event>& begun) {
  EngineOptions options;
  options.actor = setup_.actor;
  options.run = setup_.run;
  options.jobs = setup_.jobs;
  options.default_minutes = setup_.default_minutes;
  options.task_branch_prefix = "refs/heads/plan/" + setup_.plan + "/";
  options.agent_of = [this](const Task& task) {
    auto agent = agent_command(task, settings_);
    return agent ? agent->agent : task.agent;
  };
  GITPLAN_TRY_ASSIGN(options.subject, settings_.text("plan.subject"));
  options.interactive = setup_.interactive;
  options.overlaps = setup_.overlaps;
  options.stale = setup_.stale;
  engine_ = std::make_unique<Engine>(std::move(options), std::move(plan), std::move(ledger),
                                     [this](std::string_view commit) { return in_base(commit); });
  for (const Event& event : begun) note(event);
  attach_leftovers();

  loop_.on_signal(SIGINT, [this] { interrupt(); });
  loop_.on_signal(SIGTERM, [this] { interrupt(); });
  if (!ignored(SIGHUP)) loop_.on_signal(SIGHUP, [this] { interrupt(); });  // but under nohup
  loop_.on_signal(SIGCHLD, [this] { look_at_processes(false); });
  loop_.every(kTick, [this] {
    look_at_processes(true);
    poll_journal();
    sync();
  });
  loop_.every(kProgress, [this] {
    show_progress();
    look_for_last_words();
    look_at_branches();
  });

  while (outcome_.empty()) {
    turn();
    if (outcome_.empty()) loop_.run_once();
  }
  if (fatal_) {
    wind_up();
    return *std::move(fatal_);
  }
  finish_cleaning();
  carry_out(Flush{});
  say_wait({});
  return outcome_;
}

// Until the engine has nothing more to say.
void Execution::turn() {
  while (outcome_.empty()) {
    take_arrived();
    take_definition();
    Step step;
    const bool answer = !inputs_.empty();
    if (answer) {
      const Input next = std::move(inputs_.front());
      inputs_.pop_front();
      if (const auto* failure = std::get_if<JournalFailed>(&next.body); failure && !fatal_)
        fatal_ = failed(failure->error);
      step = engine_->react(next);
    } else {
      step = engine_->poll(clock_now(), random_bits());
    }
    if (step.empty() && !answer) return;
    carry_out(std::move(step));
  }
}

void Execution::carry_out(Step step) {
  if (!step.ended.empty()) outcome_ = step.ended;
  for (const EventBody& event : step.events)
    if (const auto* ended = std::get_if<RunEnded>(&event))
      leave_nothing_behind(step, ended->outcome);
  // What is not in the journal did not happen: no effect follows.
  if (!step.events.empty() && !append(std::move(step.events))) return;
  for (const Effect& effect : step.effects) {
    if (must_be_durable(effect) && !sync()) return;
    std::visit([this](const auto& one) { carry_out(one); }, effect);
  }
}

// Before the run is recorded as over: nobody would come again to clean up behind a run that is.
void Execution::leave_nothing_behind(Step& step, std::string_view outcome) {
  std::erase_if(step.effects, [this](const Effect& effect) {
    const auto* release = std::get_if<Release>(&effect);
    if (release != nullptr) carry_out(*release);
    return release != nullptr;
  });
  clean_up(outcome);
  finish_cleaning();
}

// Many trees, or large ones, take their time.
void Execution::finish_cleaning() {
  cleaning_since_ = clock_now();
  to_release_.insert(to_release_.end(), spare_.begin(), spare_.end());
  spare_.clear();
  release_next();
  to_clean_ = to_release_.size() + static_cast<std::size_t>(loop_.jobs());
  while (loop_.jobs() > 0 || !to_release_.empty()) loop_.run_once();
  cleaning_since_ = 0;
}

// What another process did in the meantime, such as taking a task by hand, or finishing one: the
// engine is asked again where that has overtaken it.
void Execution::take_back_overtaken(const std::vector<Event>& others,
                                    std::vector<EventBody>& bodies) const {
  Ledger now = engine_->ledger();
  for (const Event& event : others) apply(now, event);
  std::erase_if(bodies, [&](const EventBody& body) {
    if (std::holds_alternative<RunEnded>(body)) return true;
    if (const auto* ended = std::get_if<AttemptEnded>(&body); ended && ended->outcome == "lost")
      if (const Attempt* claimed = now.task(ended->task).claimed();
          claimed != nullptr && claimed->lease > clock_now())
        return true;
    if (const auto* started = std::get_if<AttemptStarted>(&body))
      return now.task(started->task).claimed() != nullptr || !misfit(now, body).empty();
    return std::holds_alternative<AttemptEnded>(body) && !misfit(now, body).empty();
  });
}

bool Execution::append(std::vector<EventBody> bodies) {
  if (fatal_) return false;
  auto events = appender_->append(std::move(bodies), false, [this](const auto& others, auto& own) {
    take_back_overtaken(others, own);
  });
  if (!events) {
    journal_failed(std::move(events).error());
    return false;
  }
  unsynced_ = true;
  take(*events);
  // Whoever reads the plan, and each append, goes through all that waits there.
  if ((unflushed_ += events->size()) >= kMostUnflushed) carry_out(Flush{});
  return true;
}

bool Execution::sync() {
  if (fatal_) return false;
  if (!unsynced_) return true;
  unsynced_ = false;
  Status synced = appender_->sync();
  if (!synced) journal_failed(std::move(synced).error());
  return !fatal_;
}

void Execution::journal_failed(Error error) {
  log_.line(clock_now(), "journal failed: " + error.message);
  inputs_.clear();
  input(JournalFailed{error.message});
  fatal_ = std::move(error).in("the journal of plan '" + setup_.plan + "' cannot be written");
}

void Execution::take(const std::vector<Event>& events) {
  for (const Event& event : events) {
    engine_->apply(event);
    note(event);
  }
}

// The ledger has it already.
void Execution::note(const Event& event) {
  const std::string task = task_of(event.body);
  log_.line(event.time, std::string(type_of(event.body)) + (task.empty() ? "" : " " + task));
  if (const auto* ended = std::get_if<AttemptEnded>(&event.body); ended && ended->output)
    attach_output(ended->task, ended->attempt);
  if (const auto* completed = std::get_if<WaveCompleted>(&event.body))
    if (const Wave* wave = engine_->ledger().wave(completed->run, completed->wave))
      for (Attachment& file : wave_files(engine_->plan(), engine_->ledger(), *wave))
        attachments_[file.path] = std::move(file.content);
  if (const auto* control = std::get_if<ControlRequested>(&event.body);
      control && control->run == setup_.run) {
    give_up_asking();
    if (control->what != "pause") shell_.stop_all(control->what);
  }
  if (asking_) {
    const Decision* asked = engine_->ledger().decision(asking_->decision);
    if (asked == nullptr || !asked->open()) give_up_asking();
  }
  if (std::holds_alternative<Landed>(event.body)) give_tree_back();
  if (std::holds_alternative<DefinitionChanged>(event.body)) definition_changed_ = true;
  observer_.on_event(event, engine_->ledger(), engine_->plan());
}

void Execution::input(InputBody body) {
  inputs_.push_back(Input{clock_now(), random_bits(), std::move(body)});
}

void Execution::poll_journal() {
  if (fatal_) return;
  auto events = appender_->poll();
  if (!events) {
    journal_failed(std::move(events).error());
  } else if (!events->empty()) {
    take(*events);
    input(JournalChanged{});
  }
}

// What other clones did counts between batches, where it was read here: it can reach a brief.
void Execution::take_arrived() {
  if (fatal_ || !engine_->between_batches()) return;
  auto view = appender_->arrived();
  if (!view) return journal_failed(std::move(view).error());
  if (!*view) return;
  const auto trusted = setup_.trusted ? setup_.trusted(**view) : Result<bool>(true);
  if (!trusted || !*trusted) {
    observer_.on_warning("what another clone did to '" + setup_.plan +
                         "' was not read here; this run goes on without it: git plan trust " +
                         setup_.plan);
    return;
  }
  log_.line(clock_now(), "took what other clones did");
  definition_changed_ = definition_changed_ || (*view)->text != text_;
  engine_->set_ledger(std::move((*view)->ledger));
}

// A newer definition counts between batches, where it was read here and can be executed.
void Execution::take_definition() {
  if (!definition_changed_ || !engine_->between_batches()) return;
  definition_changed_ = false;
  auto view = store_.load(setup_.plan);
  if (!view || view->text == text_) return;
  if (view->ledger.state == PlanState::kConflicted) return;
  const auto trusted = setup_.trusted ? setup_.trusted(*view) : Result<bool>(true);
  if (!trusted || !*trusted) {
    observer_.on_warning(
        "the definition of '" + setup_.plan +
        "' was changed by what is not trusted here, such as one of its tasks; this "
        "run goes on with the one it has: git plan trust " +
        setup_.plan);
    return;
  }
  if (!keys_not_executable(view->plan).empty()) {
    observer_.on_warning("the new definition of '" + setup_.plan +
                         "' has keys that a run cannot honour; this run goes on with the old one");
    return;
  }
  text_ = view->text;
  engine_->set_plan(with_mode(std::move(view->plan), setup_.mode));
  log_.line(clock_now(), "took the new definition");
}

void Execution::interrupt() {
  // The terminal signals the whole group, and git, our parent, hands its signal on to us: one press
  // of Ctrl+C comes twice.
  const Millis now = clock_now();
  if (interrupts_ > 0 && now - interrupted_at_ < kSamePress) return;
  interrupted_at_ = now;
  ++interrupts_;
  log_.line(clock_now(), "interrupted");
  give_up_asking();
  input(InterruptPressed{interrupts_});
}

void Execution::show_progress() {
  if (cleaning_since_ != 0) {
    const std::size_t left = to_release_.size() + static_cast<std::size_t>(loop_.jobs());
    observer_.on_cleaning(to_clean_ - std::min(left, to_clean_), to_clean_, cleaning_since_);
    return;
  }
  std::vector<TaskProgress> tasks;
  for (const auto& [name, live] : live_) {
    TaskProgress progress;
    progress.task = name;
    progress.attempt = live.attempt;
    progress.phase = live.phase;
    progress.started = live.started;
    const AttemptFiles files = files_of(name, live.attempt);
    progress.last_line = files.last_line();
    progress.output_bytes = files.log_size();
    tasks.push_back(std::move(progress));
  }
  if (!tasks.empty()) observer_.on_progress(tasks, engine_->ledger(), engine_->plan());
}

void Execution::say_wait(std::string_view reason) {
  if (waiting_ == reason) return;
  waiting_ = reason;
  tell_waiting(setup_.plan_dir, reason);
  observer_.on_wait(reason);
}

// Nothing can be recorded, so nothing may go on: what runs is stopped, and its work stays in its
// tree.
void Execution::wind_up() {
  give_up_asking();
  shell_.stop_all("cancel");
  stop_everything();
  const Millis end = clock_now() + kWindUp;
  const auto any_alive = [this] {
    return std::any_of(live_.begin(), live_.end(),
                       [](const auto& entry) { return entry.second.watched; });
  };
  while ((any_alive() || loop_.jobs() > 0) && clock_now() < end) loop_.run_once();
  while (loop_.jobs() > 0) loop_.run_once();
}

// What an executor that was killed had recorded but not handed to the store.
void Execution::attach_leftovers() {
  const Ledger& ledger = engine_->ledger();
  for (const auto& [name, record] : ledger.tasks)
    for (const Attempt& attempt : record.attempts)
      if (attempt.output && (attempt.run == setup_.run || attempt.by_hand()))
        attach_output(name, attempt.id);
  for (const Wave& wave : ledger.waves)
    if (wave.run == setup_.run && wave.phase == WavePhase::kCompleted)
      for (Attachment& file : wave_files(engine_->plan(), ledger, wave))
        attachments_[file.path] = std::move(file.content);
}

void Execution::attach_output(const std::string& task, const std::string& attempt) {
  const auto output = read_small_file(files_of(task, attempt).path("output.md"));
  if (!output) return;
  attachments_["outputs/" + task + "/" + attempt + ".md"] = *output + "\n";
  attachments_["outputs/" + task + ".md"] = *output + "\n";
}

bool Execution::in_base(std::string_view commit) {
  if (engine_ && engine_->base() != base_asked_) {
    base_asked_ = engine_->base();
    // A base only grows: what it held it still holds.
    std::erase_if(base_holds_, [](const auto& entry) { return !entry.second; });
  }
  const auto known = base_holds_.find(commit);
  if (known != base_holds_.end()) return known->second;
  const bool held = !base_asked_.empty() && repository_.is_ancestor(commit, base_asked_);
  base_holds_.emplace(commit, held);
  return held;
}

}  // namespace gitplan
