#include "git-plan/executor/collect.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/base/plain_text.h"
#include "core/journal/finding.h"
#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/loop.h"
#include "git-plan/executor/task_folder.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

std::string subject_of(const Task& task) {
  const std::string text = one_line(task.description.substr(0, task.description.find('\n')));
  return text.empty() ? task.name : text;
}

// What checks made in the tree must not stand in the way of its release: all else has been
// committed.
void remove_traces(const Repository& repository, const std::string& tree) {
  const Git git = repository.git().in(tree);
  const auto status = git.read({"status", "--porcelain"});
  if (!status || status->empty()) return;
  const Status reset = git.check({"reset", "-q", "--hard"});
  const Status clean = git.check({"clean", "-qffd"});
  static_cast<void>(reset.ok() && clean.ok());  // then release() says what is left
}

constexpr std::uint64_t kReadLog = 8 << 20;

// What its agent says about its own work, and why it failed. A shell command of the plan's writer
// is no agent: what it prints says nothing.
void read_words(const CollectJob& job, Left& left) {
  if (left.agent == "run" || left.agent.empty()) return;
  const std::string log = AttemptFiles(job.fork.attempt_dir).end_of_log(kReadLog);
  if (job.preset != nullptr) {
    left.end_event = job.preset->end_event;
    left.report = read_report(job.preset->dialect, log);
  }
  const Millis now = clock_now();
  left.failure = classify_failure(
      left.exit_code, left.report.failure.empty() ? log : left.report.failure,
      job.preset == nullptr ? std::span<const FailurePattern>() : job.preset->patterns,
      LocalTime{now, offset_from_utc(now)});
  const std::string output = job.fork.attempt_dir + "/output.md";
  if (left.report.result.empty() || exists(output)) return;
  (void)replace_file(output, left.report.result.substr(0, kMaxOutput), false);
}

}  // namespace

Collected collect(const CollectJob& job, Repository& repository, Forks& forks, ShellRuns& shell) {
  const Task& task = job.task;
  Left left = job.left;
  left.tree = job.in_place ? AttemptFiles(job.fork.attempt_dir).tree()
                           : forks.tree_of(job.fork).value_or("");
  if (!left.tree.empty()) {
    const Status saved = save_masters(left.tree, job.fork.attempt, job.fork.attempt_dir);
    if (!saved) return {judge_without_work(job, saved.error())};
  }
  read_words(job, left);
  const std::string findings = job.fork.attempt_dir + "/findings.jsonl";
  left.findings = parse_findings(read_small_file(findings).value_or(""), task.name);
  if (job.before) {
    const auto after = snapshot_of(repository);
    if (after) left.strayed = changed_between(*job.before, *after);
  }
  InPlaceWork in_place;
  if (job.in_place) {
    auto work =
        collect_in_place(repository, job.fork, job.actor, job.scope, subject_of(task), *job.memo);
    if (!work) return {judge_without_work(job, work.error())};
    in_place = *std::move(work);
    left.work = std::move(in_place.work);
  } else {
    auto work = forks.collect(job.fork, subject_of(task));
    if (!work) return {judge_without_work(job, work.error())};
    left.work = *std::move(work);
  }

  bool stopped = false;
  int checks = 0;
  Proof proof;
  proof.enforce_scope = job.enforce_scope;
  proof.run_check = [&](const std::string& check) -> std::string {
    ShellCommand command;
    command.command = check;
    command.directory = task.cwd.empty() ? left.tree : left.tree + "/" + task.cwd;
    command.environment = job.environment;
    command.deadline = job.check_deadline;
    const std::string dir = job.fork.attempt_dir + "/checks/" + std::to_string(++checks);
    const auto outcome = shell.run(dir, command);
    if (!outcome) return outcome.error().message;
    stopped = stopped || outcome->stopped_by == "cancel" || outcome->stopped_by == "abort";
    return complaint(check, *outcome);
  };
  AttemptEnded ended = judge(task, left, proof);
  ended.attempt = job.fork.attempt;
  ended.tokens = left.report.tokens;
  ended.cost_usd = left.report.cost_usd.value_or(0);
  ended.output = exists(job.fork.attempt_dir + "/output.md");
  if (stopped) {  // Ctrl+C during its checks says nothing about the task
    ended.outcome = "cancelled";
    ended.failure.clear();
    ended.error.clear();
  }
  if (checks > 0 && !job.in_place) remove_traces(repository, left.tree);
  if (job.in_place && ended.outcome != "finished" && !ended.paths.empty())
    ended.remarks.push_back("what it changed is still in your working tree");
  return {std::move(ended), left.failure.until.value_or(0), std::move(in_place.mixed),
          std::move(in_place.with_mixed)};
}

Collected collect_unproved(CollectJob job, Repository& repository, Forks& forks, ShellRuns& shell) {
  job.left.lost = true;
  return collect(job, repository, forks, shell);
}

AttemptEnded judge_without_work(const CollectJob& job, const Error& why) {
  AttemptEnded ended;
  ended.task = job.task.name;
  ended.attempt = job.fork.attempt;
  ended.exit_code = job.left.exit_code;
  ended.commit = job.fork.base;
  ended.outcome = "failed";
  ended.failure = "task";
  ended.error = "its work could not be taken: " + why.message;
  return ended;
}

}  // namespace gitplan
