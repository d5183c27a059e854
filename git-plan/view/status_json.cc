#include <nlohmann/json.hpp>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/view/attempt_log.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/status_view.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

Json time_or_null(Millis time) { return time == 0 ? Json() : Json(to_rfc3339(time)); }
Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json run_json(const std::optional<RunHolder>& holder, const Run* last, const std::string& waiting) {
  if (holder)
    return {{"id", holder->run},
            {"since", time_or_null(holder->since)},
            {"alive", true},
            {"waiting", text_or_null(waiting)}};
  if (last == nullptr) return nullptr;
  return {{"id", last->id},
          {"since", time_or_null(last->started)},
          {"alive", false},
          {"waiting", nullptr}};
}

Json plan_json(const PlanView& view, const PlanFacts& facts) {
  const Ledger& ledger = view.ledger;
  return {{"id", view.id},
          {"title", view.plan.title},
          {"state", name(ledger.state)},
          {"progress", {{"done", facts.progress.done}, {"total", facts.progress.total}}},
          {"tags", view.plan.tags},
          {"created", time_or_null(ledger.created)},
          {"last_activity", time_or_null(ledger.last_activity)},
          {"stale", facts.stale},
          {"target", text_or_null(branch_name(facts.target))},
          {"integration", text_or_null(branch_name(facts.integration))},
          {"definition", text_or_null(view.definition)}};
}

// Where a task's branch stands in the integration.
Json merge_json(const TaskRecord& record, bool overlaps) {
  if (overlaps) return "conflict";
  if (record.status == TaskStatus::kFinished) return "pending";
  if (record.status != TaskStatus::kCompleted) return nullptr;
  return record.commit.empty() ? "unchanged" : "merged";
}

// True for what can still have a worktree: asking the disk for every completed task would be slow.
bool may_have_tree(TaskStatus status) {
  switch (status) {
    case TaskStatus::kPending:
    case TaskStatus::kCompleted:
    case TaskStatus::kSkipped: return false;
    default: return true;
  }
}

Json task_json(const PlanView& view, const Task& task, const TaskView& ready, bool overlaps,
               const std::string& plan_dir, std::string_view output) {
  const TaskRecord& record = view.ledger.task(task.name);
  const Attempt* last = record.last();
  // Appended without looking for the key first: this is the bulk of a document of thousands of
  // tasks.
  Json::object_t json;
  json.reserve(24);
  json.emplace_back("name", task.name);
  json.emplace_back("status", name(record.status));
  json.emplace_back("readiness", name(ready.readiness));
  json.emplace_back("ready", ready.readiness == Readiness::kReady);
  json.emplace_back("why", text_or_null(joined(ready.reasons, "; ")));
  json.emplace_back("mode", last != nullptr && !last->mode.empty()
                                ? last->mode
                                : std::string(name(view.plan.mode_of(task))));
  json.emplace_back("role", task.role);
  json.emplace_back("agent", text_or_null(last != nullptr && !last->agent.empty() ? last->agent
                                          : !task.run.empty()                     ? "run"
                                                                                  : task.agent));
  json.emplace_back("wave", record.wave == 0 ? Json() : Json(record.wave));
  json.emplace_back("attempt", last == nullptr ? Json() : Json(last->id));
  json.emplace_back("lease", last == nullptr ? Json() : time_or_null(last->lease));
  json.emplace_back("depends_on", task.depends_on);
  const bool ended = last != nullptr && last->ended != 0;
  json.emplace_back("started", last == nullptr ? Json() : time_or_null(last->started));
  json.emplace_back("finished", ended ? Json(to_rfc3339(last->ended)) : Json());
  json.emplace_back("duration_s",
                    ended ? Json(static_cast<double>(last->ended - last->started) / 1000) : Json());
  json.emplace_back("exit_code", ended ? Json(last->exit_code) : Json());
  json.emplace_back("branch", last == nullptr ? Json() : text_or_null(branch_name(last->branch)));
  json.emplace_back("worktree",
                    last != nullptr && may_have_tree(record.status)
                        ? text_or_null(attempt_tree(attempt_dir(plan_dir, task.name, last->id)))
                        : Json());
  json.emplace_back("merge", merge_json(record, overlaps));
  json.emplace_back("files_modified", last == nullptr ? Json::array() : Json(last->paths));
  json.emplace_back("tokens", last == nullptr || last->tokens == 0 ? Json() : Json(last->tokens));
  json.emplace_back("cost_usd",
                    last == nullptr || last->cost_usd == 0 ? Json() : Json(last->cost_usd));
  std::string summary(output);
  if (summary.empty() && last != nullptr)
    for (const Finding& finding : last->findings)
      if (!finding.prose_notes.empty())
        summary += (summary.empty() ? "" : "\n") + finding.prose_notes;
  json.emplace_back("summary", text_or_null(summary));
  json.emplace_back("error", last == nullptr ? Json() : text_or_null(last->error));
  return json;
}

Json wave_json(const Wave& wave, bool has_verify) {
  Json merges = Json::array();
  for (const AutoMerge& merge : wave.auto_merged) {
    Json tasks = Json::array();
    for (const Side& side : merge.sides) tasks.push_back(side.who);
    merges.push_back({{"path", merge.path}, {"tasks", tasks}});
  }
  Json verify;
  if (!wave.failed_command.empty())
    verify = wave.accepted ? "accepted" : "failed";
  else if (wave.verified && has_verify)
    verify = "passed";
  return {{"number", wave.number},
          {"run", wave.run},
          {"commit", text_or_null(wave.commit)},
          {"tasks", wave.tasks},
          {"transition", text_or_null(wave.transition)},
          {"verify", verify},
          {"auto_merged", merges},
          {"phase", name(wave.phase)}};
}

}  // namespace

std::string status_json(const PlanView& view, const PlanFacts& facts, const StatusOptions& options,
                        std::string_view output_of_task) {
  std::map<std::string, bool, std::less<>> overlapping;
  Json decisions = Json::array();
  for (const Decision& decision : view.ledger.decisions) {
    if (!decision.open()) continue;
    decisions.push_back(decision_json(view.ledger, decision.asked, facts.dir));
    if (!decision.asked.conflicts.empty()) overlapping[decision.asked.task] = true;
  }
  Json tasks = Json::array();
  const std::vector<Task>& all = view.plan.tasks();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!options.task.empty() && all[i].name != options.task) continue;
    tasks.push_back(task_json(view, all[i], facts.tasks[i], overlapping.count(all[i].name) != 0,
                              facts.dir, output_of_task));
  }
  const bool has_verify = view.plan.orchestration && !view.plan.orchestration->verify.empty();
  Json waves = Json::array();
  for (const Wave& wave : view.ledger.waves)
    if (wave.phase != WavePhase::kAbandoned) waves.push_back(wave_json(wave, has_verify));
  Json rewritten = Json::array();
  for (const RewrittenWave& wave : facts.rewritten)
    rewritten.push_back({{"run", wave.run},
                         {"wave", wave.wave},
                         {"from", wave.from},
                         {"to", wave.to},
                         {"by", wave.by_trailer ? "trailer" : "patch"}});
  return json_text({{"schema", 1},
                    {"plan", plan_json(view, facts)},
                    {"run", run_json(facts.holder, view.ledger.run(), facts.waiting)},
                    {"tasks", std::move(tasks)},
                    {"waves", std::move(waves)},
                    {"rewritten", std::move(rewritten)},
                    {"decisions", std::move(decisions)}});
}

std::string overview_json(const std::vector<PlanRow>& rows) {
  Json plans = Json::array();
  for (const PlanRow& row : rows) {
    const Summary& s = row.summary;
    plans.push_back({{"id", s.id},
                     {"title", s.title},
                     {"state", name(s.state)},
                     {"progress", {{"done", s.done}, {"total", s.total}}},
                     {"tags", s.tags},
                     {"created", time_or_null(s.created)},
                     {"last_activity", time_or_null(s.last_activity)},
                     {"stale", row.stale},
                     {"run", run_json(row.holder, nullptr, row.waiting)},
                     {"decisions", row.decisions}});
  }
  return json_text({{"schema", 1}, {"plans", std::move(plans)}});
}

}  // namespace gitplan
