#include "git-plan/command/run_hook.h"

#include <unistd.h>

#include <filesystem>

#include "git-plan/view/words.h"
#include "hooks/deadline.h"
#include "hooks/plan_files.h"
#include "hooks/quick/decide.h"
#include "hooks/quick/head_log.h"
#include "hooks/rewritten.h"
#include "hooks/stale.h"
#include "hooks/watch_build.h"
#include "hooks/wave_trailer.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kDeadline{2000};      // of all of a hook
constexpr std::chrono::milliseconds kReadingPlans{1500};  // of that

struct Hook {
  HookCall call;
  Repository& repository;
  const Settings& settings;
  Store& store;
  Watch watch;
};

// Hooks stand at the top of the tree; GIT_DIR, which git sets in linked worktrees, says the same
// and would be asked of git. The index is another matter: stale_by_commit() is told which one.
Result<Repository> open_here() {
  std::error_code code;
  Result<Repository> here = Repository::open_at(fs::current_path(code).string());
  if (here && (std::getenv("GIT_DIR") == nullptr ||
               fs::equivalent(std::getenv("GIT_DIR"), here->git_dir(), code)))
    return here;
  return Repository::open();
}

std::string index_file() {
  const char* named = std::getenv("GIT_INDEX_FILE");
  std::error_code code;
  return named == nullptr || *named == '\0' ? std::string() : fs::absolute(named, code).string();
}

std::string read_input() {
  std::string text;
  char piece[16384];
  ssize_t got = 0;
  while ((got = ::read(STDIN_FILENO, piece, sizeof piece)) > 0)
    text.append(piece, static_cast<std::size_t>(got));
  return text;
}

// What the hook's own move of HEAD began with: its reflog's last line says it.
std::string head_before(const Repository& repository) {
  const auto head = repository.head_commit();
  const auto last = last_move(repository.git_dir());
  if (last && head && *head && last->to == **head) return last->from;
  return read_small_file(repository.git_dir() + "/ORIG_HEAD").value_or("");
}

void tell(Context& context, const std::vector<Stale>& found, const std::string& what) {
  if (found.empty()) return;
  Output& out = context.out();
  out.note("git plan: " + what + " what plans refer to:");
  for (const std::string& line : stale_lines(found)) out.note("  " + printable(line));
}

Result<int> by_move(Context& context, Hook& hook, const std::string& from, const std::string& to) {
  if (from.empty() || to.empty() || from == to) return 0;
  GITPLAN_TRY_ASSIGN(const std::vector<Stale> found,
                     stale_by_move(hook.repository, hook.watch, from, to));
  tell(context, found, "this changes");
  return 0;
}

Result<int> to_head(Context& context, Hook& hook, const std::string& from) {
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, hook.repository.head_commit());
  return by_move(context, hook, from, head.value_or(""));
}

Result<int> post_rewrite(Context& context, Hook& hook) {
  const auto commits = rewritten_commits(hook.call.input);
  GITPLAN_TRY(record_rewritten(hook.store, hook.watch, commits));
  if (hook.call.arguments[0] != "rebase") return 0;  // pre-commit has told what an amend does
  auto before = read_small_file(hook.repository.git_dir() + "/rebase-merge/orig-head");
  if (!before) before = read_small_file(hook.repository.git_dir() + "/ORIG_HEAD");
  return to_head(context, hook, before.value_or(""));
}

Result<int> post_checkout(Context& context, Hook& hook) {
  const std::string &from = hook.call.arguments[0], &to = hook.call.arguments[1];
  const std::string& git_dir = hook.repository.git_dir();
  // A rebase by patches (--apply) begins before any file says that it is one. What it replays is
  // told at its end; where it only moves forward, nothing follows.
  const auto last = last_move(git_dir);
  if (last && last->begins_rebase() && !is_directory(git_dir + "/rebase-merge") &&
      !hook.repository.is_ancestor(from, to))
    return 0;
  return by_move(context, hook, from, to);
}

Result<int> pre_commit(Context& context, Hook& hook) {
  GITPLAN_TRY_ASSIGN(const bool strict, hook.settings.boolean("plan.hooks.strict"));
  GITPLAN_TRY_ASSIGN(const std::vector<Stale> found,
                     stale_by_commit(hook.repository, hook.watch, index_file()));
  tell(context, found, "this commit changes");
  GITPLAN_TRY_ASSIGN(const std::vector<Diagnostic> faults,
                     plan_file_faults(hook.repository, index_file()));
  if (!faults.empty()) context.out().note("git plan: this commit has a plan that is not valid:");
  constexpr std::size_t kTold = 10;
  for (std::size_t i = 0; i < faults.size() && i < kTold; ++i)
    context.out().note("  " + printable(to_string(faults[i])));
  if (faults.size() > kTold)
    context.out().note("  and " + std::to_string(faults.size() - kTold) + " more");
  if ((found.empty() && faults.empty()) || !strict) return 0;
  context.out().note(
      "The commit is refused (plan.hooks.strict). Change the plans first, or commit with "
      "--no-verify.");
  return exit_status(ErrorCode::kFailed);
}

Result<int> commit_message(Context& context, const Repository& repository,
                           const std::string& file) {
  std::error_code code;
  GITPLAN_TRY_ASSIGN(const std::optional<Error> fault,
                     wave_trailer_fault(repository, fs::absolute(file, code).string()));
  if (!fault) return 0;
  context.out().error(*fault, false);
  return exit_status(ErrorCode::kFailed);
}

Result<int> body(Context& context, HookCall call) {
  GITPLAN_TRY_ASSIGN(Repository repository, open_here());
  GITPLAN_TRY_ASSIGN(Settings settings, Settings::read(repository));
  GITPLAN_TRY_ASSIGN(const bool on, settings.boolean("plan.hooks"));
  if (!on) return 0;
  if (call.hook == "commit-msg") return commit_message(context, repository, call.arguments[0]);
  GITPLAN_TRY_ASSIGN(Store store, Store::open(repository));
  GITPLAN_TRY_ASSIGN(Watch watch, current_watch(repository, store, kReadingPlans));
  Hook hook{std::move(call), repository, settings, store, std::move(watch)};
  const std::string& name = hook.call.hook;
  if (name == "pre-commit") return pre_commit(context, hook);
  if (name == "post-rewrite") return post_rewrite(context, hook);
  if (name == "post-merge") return to_head(context, hook, head_before(hook.repository));
  return post_checkout(context, hook);
}

}  // namespace

std::string hook_program(const Context& context) {
  const fs::path bin = fs::path(context.program_path()).parent_path();
  return (bin / "../libexec/git-plan/git-plan-hook").lexically_normal().string();
}

Result<int> run_hook(Context& context, const std::vector<std::string>& words) {
  if (words.empty())
    return error(ErrorCode::kUsage, "'git plan hooks run' needs the hook's name",
                 "it is what git's hooks call; 'git plan hooks install' sets them up");
  HookCall call;
  call.hook = words.front();
  call.arguments.assign(words.begin() + 1, words.end());
  if (call.hook == "post-rewrite") call.input = read_input();
  if (!has_work(call)) return 0;
  const Deadline deadline(kDeadline);
  // git and hooks that this starts are none of anybody's to look at.
  ::setenv("GIT_PLAN_HOOKS", "0", 1);
  ::setenv("GIT_OPTIONAL_LOCKS", "0", 1);
  const Result<int> status = body(context, std::move(call));
  if (status) return *status;
  // What is wrong with a plan or a setting is no reason to hold up git.
  context.out().note("git plan: " + printable(status.error().message));
  return 0;
}

}  // namespace gitplan
