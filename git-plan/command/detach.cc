#include "git-plan/command/detach.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "git-plan/command/run_summary.h"
#include "git-plan/trust/trust.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/run_reporter.h"
#include "refs/git/errno_error.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr const char* kLog = "/detached.log";

// Standard streams of the background: nothing to read, and a log to write. Until the run has begun
// its errors still reach whoever asked for it.
class Streams {
 public:
  // The log gets its name when the run has begun: one that is at work keeps its own.
  Status redirect(const std::string& log) {
    log_ = log;
    new_ = log + "." + std::to_string(::getpid());
    const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int file =
        ::open(new_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (null < 0 || file < 0) return errno_error("write", new_, errno);
    for (int fd = 1; fd <= 2; ++fd) front_[fd - 1] = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    ::dup2(null, 0);
    ::dup2(file, 1);
    ::dup2(file, 2);
    ::close(null);
    ::close(file);
    return {};
  }
  void begun() {
    ::rename(new_.c_str(), log_.c_str());
    for (int& fd : front_) ::close(std::exchange(fd, -1));
  }
  void give_back() {
    std::fflush(nullptr);
    for (int fd = 1; fd <= 2; ++fd) ::dup2(front_[fd - 1], fd);
    ::unlink(new_.c_str());
  }

 private:
  std::string log_, new_;
  std::array<int, 2> front_{-1, -1};
};

class BackgroundReporter : public RunReporter {
 public:
  BackgroundReporter(Context& context, const std::string& plan, const std::string& plan_dir,
                     Streams& streams, int front)
      : RunReporter(context, plan, plan_dir), streams_(streams), front_(front) {}

  void on_event(const Event& event, const Ledger& ledger, const Plan& plan) override {
    if (front_ >= 0 && ledger.run() != nullptr) {
      streams_.begun();
      const std::string& run = ledger.run()->id;
      (void)!::write(front_, run.data(), run.size());
      ::close(std::exchange(front_, -1));
    }
    RunReporter::on_event(event, ledger, plan);
  }
  bool begun() const { return front_ < 0; }

 private:
  Streams& streams_;
  int front_;
};

Result<RunResult> run_of(Context& context, const std::string& plan, ExecuteOptions options,
                         Observer& observer) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  options.trusted = [&context](const PlanView& now) { return is_trusted(context, now); };
  return execute_plan(*repository, *settings, *store, plan, options, observer);
}

Result<int> in_background(const std::string& plan, const std::string& plan_dir,
                          ExecuteOptions options, int front) {
  ::setsid();
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  Streams streams;
  GITPLAN_TRY(make_directories(plan_dir));
  GITPLAN_TRY(streams.redirect(plan_dir + kLog));
  Context context(false);  // what the front opened stays the front's
  options.interactive = false;
  BackgroundReporter reporter(context, plan, plan_dir, streams, front);
  Result<RunResult> result = run_of(context, plan, std::move(options), reporter);
  reporter.finish();
  if (!reporter.begun()) streams.give_back();
  if (!result.ok()) return std::move(result).error();
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  context.out().print(run_summary(context.out(), *result, *repository, plan_dir));
  return run_exit_status(*result);
}

void say(Context& context, const std::string& plan, const std::string& run,
         const std::string& plan_dir, pid_t pid) {
  Output& out = context.out();
  if (context.json()) {
    out.line(json_text({{"schema", 1},
                        {"run", {{"id", run}, {"plan", plan}, {"pid", pid}}},
                        {"log", plan_dir + kLog}}));
    return;
  }
  out.line("Run " + printable(run) + " of '" + printable(plan) + "' works in the background.");
  const std::string id = printable(plan);
  out.line("  git plan status " + id + " --watch");
  out.line("  git plan output " + id + " --follow");
  out.line("  git plan pause " + id + "    or cancel, abort");
  out.line("What it says is in " + printable(plan_dir) + kLog);
}

}  // namespace

Result<int> execute_detached(Context& front, const std::string& plan, const std::string& plan_dir,
                             ExecuteOptions options) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return errno_error("start", "the background", errno);
  std::fflush(nullptr);  // or both would write it
  const pid_t pid = ::fork();
  if (pid < 0) return errno_error("start", "the background", errno);
  if (pid == 0) {
    ::close(ends[0]);
    return in_background(plan, plan_dir, std::move(options), ends[1]);
  }
  ::close(ends[1]);
  std::string run;
  std::array<char, 256> buffer{};
  for (ssize_t n = 1; n > 0 || (n < 0 && errno == EINTR);) {
    n = ::read(ends[0], buffer.data(), buffer.size());
    if (n > 0) run.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  if (!run.empty()) {
    say(front, plan, run, plan_dir, pid);
    return 0;
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
  return failed("the run of plan '" + plan + "' in the background ended before it began",
                "git plan execute " + plan);
}

}  // namespace gitplan
