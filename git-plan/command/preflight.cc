#include "git-plan/command/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/plan/plan_file.h"
#include "core/plan/references.h"
#include "git-plan/command/git_version.h"
#include "git-plan/command/plan_task.h"
#include "git-plan/neighbours/meetings.h"
#include "git-plan/trust/trust.h"
#include "git-plan/view/words.h"
#include "refs/fork/forks.h"
#include "refs/fork/tree_root.h"

namespace gitplan {
namespace {

using State = Preflight::State;

// The order in which exit statuses apply (git-plan(1), EXIT STATUS).
int precedence(ErrorCode code) {
  static constexpr std::array kOrder{129, 2, 8, 7, 3, 4, 5, 6, 130, 1};
  const int status = exit_status(code);
  return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), status) - kOrder.begin());
}

class Inspection {
 public:
  Inspection(Context& context, const PlanView& view, const PlanFacts& facts,
             const ExecuteOptions& options, std::optional<Mode> mode)
      : context_(context), view_(view), facts_(facts), options_(options), mode_(mode) {}

  Result<Preflight> make() {
    GITPLAN_TRY(definition());
    GITPLAN_TRY(trust());
    state();
    decisions();
    GITPLAN_TRY(repository());
    nothing_left();
    GITPLAN_TRY(overlap());
    GITPLAN_TRY(configuration());
    GITPLAN_TRY(agents());
    return std::move(report_);
  }

 private:
  void good(std::string name, std::string text) {
    report_.checks.push_back({std::move(name), State::kGood, std::move(text), {}});
  }
  void warn(std::string name, std::string text, std::vector<std::string> details = {}) {
    report_.checks.push_back(
        {std::move(name), State::kWarning, std::move(text), std::move(details)});
  }
  void bad(std::string name, Error fault) {
    std::vector<std::string> details;
    for (const Diagnostic& diagnostic : fault.diagnostics) details.push_back(to_string(diagnostic));
    if (!fault.hint.empty()) details.push_back("hint: " + fault.hint);
    report_.checks.push_back({std::move(name), State::kFault, fault.message, std::move(details)});
    report_.faults.push_back(std::move(fault));
  }

  Status definition() {
    const std::vector<Task>& tasks = view_.plan.tasks();
    if (view_.ledger.heads.size() > 1 || view_.ledger.state == PlanState::kConflicted) {
      bad("definition",
          error(ErrorCode::kConflicted, "two clones changed the definition and it does not merge",
                "git plan edit " + view_.id + " shows both and takes your text"));
      return {};
    }
    if (tasks.empty()) {
      bad("definition", error(ErrorCode::kInvalid, "the plan has no tasks to execute",
                              "git plan edit " + view_.id + " adds them under 'orchestration'"));
      return {};
    }
    for (const std::string& name : options_.tasks) {
      if (Result<const Task*> found = task_of(view_, name); !found.ok()) {
        bad("definition", std::move(found).error());
        return {};
      }
    }
    levels();
    if (auto refused = keys_not_executable(view_.plan); !refused.empty()) {
      Error fault =
          error(ErrorCode::kInvalid, "the plan asks for what a run cannot do: nothing was started",
                "git plan edit " + view_.id);
      fault.diagnostics = std::move(refused);
      bad("definition", std::move(fault));
      return {};
    }
    good("definition",
         report_.count == 0
             ? std::string("no task would start")
             : fmt::format("{} on {}", counted(static_cast<std::size_t>(report_.count), "task"),
                           counted(report_.levels.size(), "level")));
    if (!view_.warnings.empty()) {
      std::vector<std::string> details;
      for (const Diagnostic& warning : view_.warnings) details.push_back(to_string(warning));
      warn("definition", counted(view_.warnings.size(), "remark") + " about the plan file",
           std::move(details));
    }
    return {};
  }

  bool asked_for(const std::string& task) const {
    const std::vector<std::string>& asked = options_.tasks;
    return asked.empty() || std::find(asked.begin(), asked.end(), task) != asked.end();
  }

  // Those that are not over, of the ones asked for; a failed one starts with --resume only.
  bool would_run(int at) const {
    const std::string& name = view_.plan.tasks()[static_cast<std::size_t>(at)].name;
    if (!asked_for(name)) return false;
    switch (view_.ledger.task(name).status) {
      case TaskStatus::kCompleted:
      case TaskStatus::kSkipped:
      case TaskStatus::kFinished: return false;  // that one is only integrated
      case TaskStatus::kFailed:
      case TaskStatus::kCancelled:
      case TaskStatus::kTimedOut: return options_.resume;
      default: return true;
    }
  }

  // Those that would start, or go on: not what a decision or a task that does not run holds back.
  std::vector<bool> running(const std::vector<int>& levels) const {
    std::vector<int> order;
    for (std::size_t i = 0; i < levels.size(); ++i)
      if (levels[i] >= 0) order.push_back(static_cast<int>(i));
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return levels[static_cast<std::size_t>(a)] < levels[static_cast<std::size_t>(b)];
    });
    std::vector<bool> runs(levels.size());
    for (const int at : order) {
      const auto i = static_cast<std::size_t>(at);
      const Readiness readiness = facts_.tasks[i].readiness;
      const bool pending =
          view_.ledger.task(view_.plan.tasks()[i].name).status == TaskStatus::kPending;
      runs[i] = would_run(at) && (pending || readiness != Readiness::kBlocked);
      for (const int on : facts_.graph.dependencies(at)) {
        const auto dependency = static_cast<std::size_t>(on);
        const bool finished =
            view_.ledger.task(view_.plan.tasks()[dependency].name).status == TaskStatus::kFinished;
        if (facts_.tasks[dependency].readiness != Readiness::kDone && !runs[dependency] &&
            !finished)
          runs[i] = false;
      }
    }
    return runs;
  }

  void levels() {
    const std::vector<int> levels = facts_.graph.levels();
    const std::vector<bool> runs = running(levels);
    std::vector<std::vector<int>> all;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (!runs[i]) continue;
      all.resize(std::max(all.size(), static_cast<std::size_t>(levels[i]) + 1));
      all[static_cast<std::size_t>(levels[i])].push_back(static_cast<int>(i));
      ++report_.count;
    }
    // Levels whose tasks are all over do not count.
    for (auto& level : all)
      if (!level.empty()) report_.levels.push_back(std::move(level));
  }

  Status trust() {
    GITPLAN_TRY_ASSIGN(const bool trusted, is_trusted(context_, view_));
    if (trusted) {
      good("trust", "written or read here");
      return {};
    }
    GITPLAN_TRY_ASSIGN(std::string why, why_not_trusted(context_, view_));
    bad("trust", error(ErrorCode::kNotTrusted, std::move(why),
                       "read it with 'git plan show " + view_.id + "', then 'git plan trust " +
                           view_.id + "'"));
    return {};
  }

  void refuse(std::string why, std::string hint, ErrorCode code = ErrorCode::kRefused) {
    bad("state", error(code, std::move(why), std::move(hint)));
  }

  void state() {
    const std::string& id = view_.id;
    if (facts_.holder) {
      const RunHolder& holder = *facts_.holder;
      refuse(fmt::format("run {} is at work since {} (process {} on {})", holder.run,
                         moment(holder.since, context_.now()), holder.pid, holder.host),
             "git plan status --watch " + id, ErrorCode::kBusy);
      return;
    }
    const std::string word = spoken(name(view_.ledger.state));
    switch (view_.ledger.state) {
      case PlanState::kActive:
      case PlanState::kPaused:
      case PlanState::kFailed:
      case PlanState::kAborted: good("state", word); return;
      case PlanState::kRunning:
      case PlanState::kQueued:
        good("state", "interrupted: the run goes on where it stopped");
        return;
      case PlanState::kDraft: refuse("the plan is a draft", "git plan update " + id); return;
      case PlanState::kInReview:
      case PlanState::kPendingApproval:
        refuse("the plan is " + word, "git plan approve " + id, ErrorCode::kDecision);
        return;
      case PlanState::kCompleted:
        refuse("the plan is completed", "git plan create --from " + id + " starts a new one");
        return;
      case PlanState::kConflicted: return;  // the definition's check has said it
      case PlanState::kArchived:
      case PlanState::kDeleted: refuse("the plan is " + word, "git plan undo " + id); return;
    }
  }

  void decisions() {
    std::vector<std::string> open;
    for (const Decision& decision : view_.ledger.decisions)
      if (decision.open() && std::ranges::count(facts_.moot, decision.asked.decision) == 0)
        open.push_back(decision.asked.decision + ": " + first_line(decision.asked.what));
    if (open.empty()) return;
    const std::size_t count = open.size();
    warn("decisions",
         counted(count, "decision") + (count == 1 ? " is" : " are") + " open: git plan resolve " +
             view_.id,
         std::move(open));
    report_.checks.back().asked = true;
  }

  // A run would end as soon as it has begun, and say what the one before said.
  void nothing_left() {
    if (report_.count > 0 || options_.resume || !report_.faults.empty()) return;
    const auto* run = view_.ledger.run();
    if (run == nullptr || run->outcome.empty() || view_.ledger.held_wave() != nullptr) return;
    if (report_.land == "wave" && !facts_.integration.empty()) return;  // it would land
    for (const Decision& decision : view_.ledger.decisions)
      if (decision.open()) return;
    std::vector<std::string> stopped;
    for (const Task& task : view_.plan.tasks()) {
      switch (view_.ledger.task(task.name).status) {
        case TaskStatus::kCompleted:
        case TaskStatus::kSkipped:
        case TaskStatus::kPending: break;
        case TaskStatus::kCancelled:
          if (asked_for(task.name)) stopped.push_back("'" + task.name + "'");
          break;
        default: return;  // it goes on, is integrated, or somebody is asked
      }
    }
    if (stopped.empty()) return;
    bad("tasks", error(ErrorCode::kRefused,
                       "nothing is left to start: " + joined(stopped) +
                           (stopped.size() == 1 ? " was" : " were") + " cancelled or rejected",
                       "'git plan execute " + view_.id + " --resume' starts " +
                           (stopped.size() == 1 ? "it" : "them") + " again"));
  }

  Status repository() {
    GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
    GITPLAN_TRY_ASSIGN(Store * store, context_.store());
    GITPLAN_TRY_ASSIGN(const Settings* settings, context_.settings());
    const std::size_t before = report_.faults.size();
    const auto refused = [&](std::string message, std::string hint,
                             ErrorCode code = ErrorCode::kRefused) {
      bad("repository", error(code, std::move(message), std::move(hint)));
    };
    if (repository->work_tree_is_guess())
      refused(
          "nothing says where the work tree of '" + repository->git_dir() +
              "' is (--git-dir without --work-tree), and git takes the current directory for it",
          "start it in the work tree, or name that: git --git-dir='" + repository->git_dir() +
              "' --work-tree=<directory> plan execute " + view_.id);
    if (Status version = require_git(); !version.ok())
      refused(version.error().message, version.error().hint, ErrorCode::kUnsupported);
    GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, repository->head_commit());
    if (!head)
      refused("HEAD has no commit yet, and tasks start from one",
              "git commit --allow-empty -m 'Start'");
    if (const auto operation = repository->operation_in_progress())
      refused("this work tree is in the middle of a " + *operation,
              "end it with 'git " + *operation +
                  (*operation == "bisect" ? " reset'" : " --continue' or '--abort'"));
    if (const auto fault =
            Forks(*repository, *settings, store->actor()).branch_prefix_fault(view_.id))
      refused(*fault, "");
    if (const auto tip = foreign_integration())
      refused("the branch 'plan/" + view_.id + "/integration' is at " + short_id(*tip) +
                  ", which no wave of this plan made",
              "git branch -m plan/" + view_.id + "/integration <other name>");
    report_.target = facts_.next_target;
    const Result<std::string> land = settings->text("plan.land");
    report_.land = land ? *land : "end";  // configuration() says what is wrong with it
    if (options_.no_land || report_.target.empty() || view_.ledger.left_unlanded())
      report_.land = "never";
    if (report_.faults.size() != before) return {};
    if (const auto fault = working_tree_fault(*repository)) {
      bad("repository", *fault);
      return {};
    }
    if (report_.target.empty())
      warn("repository", "HEAD is detached: nothing lands, the result stays on plan/" + view_.id +
                             "/integration");
    else
      good("repository", where_it_starts(*repository));
    return {};
  }

  // What stands against a task in the user's working tree, which lands at once.
  std::optional<Error> working_tree_fault(const Repository& repository) const {
    const Plan plan = with_mode(view_.plan, mode_);
    const auto& tasks = plan.tasks();
    std::string name;
    for (const auto& level : report_.levels)
      for (const int at : level)
        if (name.empty() && plan.in_place(tasks[static_cast<std::size_t>(at)]))
          name = tasks[static_cast<std::size_t>(at)].name;
    if (name.empty()) return std::nullopt;
    const std::string works = "task '" + name + "' works in your working tree, ";
    const std::string forked = "write 'mode: forked', or use --mode forked";
    const auto refused = [](std::string what, std::string hint) {
      return error(ErrorCode::kRefused, std::move(what), std::move(hint));
    };
    if (repository.bare())
      return refused(works + "and this repository is bare", "start it in a worktree, or " + forked);
    if (report_.target.empty())
      return refused(works + "and HEAD is detached, so that nothing could land",
                     "git switch <branch>, or " + forked);
    if (report_.land == "never")
      return refused(
          works + "so what it does lands at once, and " +
              (options_.no_land ? "--no-land" : "plan.land or an answer of yours") +
              " says that nothing lands",
          (options_.no_land ? "leave out --no-land, or " : "git -c plan.land=end plan …, or ") +
              forked);
    const auto head = repository.head_branch();
    if (head && head->value_or("") != report_.target)
      return refused(
          works + "which is not on '" + branch_name(report_.target) + "', where the plan lands",
          "git switch " + branch_name(report_.target));
    return std::nullopt;
  }

  // The tip of an integration branch that is not the plan's own work.
  std::optional<std::string> foreign_integration() const {
    if (facts_.integration.empty()) return std::nullopt;
    for (const Wave& wave : view_.ledger.waves)
      if (wave.commit == facts_.base) return std::nullopt;
    for (const gitplan::Run& run : view_.ledger.runs)
      if (run.base == facts_.base) return std::nullopt;
    return facts_.base;
  }

  std::string where_it_starts(const Repository& repository) const {
    const auto tip = repository.ref(report_.target);
    std::string text = branch_name(report_.target);
    if (tip && *tip) text += " at " + short_id(**tip);
    if (!facts_.integration.empty() && !(tip && *tip == facts_.base))
      text += ", on top of the plan's waves so far (" + short_id(facts_.base) + ")";
    return text;
  }

  bool exists(std::string_view path) const {
    const Result<Repository*> repository = context_.repository();
    return repository.ok() && !facts_.base.empty() && (*repository)->path_at(facts_.base, path);
  }

  bool has_scope() const {
    return std::ranges::any_of(view_.plan.tasks(), [this](const Task& task) {
      return !scope_of(view_.plan, task, [&](auto path) { return exists(path); }).empty();
    });
  }

  // Of plans that have not begun it is only said: they will start from what this one leaves.
  Status overlap() {
    GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
    GITPLAN_TRY_ASSIGN(Store * store, context_.store());
    GITPLAN_TRY_ASSIGN(
        const std::vector<Meeting> met,
        meetings(*repository, *store, view_.id, view_.plan, view_.ledger, may_still_change_files));
    GITPLAN_TRY_ASSIGN(const std::vector<PlanOverlap> asked,
                       overlaps_at_work(*repository, *store, view_.id, view_.plan, view_.ledger));
    std::vector<std::string> questions, others;
    for (const PlanOverlap& other : asked)
      if (std::ranges::count(view_.ledger.overlaps_seen, other.plan) == 0)
        questions.push_back(other.plan + ": " + other.where);
    for (const Meeting& meeting : met) {
      const std::string other = meeting.plan + " (" + spoken(name(meeting.state)) + ")";
      const auto is_it = [&](const PlanOverlap& one) { return one.plan == meeting.plan; };
      const bool known = std::ranges::any_of(asked, is_it) || std::ranges::count(others, other) > 0;
      if (!known) others.push_back(other);
    }
    const bool asks = !questions.empty();
    if (asks) {
      warn("overlap", "plans at work touch the same files: asked about before anything starts",
           std::move(questions));
      report_.checks.back().asked = true;
    }
    if (!others.empty())
      warn("overlap", "other plans touch the same files", std::move(others));
    else if (!asks && has_scope())
      good("overlap", "no other plan touches the same files");
    return {};
  }

  Status configuration() {
    GITPLAN_TRY_ASSIGN(const Settings* settings, context_.settings());
    GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
    for (const Diagnostic& wrong : settings->check()) {
      if (wrong.severity != Severity::kError) continue;  // unknown keys are doctor's
      bad("settings", error(ErrorCode::kInvalid, wrong.message, wrong.fix));
    }
    if (Status root = check_tree_root(*repository, *settings); !root.ok())
      bad("settings", root.error());
    return {};
  }

  Status agents() {
    GITPLAN_TRY_ASSIGN(const Settings* settings, context_.settings());
    report_.agents.resize(view_.plan.tasks().size());
    report_.scopes.resize(view_.plan.tasks().size());
    std::vector<Error> missing;
    std::set<std::string> names;
    for (const auto& level : report_.levels) {
      for (const int at : level) {
        const Task& task = view_.plan.tasks()[static_cast<std::size_t>(at)];
        report_.scopes[static_cast<std::size_t>(at)] =
            scope_of(view_.plan, task, [&](auto path) { return exists(path); });
        Result<AgentCommand> found = agent_command(task, *settings);
        if (found.ok()) {
          names.insert(found->agent);
          report_.agents[static_cast<std::size_t>(at)] = std::move(found->agent);
        } else {
          missing.push_back(std::move(found).error());
        }
        for (const std::string& other : task.fallback)
          if (Result<AgentCommand> next = agent_command(task, *settings, other); !next.ok())
            missing.push_back(std::move(next).error());
      }
    }
    if (!missing.empty()) {
      Error fault = missing.front();
      for (std::size_t i = 1; i < missing.size(); ++i)
        fault.diagnostics.push_back({.code = "no-agent", .message = missing[i].message});
      bad("agents", std::move(fault));
    } else if (!names.empty()) {
      good("agents", joined({names.begin(), names.end()}));
    }
    const Result<int> most = settings->integer("plan.maxForks");
    if (!most) return {};  // configuration() has said it
    const auto& orchestration = view_.plan.orchestration;
    const int asked =
        options_.jobs.value_or(orchestration ? orchestration->max_forks.value_or(*most) : *most);
    report_.jobs = std::max(1, std::min(asked, *most));
    return {};
  }

  Context& context_;
  const PlanView& view_;
  const PlanFacts& facts_;
  const ExecuteOptions& options_;
  std::optional<Mode> mode_;
  Preflight report_;
};

}  // namespace

const Error* Preflight::fault() const {
  const Error* first = nullptr;
  for (const Error& fault : faults)
    if (first == nullptr || precedence(fault.code) < precedence(first->code)) first = &fault;
  return first;
}

Result<Preflight> preflight(Context& context, const PlanView& view, const PlanFacts& facts,
                            const ExecuteOptions& options, std::optional<Mode> mode) {
  return Inspection(context, view, facts, options, mode).make();
}

std::size_t brief_size(const PlanView& view, const Task& task) {
  // Dependencies' outputs are not there before they ran: what is foretold is the plan's own part.
  return compose_brief(view, task, "next", [](std::string_view) { return std::nullopt; }).size();
}

}  // namespace gitplan
