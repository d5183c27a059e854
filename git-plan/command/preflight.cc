#include "git-plan/command/preflight.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/plan/references.h"
#include "git-plan/command/preflight_inspection.h"
#include "git-plan/definition/stale.h"
#include "git-plan/neighbours/meetings.h"
#include "git-plan/trust/trust.h"
#include "git-plan/view/words.h"
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

}  // namespace

Result<Preflight> Inspection::make() {
  GITPLAN_TRY(definition());
  GITPLAN_TRY(trust());
  state();
  decisions();
  GITPLAN_TRY(repository());
  nothing_left();
  GITPLAN_TRY(overlap());
  GITPLAN_TRY(references());
  GITPLAN_TRY(configuration());
  GITPLAN_TRY(agents());
  return std::move(report_);
}

void Inspection::good(std::string name, std::string text) {
  report_.checks.push_back({std::move(name), State::kGood, std::move(text), {}});
}

void Inspection::warn(std::string name, std::string text, std::vector<std::string> details) {
  report_.checks.push_back({std::move(name), State::kWarning, std::move(text), std::move(details)});
}

void Inspection::bad(std::string name, Error fault) {
  std::vector<std::string> details;
  for (const Diagnostic& diagnostic : fault.diagnostics) details.push_back(to_string(diagnostic));
  if (!fault.hint.empty()) details.push_back("hint: " + fault.hint);
  report_.checks.push_back({std::move(name), State::kFault, fault.message, std::move(details)});
  report_.faults.push_back(std::move(fault));
}

Status Inspection::trust() {
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

bool Inspection::exists(std::string_view path) const {
  const Result<Repository*> repository = context_.repository();
  return repository.ok() && !facts_.base.empty() && (*repository)->path_at(facts_.base, path);
}

bool Inspection::has_scope() const {
  return std::ranges::any_of(view_.plan.tasks(), [this](const Task& task) {
    return !scope_of(view_.plan, task, [&](auto path) { return exists(path); }).empty();
  });
}

// Of plans that have not begun it is only said: they will start from what this one leaves.
Status Inspection::overlap() {
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

// Those of tasks that would start are asked about; of the others it is said.
Status Inspection::references() {
  GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context_.settings());
  const Result<CheckedReferences> found = check_at_head(*repository, *settings, view_);
  if (!found.ok()) {
    warn("references", "they could not be checked: " + found.error().message);
    return {};
  }
  std::set<std::string> to_run;
  for (const auto& level : report_.levels)
    for (const int at : level) to_run.insert(view_.plan.tasks()[static_cast<std::size_t>(at)].name);
  std::vector<std::string> questions, others;
  std::set<std::string> asked;  // task and path of those
  for (const StaleReference& one : led_astray(*found)) {
    if (!to_run.contains(one.task) || std::ranges::count(view_.ledger.stale_seen, one.path) > 0)
      continue;
    asked.insert(one.task + "/" + one.path);
    questions.push_back(one.path + ", which '" + one.task + "' names, " + one.what);
  }
  if (!asked.empty()) {
    warn("references",
         "files that tasks name are not where they were: asked about before "
         "anything starts",
         std::move(questions));
    report_.checks.back().asked = true;
  }
  for (const CheckedReference& one : found->all) {
    const Reference& written = one.mention.reference;
    if (one.stale() && !asked.contains(written.task + "/" + written.path))
      others.push_back("plan.md:" + std::to_string(written.position.line) + ": " +
                       with_lines(written.path, written.first_line, written.last_line) + " " +
                       std::string(name(one.state)));
  }
  const std::size_t count = others.size();
  if (count > 0)
    warn("references",
         counted(count, "reference") + " of the plan " + (count == 1 ? "is" : "are") +
             " stale: git plan check " + view_.id,
         std::move(others));
  else if (asked.empty() && !found->all.empty())
    good("references", counted(found->all.size(), "reference") + " as noted");
  return {};
}

Status Inspection::configuration() {
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

Status Inspection::agents() {
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
