// git-plan-hook <our hook file> <hook> <git's arguments>: what the hooks that `git plan hooks
// install` writes become.
//
// Runs what was there before ours, then decides by a few files whether there is anything to do, and
// only then starts `git plan hooks run`. It has no libgit2 and reads no configuration: most calls
// end here after a millisecond.
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "hooks/program/before.h"
#include "hooks/quick/decide.h"

namespace {

constexpr int kDeepest = 8;  // hooks of hooks that call git

// A foreign hook may call git, and git this; a number that grows ends what would go on for ever.
bool too_deep() {
  const char* text = std::getenv("GIT_PLAN_HOOK_DEPTH");
  const int depth = text == nullptr ? 0 : std::atoi(text);
  if (depth >= kDeepest) return true;
  ::setenv("GIT_PLAN_HOOK_DEPTH", std::to_string(depth + 1).c_str(), 1);
  return false;
}

// Beside us as installed (libexec/git-plan/ and bin/), else by name.
std::string program() {
  char self[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", self, sizeof self);
  if (length > 0) {
    std::string path(self, static_cast<std::size_t>(length));
    path.resize(path.rfind('/'));
    path += "/../../bin/git-plan";
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return "git-plan";
}

[[noreturn]] void become_git_plan(const gitplan::HookCall& call) {
  const std::string path = program();
  std::vector<char*> words;
  for (const char* word : {"git-plan", "hooks", "run", "--"})
    words.push_back(const_cast<char*>(word));
  words.push_back(const_cast<char*>(call.hook.c_str()));
  for (const std::string& word : call.arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (call.hook == "post-rewrite") {
    const int fd = gitplan::readable(call.input);
    if (fd >= 0) ::dup2(fd, 0);
  }
  ::setenv("GIT_OPTIONAL_LOCKS", "0", 1);
  ::execvp(path.c_str(), words.data());
  ::_exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: git-plan-hook <hook file> <hook> [<argument>...]\n", stderr);
    return 129;
  }
  gitplan::HookCall call;
  const std::string ours = argv[1];
  call.hook = argv[2];
  call.arguments.assign(argv + 3, argv + argc);
  if (too_deep()) {
    std::fprintf(stderr, "git-plan: hooks call each other again and again; '%s' stops here\n",
                 call.hook.c_str());
    return 0;
  }
  const bool reads = call.hook == "post-rewrite" || call.hook == "pre-push";
  if (reads) call.input = gitplan::read_input();
  const bool may_refuse = call.hook == "pre-commit" || call.hook == "commit-msg";
  int status = 0;
  if (const std::string before = gitplan::hook_before(ours, call.hook); !before.empty())
    status = gitplan::run_before(before, call.arguments, reads ? &call.input : nullptr);
  if (status != 0 && may_refuse) return status;
  if (!gitplan::has_work(call)) return status;
  if (status == 0) become_git_plan(call);
  // What was there has failed, and that is what git is told; ours still has its say.
  const pid_t child = ::fork();
  if (child == 0) become_git_plan(call);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return status;
}
