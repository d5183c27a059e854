#include "tests/executor/run_fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "core/plan/plan_file.h"
#include "git-plan/executor/attempt_files.h"

namespace gitplan::test {
namespace {

std::string task_of(const EventBody& body) {
  return std::visit(
      [](const auto& event) -> std::string {
        if constexpr (requires { event.task; })
          return " " + event.task;
        else
          return {};
      },
      body);
}

std::string lines_of(const std::string& text, const std::string& indent) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += indent + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

}  // namespace

void Listener::on_event(const Event& event, const Ledger&, const Plan&) {
  events.push_back(std::string(type_of(event.body)) + task_of(event.body));
  if (when) when(event);
}

void Listener::on_progress(const std::vector<TaskProgress>& tasks, const Ledger&, const Plan&) {
  for (const TaskProgress& task : tasks) lines.push_back(task.last_line);
}

void Listener::on_wait(std::string_view reason) { waits.emplace_back(reason); }
void Listener::on_cleaning(std::size_t done, std::size_t all, Millis) {
  cleaned.emplace_back(done, all);
}
void Listener::on_terminal(bool) {}
void Listener::on_warning(std::string_view text) { warnings.emplace_back(text); }
void Listener::on_note(std::string_view text) { notes.emplace_back(text); }

Observer::Question Listener::on_decision(const DecisionAsked& decision) {
  questions.push_back(decision);
  return [this, decision](int give_up) -> std::optional<DecisionResolved> {
    return answer ? answer(decision, give_up) : std::nullopt;
  };
}

RunTest::RunTest() {
  repo_.write("README.md", "A repository.\n");
  repo_.commit("Start");
  repo_.git({"config", "plan.agent", "scripted"});
  repo_.git({"config", "plan.agent.scripted.command",
             "python3 " GITPLAN_SOURCE_DIR "/tests/agents/scripted_agent.py"});
}

std::string RunTest::task(const std::string& name, const std::vector<std::string>& after,
                          const std::vector<std::string>& directives, const std::string& more) {
  std::string text = "- name: " + name + "\n  description: Work on " + name + "\n  depends_on: [";
  for (std::size_t i = 0; i < after.size(); ++i) text += (i > 0 ? ", " : "") + after[i];
  text += "]\n  inputs:\n";
  for (const std::string& directive : directives) {
    std::string quoted;
    for (const char c : directive) quoted += c == '\'' ? std::string("''") : std::string(1, c);
    text += "    - '" + quoted + "'\n";
  }
  return text + lines_of(more, "  ");
}

void RunTest::make_plan(const std::string& tasks, const std::string& more) {
  const std::string text =
      "---\ntitle: Plan under test\norchestration:\n  default_mode: forked\n" +
      lines_of(more, "  ") + "  tasks:\n" + lines_of(tasks, "    ") +
      "---\n# Plan under test\n\n## Context\n\nWhy it is done.\n\n## Approach\n\nHow it is done.\n";
  auto parsed = parse_plan(text);
  ASSERT_TRUE(parsed.ok()) << (parsed.error().diagnostics.empty()
                                   ? parsed.error().message
                                   : to_string(parsed.error().diagnostics.front()));
  auto repository = Repository::open_at(repo_.path());
  ASSERT_TRUE(repository.ok()) << repository.error().message;
  auto store = Store::open(*repository);
  ASSERT_TRUE(store.ok()) << store.error().message;
  PlanCreated created;
  created.plan = id_;
  created.title = parsed->plan.title;
  created.definition = Store::blob_id(text);
  const auto made = store->create(id_, text, parsed->plan, {created}, "Create " + id_);
  ASSERT_TRUE(made.ok()) << made.error().message;
}

Result<RunResult> RunTest::execute(ExecuteOptions options) {
  if (options.program_dir.empty()) options.program_dir = GITPLAN_PROGRAM_DIR;
  GITPLAN_TRY_ASSIGN(Repository repository, Repository::open_at(repo_.path()));
  GITPLAN_TRY_ASSIGN(const Settings settings, Settings::read(repository));
  GITPLAN_TRY_ASSIGN(Store store, Store::open(repository));
  return execute_plan(repository, settings, store, id_, options, listener_);
}

pid_t RunTest::execute_in_child() {
  const pid_t child = fork();
  if (child != 0) return child;
  ::setpgid(0, 0);
  const auto result = execute();
  if (!result) std::fprintf(stderr, "%s\n", result.error().message.c_str());
  for (const std::string& warning : listener_.warnings)
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
  _exit(result && result->outcome == "completed" ? 0 : 1);
}

PlanView RunTest::view() {
  auto repository = Repository::open_at(repo_.path());
  EXPECT_TRUE(repository.ok()) << repository.error().message;
  auto store = Store::open(*repository);
  EXPECT_TRUE(store.ok()) << store.error().message;
  auto loaded = store->load(id_);
  EXPECT_TRUE(loaded.ok()) << loaded.error().message;
  return *std::move(loaded);
}

const Decision& RunTest::only_open() {
  view_ = view();
  const Decision* found = nullptr;
  for (const Decision& decision : view_.ledger.decisions)
    if (decision.open()) {
      EXPECT_EQ(found, nullptr) << "two are open";
      found = &decision;
    }
  if (found == nullptr) throw std::runtime_error("no decision is open");
  return *found;
}

std::string RunTest::attempt_dir_of(const std::string& task) {
  auto repository = Repository::open_at(repo_.path());
  auto store = Store::open(*repository);
  const PlanView now = view();
  const Attempt* last = now.ledger.task(task).last();
  EXPECT_NE(last, nullptr) << task << " has no attempt";
  return last == nullptr ? "" : attempt_dir(*store->plan_dir(id_), task, last->id);
}

std::vector<std::string> RunTest::subjects(const std::string& revision) {
  const std::string text = repo_.git({"log", "--format=%s", "--first-parent", revision});
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

void RunTest::until(const std::function<bool()>& condition) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      FAIL() << "waited two minutes in vain";
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void RunTest::expect_clean() {
  EXPECT_EQ(repo_.git({"worktree", "list", "--porcelain"}).find("worktree ", 1), std::string::npos)
      << repo_.git({"worktree", "list"});
  EXPECT_EQ(repo_.git({"for-each-ref", "--format=%(refname)", "refs/heads"}), "refs/heads/main");
  EXPECT_EQ(repo_.git({"status", "--porcelain"}), "");
  EXPECT_EQ(repo_.git({"fsck", "--strict", "--no-dangling"}), "");
}

}  // namespace gitplan::test
