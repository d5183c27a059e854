// The effects of waves and landing, and the small ones: Integrate, Commit, Verify, Advance, Land,
// Release, Flush, Wait.
#include <algorithm>

#include "core/base/branch_name.h"
#include "git-plan/executor/execution.h"
#include "git-plan/executor/verify_log.h"
#include "hooks/hooks_path.h"
#include "refs/git/small_file.h"
#include "refs/wave/branch_state.h"
#include "refs/wave/integrate.h"
#include "refs/wave/landing.h"
#include "refs/wave/wave_commit.h"

namespace gitplan {
namespace {

// What a job on a worker thread works with.
struct Bench {
  RepositoryPool::Lease repository;
  Forks forks;
};

Result<std::unique_ptr<Bench>> bench(RepositoryPool& pool, const Settings& settings,
                                     const std::string& actor) {
  GITPLAN_TRY_ASSIGN(RepositoryPool::Lease lease, pool.take());
  Repository& repository = *lease;
  return std::make_unique<Bench>(Bench{std::move(lease), Forks(repository, settings, actor)});
}

}  // namespace

// `job` answers from a worker thread.
void Execution::in_background(std::function<InputBody()> job) {
  loop_.work([this, job = std::move(job)]() -> Loop::Action {
    return [this, answer = job()] { input(answer); };
  });
}

void Execution::carry_out(const Integrate& effect) {
  in_background([this, effect]() -> InputBody {
    const auto go = [&]() -> Result<Merged> {
      GITPLAN_TRY_ASSIGN(const auto at, bench(repositories_, settings_, setup_.actor));
      GITPLAN_TRY_ASSIGN(const std::string tree,
                         at->forks.integration_tree(setup_.plan_dir, effect.base));
      return integrate(*at->repository, effect, tree);
    };
    auto merged = go();
    if (merged) return *std::move(merged);
    Merged failed;
    failed.wave = effect.wave;
    failed.error = merged.error().message;
    return failed;
  });
}

void Execution::carry_out(const Commit& effect) {
  WaveCommitOptions options;
  options.plan = setup_.plan;
  options.deadline = std::chrono::milliseconds(setup_.commit_deadline);
  options.squash = setup_.squash;
  if (!options.squash)
    for (const std::string& task : effect.tasks)
      if (const Attempt* last = engine_->ledger().task(task).last();
          last != nullptr && last->changed())
        options.tips.push_back(last->commit);
  in_background([this, effect, options]() mutable -> InputBody {
    const auto go = [&]() -> Result<std::variant<Committed, CommitRefused>> {
      GITPLAN_TRY_ASSIGN(const auto at, bench(repositories_, settings_, setup_.actor));
      GITPLAN_TRY_ASSIGN(const std::string tree,
                         at->forks.integration_tree(setup_.plan_dir, effect.base));
      GITPLAN_TRY_ASSIGN(options.hooks_path, hooks_path_for(*at->repository, tree));
      return commit_wave(*at->repository, effect, options, tree);
    };
    auto answer = go();
    if (!answer) return CommitRefused{effect.wave, "git", answer.error().message};
    return std::visit([](auto& one) -> InputBody { return std::move(one); }, *answer);
  });
}

// The plan's verify commands on one commit. Empty: it verifies; `command` is the one that does not.
Result<std::string> Execution::verify(const std::vector<std::string>& commands, int wave,
                                      const std::string& commit, std::string& command,
                                      bool& stopped) {
  if (commands.empty()) return std::string();
  GITPLAN_TRY_ASSIGN(const auto at, bench(repositories_, settings_, setup_.actor));
  GITPLAN_TRY_ASSIGN(const std::string tree, at->forks.integration_tree(setup_.plan_dir, commit));
  const std::string dir = setup_.plan_dir + "/verify";
  for (const std::string& one : commands) {
    ShellCommand shell;
    shell.command = command = one;
    shell.directory = tree;
    shell.environment = verify_environment(setup_.plan, wave);
    shell.deadline = setup_.default_minutes * Millis{60000};
    GITPLAN_TRY_ASSIGN(const ShellOutcome outcome, shell_.run(dir, shell));
    keep_verify_log(setup_.plan_dir, wave, one, dir + "/log", &one == &commands.front());
    stopped = outcome.stopped_by == "cancel" || outcome.stopped_by == "abort";
    const std::string fault = complaint(one, outcome);
    if (!fault.empty()) return fault + (outcome.tail.empty() ? "" : "\n" + outcome.tail);
  }
  return std::string();
}

void Execution::carry_out(const Verify& effect) {
  const auto& orchestration = engine_->plan().orchestration;
  const auto commands = orchestration ? orchestration->verify : std::vector<std::string>();
  in_background([this, effect, commands]() -> InputBody {
    Verified verified;
    verified.wave = effect.wave;
    auto fault = verify(commands, effect.wave, effect.commit, verified.command, verified.stopped);
    verified.passed = fault && fault->empty();
    if (verified.passed)
      verified.command.clear();
    else
      verified.output = fault ? *fault : fault.error().message;
    if (!fault && verified.command.empty()) verified.command = verified.output;
    return verified;
  });
}

void Execution::carry_out(const Advance& effect) {
  in_background([this, effect]() -> InputBody {
    const auto go = [&]() -> Result<std::variant<Advanced, AdvanceRefused>> {
      GITPLAN_TRY_ASSIGN(const auto at, bench(repositories_, settings_, setup_.actor));
      return advance(*at->repository, effect, setup_.integration_branch);
    };
    auto answer = go();
    if (answer) return std::visit([](auto& one) -> InputBody { return std::move(one); }, *answer);
    // Git itself fails, and nobody knows where the branch stands: a later run looks again.
    return JournalFailed{"the branch '" + branch_name(setup_.integration_branch) +
                         "' cannot be moved: " + answer.error().message};
  });
}

std::string Execution::reason_to_wait(const LandAnswer& answer) const {
  if (const auto* waits = std::get_if<LandWaits>(&answer)) return waits->reason;
  const auto* conflict = std::get_if<LandConflict>(&answer);
  if (conflict == nullptr || !conflict->dirty || engine_->ledger().run()->land_choice != "wait")
    return {};
  std::string paths;
  for (const Conflict& one : conflict->conflicts) paths += (paths.empty() ? "" : ", ") + one.path;
  return "changes that are not committed are in the way: " + paths;
}

void Execution::carry_out(const Land& effect) {
  const auto& orchestration = engine_->plan().orchestration;
  const auto commands = orchestration ? orchestration->verify : std::vector<std::string>();
  LandingOptions options;
  options.plan = setup_.plan;
  options.run = setup_.run;
  options.deadline = std::chrono::milliseconds(setup_.commit_deadline);
  loop_.work([this, effect, commands, options]() mutable -> Loop::Action {
    bool stopped = false;
    std::vector<std::string> said;
    options.say = [&said](const std::string& text) { said.push_back(text); };
    options.verify = [&](const std::string& commit) {
      std::string command;
      return verify(commands, 0, commit, command, stopped);
    };
    const auto go = [&]() -> Result<LandAnswer> {
      GITPLAN_TRY_ASSIGN(const auto at, bench(repositories_, settings_, setup_.actor));
      GITPLAN_TRY_ASSIGN(const std::string tree,
                         at->forks.integration_tree(setup_.plan_dir, effect.commit));
      GITPLAN_TRY_ASSIGN(options.hooks_path, hooks_path_for(*at->repository, tree));
      return land(*at->repository, effect, options, tree);
    };
    auto answer = go();
    LandAnswer told = answer ? *std::move(answer)
                             : LandAnswer(LandRefused{effect.branch, answer.error().message,
                                                      answer.error().hint, false});
    if (stopped) told = LandWaits{effect.branch, "its verification was stopped"};
    return [this, told = std::move(told), said = std::move(said)] {
      for (const std::string& text : said) append({Remark{"", text}});
      say_wait(reason_to_wait(told));
      std::visit([this](const auto& one) { input(one); }, told);
    };
  });
}

// ---- trees that nobody needs ----

void Execution::carry_out(const Release& effect) {
  const AttemptFiles files = files_of(effect.task, effect.attempt);
  if (release_in_place(effect)) return;
  if (!exists(files.path("tree"))) return;  // released before, or never made
  const TaskRecord& record = engine_->ledger().task(effect.task);
  const auto attempt =
      std::find_if(record.attempts.begin(), record.attempts.end(),
                   [&](const Attempt& known) { return known.id == effect.attempt; });
  const bool good = attempt != record.attempts.end() &&
                    (attempt->outcome == "finished" || attempt->outcome == "queued");
  ToRelease next{fork_spec(effect.task, effect.attempt), good, {}, {}};
  next.if_untouched = attempt != record.attempts.end() &&
                      (attempt->outcome == "lost" || attempt->outcome == "cancelled");
  if (good && exists(files.path("prepared"))) {
    next.teardown = prepare_job(effect.task, effect.attempt);
    if (const Task* task = engine_->plan().find(effect.task)) {
      Live gone;
      gone.attempt = effect.attempt;
      next.teardown.environment = task_environment(place_of(*task, gone, next.teardown.tree));
    }
  }
  const bool has_tree = std::erase_if(finished_, [&](const ForkSpec& fork) {
                          return fork.task == effect.task && fork.attempt == effect.attempt;
                        }) > 0;
  const bool keep =
      has_tree && reuses_trees() && spare_.size() < static_cast<std::size_t>(setup_.jobs);
  (keep ? spare_ : to_release_).push_back(std::move(next));
  release_next();
}

// What `teardown` takes down was set up for one task, and goes with it.
bool Execution::reuses_trees() const {
  const auto& orchestration = engine_->plan().orchestration;
  return setup_.reuse && orchestration && orchestration->teardown.empty();
}

// The one of an attempt that waits to be integrated goes on to own its branch: not for good.
std::optional<Execution::ToRelease> Execution::take_spare() {
  std::optional<ToRelease> taken;
  if (!reuses_trees()) return taken;
  if (!spare_.empty()) {
    taken = std::move(spare_.front());
    spare_.pop_front();
  } else if (!finished_.empty()) {
    taken = ToRelease{std::move(finished_.front()), false, false, {}};
    finished_.pop_front();
  }
  return taken;
}

// Two at a time: one looks whether all of a tree is kept while the other, under the lock that forks
// want as well, removes one.
void Execution::release_next() {
  constexpr int kAtOnce = 2;
  if (releasing_ == kAtOnce || to_release_.empty()) return;
  ++releasing_;
  const ToRelease next = std::move(to_release_.front());
  to_release_.pop_front();
  loop_.work([this, next]() -> Loop::Action {
    std::string said;
    const auto go = [&]() -> Status {
      GITPLAN_TRY_ASSIGN(const auto at, bench(repositories_, settings_, setup_.actor));
      if (is_directory(next.teardown.tree)) said = tear_down(next.teardown, shell_);
      const bool for_good =
          next.for_good || (next.if_untouched && at->forks.is_untouched(next.fork));
      return for_good ? at->forks.release(next.fork) : at->forks.detach(next.fork);
    };
    const Status done = go();
    std::string warning = done ? std::string()
                               : "the worktree of '" + next.fork.task +
                                     "' stays: " + done.error().message +
                                     (done.error().hint.empty() ? "" : "; " + done.error().hint);
    if (!said.empty()) said = "'" + next.fork.task + "': " + said;
    return [this, warning = std::move(warning), said = std::move(said)] {
      for (const std::string& text : {said, warning})
        if (!text.empty()) observer_.on_warning(text);
      --releasing_;
      release_next();
    };
  });
}

// `landed`: the branch may go when that holds it; before it has landed the branch is the only place
// where the result stands. Empty: nothing has.
Status Execution::remove_run_tree(Repository& repository, const std::string& landed) const {
  Forks forks(repository, settings_, setup_.actor);
  GITPLAN_TRY(forks.release_integration_tree(setup_.plan_dir));
  GITPLAN_TRY_ASSIGN(const auto tip, repository.ref(setup_.integration_branch));
  if (!tip || landed.empty() || !repository.is_ancestor(*tip, landed)) return {};
  GITPLAN_TRY_ASSIGN(const auto holders, holders_of(repository, setup_.integration_branch));
  if (!holders.empty())
    return error(ErrorCode::kRefused, "the branch '" + branch_name(setup_.integration_branch) +
                                          "' stays: it is checked out in '" + holders.front().path +
                                          "'");
  return repository.git().check({"update-ref", "-d", setup_.integration_branch, *tip});
}

void Execution::clean_up(std::string_view outcome) {
  const gitplan::Run* run = engine_->ledger().run();
  const std::string landed = run != nullptr && outcome == "completed" ? run->landed_tip : "";
  loop_.work([this, landed]() -> Loop::Action {
    const auto go = [&]() -> Status {
      GITPLAN_TRY_ASSIGN(RepositoryPool::Lease lease, repositories_.take());
      return remove_run_tree(*lease, landed);
    };
    return [this, done = go()] {
      if (!done) observer_.on_warning(done.error().message);
    };
  });
}

// ---- the small ones ----

void Execution::carry_out(const Flush&) {
  if (fatal_) return;
  unflushed_ = 0;
  std::vector<Attachment> files;
  for (const auto& [path, content] : attachments_) files.push_back({path, content});
  const Status flushed = store_.flush(setup_.plan, std::move(files));
  if (flushed) {
    attachments_.clear();
  } else {  // nothing is lost: the events are in the write-ahead file, and the next flush takes all
    log_.line(clock_now(), "flush failed: " + flushed.error().message);
    observer_.on_warning("the journal could not be moved into git: " + flushed.error().message);
  }
}

void Execution::carry_out(const Wait& effect) {
  loop_.at(effect.until, [this] { input(TimerFired{}); });
}

}  // namespace gitplan
