// execute_plan() of executor.h: everything up to the first turn of the engine.
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "core/engine/begin.h"
#include "core/graph/task_graph.h"
#include "core/ledger/fold.h"
#include "core/plan/plan_file.h"
#include "git-plan/definition/stale.h"
#include "git-plan/executor/execution.h"
#include "git-plan/executor/shim.h"
#include "git-plan/neighbours/meetings.h"
#include "refs/store/run_lock.h"

namespace gitplan {
namespace {

// "20260303-100000-1a2b": sorts by time, is a legal folder name, and does not come twice.
std::string new_run_id(Millis now) {
  std::array<unsigned char, 2> bits{};
  if (::getrandom(bits.data(), bits.size(), 0) < 0)
    bits[0] = static_cast<unsigned char>(::getpid());
  std::string id;
  for (const char c : date_of(now) + "-" + time_of(now))
    if (c != '-' && c != ':') id += c;
  id.insert(8, "-");
  id += '-';
  for (const unsigned char byte : bits)
    for (const int half : {byte >> 4, byte & 15}) id += "0123456789abcdef"[half];
  return id;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

bool is_to_run(const PlanView& view, const ExecuteOptions& options, const Task& task) {
  const bool wanted = options.tasks.empty() || std::find(options.tasks.begin(), options.tasks.end(),
                                                         task.name) != options.tasks.end();
  const TaskStatus status = view.ledger.task(task.name).status;
  return wanted && status != TaskStatus::kCompleted && status != TaskStatus::kSkipped &&
         status != TaskStatus::kFinished;  // that one is only integrated
}

Status check_tasks(const PlanView& view, const ExecuteOptions& options, const Settings& settings) {
  if (view.plan.tasks().empty())
    return error(ErrorCode::kRefused, "plan '" + view.id + "' has no tasks to execute",
                 "git plan edit " + view.id);
  if (view.ledger.state == PlanState::kConflicted)
    return error(ErrorCode::kConflicted, "the definition of '" + view.id + "' has several versions",
                 "git plan edit " + view.id);
  auto faults = keys_not_executable(view.plan);
  if (!faults.empty()) {
    Error refused = error(ErrorCode::kRefused, "plan '" + view.id + "' cannot be executed");
    refused.diagnostics = std::move(faults);
    return refused;
  }
  for (const std::string& name : options.tasks)
    if (view.plan.find(name) == nullptr)
      return error(ErrorCode::kNotFound, "plan '" + view.id + "' has no task '" + name + "'");
  for (const Task& task : view.plan.tasks()) {
    if (!is_to_run(view, options, task)) continue;
    if (auto agent = agent_command(task, settings); !agent) return std::move(agent).error();
    for (const std::string& other : task.fallback)
      if (auto agent = agent_command(task, settings, other); !agent)
        return std::move(agent).error();
  }
  return {};
}

// Whether two of the agents that may have windows without being told so could be at work at once:
// those that are still to run are not one chain.
bool agents_side_by_side(const PlanView& view, const ExecuteOptions& options,
                         const Settings& settings) {
  const Plan plan = with_mode(view.plan, options.mode);
  const std::vector<Task>& tasks = plan.tasks();
  const TaskGraph graph(tasks);
  const std::vector<int> levels = graph.levels();
  std::vector<int> order(tasks.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int task) { return levels[task]; });
  std::vector<int> longest(tasks.size(), 0);  // agents on one way to that task
  int agents = 0, chain = 0;
  for (const int index : order) {
    const Task& task = tasks[index];
    for (const int before : graph.dependencies(index))
      longest[index] = std::max(longest[index], longest[before]);
    const auto agent = agent_command(task, settings);
    const bool talks = agent.ok() && agent->preset != nullptr;
    if (talks && !plan.in_place(task) && is_to_run(view, options, task)) {
      ++agents;
      ++longest[index];
    }
    chain = std::max(chain, longest[index]);
  }
  return agents > chain;
}

Result<ExecutionSetup> limits(const PlanView& view, const ExecuteOptions& options,
                              const Settings& settings) {
  ExecutionSetup setup;
  GITPLAN_TRY_ASSIGN(setup.max_forks, settings.integer("plan.maxForks"));
  const int wished =
      options.jobs.value_or(view.plan.orchestration->max_forks.value_or(setup.max_forks));
  setup.jobs = std::max(1, std::min(wished, setup.max_forks));
  GITPLAN_TRY_ASSIGN(setup.default_minutes, settings.integer("plan.taskTimeout"));
  GITPLAN_TRY_ASSIGN(setup.max_log, settings.size("plan.maxLog"));
  GITPLAN_TRY_ASSIGN(const int seconds, settings.integer("plan.commitTimeout"));
  setup.commit_deadline = seconds * Millis{1000};
  GITPLAN_TRY_ASSIGN(setup.squash, settings.boolean("plan.squash"));
  GITPLAN_TRY_ASSIGN(const std::string scope, settings.text("plan.scope"));
  setup.enforce_scope = scope == "enforce";
  GITPLAN_TRY_ASSIGN(const std::string reuse, settings.text("plan.reuse"));
  setup.reuse = reuse != "never";
  setup.interactive = options.interactive;
  GITPLAN_TRY_ASSIGN(const bool adaptive, settings.boolean("plan.adaptiveExecution"));
  const char* tmux = std::getenv("TMUX");
  setup.inside_tmux = tmux != nullptr && *tmux != '\0';
  setup.windows = adaptive ? setup.inside_tmux && options.interactive && setup.jobs > 1 &&
                                 agents_side_by_side(view, options, settings)
                           : view.plan.orchestration->team;
  setup.windows_for_commands = !adaptive;
  setup.trusted = options.trusted;
  setup.mode = options.mode;
  return setup;
}

// Where the work starts and where it shall land.
Result<RunRequest> request_for(const Repository& repository, const ExecutionSetup& setup,
                               const ExecuteOptions& options, const Settings& settings) {
  RunRequest request;
  request.run = setup.run;
  GITPLAN_TRY_ASSIGN(const auto branch, repository.head_branch());
  request.target = branch.value_or("");
  GITPLAN_TRY_ASSIGN(const auto tip, repository.head_commit());
  if (!tip)
    return error(ErrorCode::kRefused, "the repository has no commit yet to start from",
                 "git commit --allow-empty -m \"Start\"");
  request.target_tip = *tip;
  GITPLAN_TRY_ASSIGN(const auto integrated, repository.ref(setup.integration_branch));
  request.base = integrated.value_or(*tip);
  GITPLAN_TRY_ASSIGN(request.land, settings.text("plan.land"));
  if (options.no_land) request.land = "never";
  request.tasks = options.tasks;
  request.jobs = setup.jobs;
  request.resume = options.resume;
  return request;
}

bool is_stale_still(const std::vector<StaleReference>& stale, const DecisionAsked& asked) {
  return std::ranges::any_of(stale, [&asked](const StaleReference& one) {
    return std::ranges::find(asked.paths, one.path) != asked.paths.end();
  });
}

std::vector<EventBody> withdrawn(const Repository& repository, const ExecutionSetup& setup,
                                 const Ledger& ledger) {
  std::vector<EventBody> events;
  for (const Decision& decision : ledger.decisions) {
    const DecisionAsked& asked = decision.asked;
    if (!decision.open()) continue;
    if (branch_is_back(repository, asked))
      events.push_back(DecisionWithdrawn{asked.decision, "the branch is there again"});
    if (asked.kind == "stale_references" && !is_stale_still(setup.stale, asked))
      events.push_back(DecisionWithdrawn{asked.decision, "the plan names the right files again"});
  }
  return events;
}

}  // namespace

bool branch_is_back(const Repository& repository, const DecisionAsked& asked) {
  if (asked.kind != "branch_gone") return false;
  const auto tip = repository.ref(asked.branch);
  return tip && *tip;
}

Result<RunResult> execute_plan(Repository& repository, const Settings& settings, Store& store,
                               std::string_view plan_id, const ExecuteOptions& options,
                               Observer& observer) {
  const std::string id(plan_id);
  GITPLAN_TRY_ASSIGN(const std::string shim, find_shim(options.program_dir));
  GITPLAN_TRY_ASSIGN(const std::string plan_dir, store.plan_dir(id));
  std::string run = new_run_id(clock_now());
  GITPLAN_TRY_ASSIGN(const RunLock lock,
                     RunLock::take(plan_dir, {run, host_name(), ::getpid(), clock_now()}));
  GITPLAN_TRY(write_file(plan_dir + "/id", id + "\n"));
  GITPLAN_TRY_ASSIGN(auto appender, store.appender(id));
  PlanView view = appender->take_view();
  GITPLAN_TRY(check_tasks(view, options, settings));
  GITPLAN_TRY_ASSIGN(ExecutionSetup setup, limits(view, options, settings));
  setup.plan = id;
  setup.identity = view.identity.substr(0, 16);
  setup.plan_dir = plan_dir;
  setup.text = view.text;
  setup.run = std::move(run);
  setup.actor = store.actor();
  setup.shim = shim;
  setup.integration_branch = "refs/heads/plan/" + id + "/integration";
  if (auto fault = Forks(repository, settings, setup.actor).branch_prefix_fault(id))
    return error(ErrorCode::kRefused, *std::move(fault));

  {  // gone before the run begins: a large plan has many
    GITPLAN_TRY_ASSIGN(const CheckedReferences found, check_at_head(repository, settings, view));
    setup.stale = led_astray(found);
  }
  GITPLAN_TRY_ASSIGN(const RunRequest request, request_for(repository, setup, options, settings));
  std::vector<EventBody> first;
  GITPLAN_TRY_ASSIGN(const std::vector<RewrittenWave> rewritten,
                     find_rewritten(repository, id, view.ledger, request.base));
  for (const RewrittenWave& one : rewritten)
    first.push_back(WaveRewritten{one.run, one.wave, one.from, one.to});
  Beginning beginning = begin_run(view.plan, view.ledger, request);
  setup.run = beginning.run;
  Ledger ledger = std::move(view.ledger);
  if (const std::string why = misfit(ledger, beginning.events.front()); !why.empty())
    return error(ErrorCode::kRefused, "plan '" + id + "' cannot be executed: " + why);
  for (EventBody& event : withdrawn(repository, setup, ledger)) first.push_back(std::move(event));
  first.insert(first.end(), std::make_move_iterator(beginning.events.begin()),
               std::make_move_iterator(beginning.events.end()));
  GITPLAN_TRY_ASSIGN(const auto begun, appender->append(std::move(first)));
  for (const Event& event : begun) apply(ledger, event);

  // Two runs that begin at once: at least one of them sees the other.
  GITPLAN_TRY_ASSIGN(setup.overlaps, overlaps_at_work(repository, store, id, view.plan, ledger));
  RunResult result;
  result.run = setup.run;
  Plan plan = with_mode(std::move(view.plan), setup.mode);
  {  // its plan and ledger are gone before they are read again
    Execution execution(repository, settings, store, observer, std::move(setup),
                        std::move(appender));
    GITPLAN_TRY_ASSIGN(result.outcome, execution.drive(std::move(plan), std::move(ledger), begun));
    result.interrupted = execution.interrupted();
  }
  GITPLAN_TRY_ASSIGN(result.view, store.load(id));
  return result;
}

}  // namespace gitplan
