#include "refs/wave/tree_commit.h"

#include <git2.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "refs/fork/tree_making.h"
#include "refs/git/git_processes.h"
#include "refs/git/libgit2.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"
#include "refs/wave/commit_trace.h"
#include "refs/wave/trailer_settings.h"

namespace gitplan {
namespace {

constexpr std::size_t kOutput = 4096;

std::string tail_of(const std::string& text) {
  std::string result = text.size() > kOutput ? text.substr(text.size() - kOutput) : text;
  // Not in the middle of a character.
  while (!result.empty() && (static_cast<unsigned char>(result.front()) & 0xC0) == 0x80)
    result.erase(0, 1);
  while (result.ends_with('\n')) result.pop_back();
  return result;
}

std::vector<std::string> parents_of(const Repository& repository, const std::string& commit) {
  git_oid id;
  Handle<git_commit> found;
  std::vector<std::string> result;
  if (!parse_oid(commit, id) || git_commit_lookup(found.out(), repository.raw(), &id) != 0)
    return result;
  for (unsigned i = 0; i < git_commit_parentcount(found.get()); ++i)
    result.push_back(hex(*git_commit_parent_id(found.get(), i)));
  return result;
}

class TreeCommit {
 public:
  TreeCommit(const Repository& repository, const std::string& key, const CommitWish& wish,
             Worktree tree)
      : repository_(repository),
        wish_(wish),
        tree_(std::move(tree)),
        record_(wish.base + " " + key + "\n"),
        trace_(tree_.admin + "/plan-trace") {}

  Result<std::variant<std::string, Refusal>> run() {
    using Answer = std::variant<std::string, Refusal>;
    if (!wait_for_earlier()) return Answer(Refusal{"timeout", "a git commit does not end"});
    refresh();
    if (read_small_file(tree_.admin + "/plan-wave").value_or("") + "\n" == record_ && made()) {
      GITPLAN_TRY_ASSIGN(const std::vector<std::string> lost, lost_trailers());
      if (lost.empty()) return Answer(tree_.head);
    }
    GITPLAN_TRY(stand());
    GITPLAN_TRY(replace_file(tree_.admin + "/plan-wave", record_, true));
    GITPLAN_TRY_ASSIGN(const Outcome outcome, tree_.git().call(call()));
    refresh();
    const std::optional<FailedChild> failed_child = failed_child_in(trace_);
    const std::vector<std::string> hooks = hooks_in(trace_);
    ::unlink(trace_.c_str());
    if (!made()) return Answer(refusal(outcome, failed_child));
    GITPLAN_TRY_ASSIGN(const std::vector<std::string> lost, lost_trailers());
    if (lost.empty()) return Answer(tree_.head);
    // A commit without them is made again, whatever its message is then.
    GITPLAN_TRY(replace_file(tree_.admin + "/plan-wave", "", true));
    return Answer(Refusal{"hook", said_of(lost, hooks)});
  }

 private:
  void refresh() {
    if (auto now = worktree_at(repository_, tree_.path)) tree_ = std::move(*now);
  }

  bool made() const {
    if (tree_.on_branch() || tree_.head == wish_.base) return false;
    const std::vector<std::string> parents = parents_of(repository_, tree_.head);
    return !parents.empty() && parents.front() == wish_.base;
  }

  // Of those wished for, the trailers that the commit does not have. What counts is what git itself
  // takes for a trailer.
  Result<std::vector<std::string>> lost_trailers() const {
    if (wish_.trailers.empty()) return std::vector<std::string>();
    std::vector<std::string> words = trailer_settings();
    words.insert(words.end(), {"log", "-1", "--no-show-signature", "--no-color",
                               "--format=%(trailers:only,unfold)", tree_.head});
    GITPLAN_TRY_ASSIGN(const std::string found, tree_.git().read(words));
    const std::string lines = "\n" + found + "\n";
    std::vector<std::string> lost;
    for (const std::string& trailer : wish_.trailers)
      if (lines.find("\n" + trailer + "\n") == std::string::npos) lost.push_back(trailer);
    return lost;
  }

  static std::string said_of(const std::vector<std::string>& lost,
                             const std::vector<std::string>& hooks) {
    std::string culprits;
    for (const char* name : {"prepare-commit-msg", "commit-msg", "post-commit"})
      if (std::find(hooks.begin(), hooks.end(), name) != hooks.end())
        culprits += (culprits.empty() ? "" : " or ") + std::string(name);
    std::string text = culprits.empty() ? "a hook" : "the hook " + culprits;
    text += " took these trailers out of the message, or changed them:";
    for (const std::string& trailer : lost) text += "\n  " + trailer;
    return text + "\ngit plan knows its commits by them. A trailer stands in the last paragraph.";
  }

  // Of an executor that was killed: its git lives on, in a process group of its own.
  bool wait_for_earlier() const {
    const auto due = std::chrono::steady_clock::now() + wish_.deadline;
    while (true) {
      const auto all = git_processes_in(tree_.path);
      const auto found = std::find_if(all.begin(), all.end(),
                                      [](const GitProcess& p) { return p.command == "commit"; });
      if (found == all.end()) return true;
      if (std::chrono::steady_clock::now() >= due) {
        kill(found->pid, SIGTERM);
        return false;
      }
      usleep(50000);
    }
  }

  // HEAD at the base, index and files as the commit shall be.
  Status stand() {
    if (tree_.head != wish_.base || tree_.operation())
      GITPLAN_TRY(stand_at(repository_, tree_.path, wish_.base));
    GITPLAN_TRY(restore_link(tree_));
    GITPLAN_TRY(clear_stale_locks(repository_, tree_));
    GITPLAN_TRY(tree_.git().check({"read-tree", "--reset", "-u", wish_.tree}));
    if (wish_.parents.empty()) return {};
    // So `git commit` itself makes the merge, with hooks and signature.
    std::string heads;
    for (const std::string& parent : wish_.parents) heads += parent + "\n";
    GITPLAN_TRY(replace_file(tree_.admin + "/MERGE_MODE", "no-ff", true));
    return replace_file(tree_.admin + "/MERGE_HEAD", heads, true);
  }

  GitCall call() const {
    GitCall call;
    call.args = {"-c", "gc.auto=0",           "-c", "maintenance.auto=false",
                 "-c", "commit.status=false", "-c", "commit.verbose=false"};
    if (wish_.no_hooks)
      call.args.insert(call.args.end(), {"-c", "core.hooksPath=/dev/null"});
    else if (!wish_.hooks_path.empty())
      call.args.insert(call.args.end(), {"-c", "core.hooksPath=" + wish_.hooks_path});
    call.args.insert(call.args.end(), {"commit", "-q", "--cleanup=whitespace", "-F", "-"});
    if (wish_.no_hooks) call.args.push_back("--no-verify");
    if (wish_.unsigned_commit) call.args.push_back("--no-gpg-sign");
    call.input = wish_.message;
    call.deadline = wish_.deadline;
    call.environment = {{"GIT_TERMINAL_PROMPT", "0"},
                        {"GIT_EDITOR", ":"},
                        {"GIT_TRACE2_EVENT", trace_},
                        {"GIT_TRACE2_PARENT_SID", std::nullopt}};
    return call;
  }

  Refusal refusal(const Outcome& outcome, const std::optional<FailedChild>& child) const {
    std::string output = tail_of(outcome.output + outcome.error);
    if (outcome.timed_out) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(wish_.deadline).count();
      std::string who = "git commit";
      if (child && child->running) who = child->hook.empty() ? child->program : child->hook;
      return {"timeout", who + " did not end within " + std::to_string(seconds) + " s" +
                             (output.empty() ? "" : "\n" + output)};
    }
    if (child && !child->hook.empty())
      return {"hook", "the hook " + child->hook + " ended with " + std::to_string(child->code) +
                          (output.empty() ? "" : "\n" + output)};
    if (child && child->signs) return {"signer", output};
    return {"git", output.empty() ? "git commit ended with " + std::to_string(outcome.exit_status)
                                  : output};
  }

  const Repository& repository_;
  const CommitWish& wish_;
  Worktree tree_;
  std::string record_, trace_;
};

}  // namespace

Result<std::variant<std::string, Refusal>> commit_in_tree(const Repository& repository,
                                                          const std::string& tree_dir,
                                                          const std::string& key,
                                                          const CommitWish& wish) {
  auto tree = worktree_at(repository, tree_dir);
  if (!tree) return error(ErrorCode::kNotFound, "'" + tree_dir + "' is not a worktree any more");
  return TreeCommit(repository, key, wish, std::move(*tree)).run();
}

}  // namespace gitplan
