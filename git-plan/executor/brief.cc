// compose_brief() of executor.h: what a task's agent is told.
//
// Bounded in each part, so that no plan, however long, becomes a brief that an agent cannot hold;
// what is cut is named with the file that has it whole.
#include "git-plan/executor/brief.h"

#include <algorithm>

#include "core/plan/references.h"
#include "git-plan/executor/executor.h"
#include "git-plan/executor/findings_text.h"

namespace gitplan {
namespace {

constexpr std::size_t kMaxSection = 32u << 10;
constexpr std::size_t kMaxInline = 16u << 10;  // of a dependency's output; larger: its path
constexpr std::size_t kMaxListed = 200;

std::string cut(std::string text, std::size_t limit, std::string_view whole) {
  if (text.size() <= limit) return text;
  std::size_t end = text.rfind('\n', limit);
  if (end == std::string::npos || end < limit / 2) {
    end = limit;  // not inside a character
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  }
  text.resize(end);
  return text + "\n[cut here; the whole is in " + std::string(whole) + "]\n";
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// The text below a heading of the body, up to the next one of the same rank or a higher.
std::string section(std::string_view body, std::string_view wanted) {
  std::string result;
  std::size_t rank = 0;
  bool fenced = false;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('\n'), body.size());
    const std::string_view line = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    if (line.starts_with("```") || line.starts_with("~~~")) fenced = !fenced;
    const std::size_t hashes = fenced ? 0 : line.find_first_not_of('#');
    if (hashes != std::string_view::npos && hashes > 0 && line[hashes] == ' ') {
      if (rank > 0 && hashes <= rank) break;
      std::string_view title = line.substr(hashes + 1);
      while (title.ends_with(' ') || title.ends_with('\r')) title.remove_suffix(1);
      if (rank == 0 && lower(title) == wanted) {
        rank = hashes;
        continue;
      }
    }
    if (rank > 0) result.append(line).push_back('\n');
  }
  const std::size_t start = result.find_first_not_of('\n');
  if (start == std::string::npos) return {};
  return result.substr(start, result.find_last_not_of('\n') + 1 - start) + "\n";
}

void add_section(std::string& brief, std::string_view title, const std::string& text) {
  if (text.empty()) return;
  brief.append("\n## ").append(title).append("\n\n");
  brief += cut(text, kMaxSection, "$PLAN_FILE");
}

void add_list(std::string& brief, std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  brief.append("\n").append(title).append("\n");
  for (std::size_t i = 0; i < std::min(items.size(), kMaxListed); ++i)
    brief += "- " + items[i] + "\n";
  if (items.size() > kMaxListed)
    brief += "- and " + std::to_string(items.size() - kMaxListed) + " more in $PLAN_FILE\n";
}

void add_task(std::string& brief, const Task& task) {
  brief += "\n## Your task: " + task.name + "\n\n";
  brief += cut(task.description.empty() ? "Do what the plan says about '" + task.name + "'."
                                        : task.description,
               kMaxSection, "$PLAN_FILE");
  if (!brief.ends_with('\n')) brief += '\n';
  add_list(brief, "Files that you may change:", task.files);
  add_list(brief, "Inputs:", task.inputs);
  add_list(brief, "Must exist when you are done:", task.expects);
  add_list(brief, "Must succeed when you are done (they are run for you as well):", task.checks);
  if (!task.exit_criteria.empty()) brief += "\nDone means: " + task.exit_criteria + "\n";
}

void add_feedback(std::string& brief, const TaskRecord& record) {
  if (record.feedback.empty()) return;
  brief += "\nA person rejected what the last attempt left:\n" +
           cut(record.feedback, kMaxSection, "the plan's journal") + "\n";
}

void add_references(std::string& brief, const Plan& plan, const Task& task) {
  std::vector<std::string> items;
  const auto none = [](std::string_view) { return false; };
  for (const Reference& reference : references_of(plan, none, &task)) {
    std::string item = reference.path;
    if (reference.first_line > 0)
      item += ":" + std::to_string(reference.first_line) + "-" +
              std::to_string(std::max(reference.first_line, reference.last_line));
    if (!reference.action.empty()) item += " (" + reference.action + ")";
    if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
  }
  if (!items.empty()) brief += "\n## References\n";
  add_list(brief, "Paths that the plan names:", items);
}

void add_dependencies(std::string& brief, const Ledger& ledger, const Task& task,
                      const OutputOf& output_of) {
  std::string text;
  for (const std::string& name : task.depends_on) {
    const TaskRecord& record = ledger.task(name);
    text += "\n### " + name + "\n\n";
    if (record.status == TaskStatus::kSkipped) {
      text += "It was skipped" + (record.reason.empty() ? "" : ": " + record.reason) + ".\n";
      continue;
    }
    const auto output = output_of("outputs/" + name + ".md");
    if (output && output->size() > kMaxInline)
      text += "Its summary is long: read $PLAN_OUTPUTS/" + name + ".md\n";
    else if (output)
      text += *output + (output->ends_with('\n') ? "" : "\n");
    else
      text += "It left no summary.\n";
    if (const Attempt* last = record.last()) {
      const std::string findings = findings_text(last->findings);
      if (!findings.empty())
        text += "\nFindings:\n" + cut(findings, kMaxInline, "the plan's journal");
      add_list(text, "It changed:", last->paths);
    }
  }
  if (!text.empty()) brief += "\n## What the tasks before yours left\n" + text;
}
void add_others(std::string& brief, const Plan& plan, const Ledger& ledger, const Task& task,
                const std::vector<SoftLock>& others) {
  std::vector<std::string> items;
  std::vector<const Task*> running;
  for (const auto& [name, record] : ledger.tasks)
    if (record.status == TaskStatus::kRunning && name != task.name)
      if (const Task* other = plan.find(name)) running.push_back(other);
  std::sort(running.begin(), running.end());  // as in the plan
  for (const Task* other : running) {
    if (other->files.empty()) continue;
    std::string item = other->name + ":";
    for (const std::string& file : other->files) item += " " + file;
    items.push_back(std::move(item));
  }
  for (const SoftLock& other : others) {
    std::string item = other.task + " of the plan '" + other.plan + "':";
    for (const std::string& file : other.files) item += " " + file;
    items.push_back(std::move(item));
  }
  add_list(brief, "Others work at these files at the moment; leave them alone:", items);
}

constexpr std::string_view kOwnTree = R"(
## Rules

- Work only in this directory and below it. It is a git worktree of your own: everything outside,
  the user's own checkout too, is not yours.
- You need not commit: what you leave in the worktree is committed for you. Do not push, and do not
  switch branches.
)";

constexpr std::string_view kUsersTree = R"(
## Rules

- You work in the user's own working tree. What was changed there before you began is the user's:
  leave it as it is, and change nothing outside of this repository.
- Do not commit, stash, reset or push, and do not switch branches: what you change is committed for
  you, and nothing else is.
)";

constexpr std::string_view kRules =
    R"(- Leave nothing running in the background; what still runs when you end is stopped.
- Nobody can answer questions. Where something is unclear, decide, and say so in your summary.
- When you are done, write a summary for those that come after you to the file $PLAN_OUTPUT: what
  you did, what they must know, what is left.
- Write what a machine should know to $PLAN_FINDINGS, one JSON object a line:
  {"item_id": "<task>", "status": "completed|partial|failed|no_change", "produced": ["<path>"],
  "dep_discoveries": [{"item_id": "<task>", "type": "needs|resource|note|new_item|drop_dependency",
  "on": "<task>", "target_resources": ["<path>"], "notes": "<text>", "confidence": "high|low"}],
  "outcome_risk": false, "confidence": "high|low", "prose_notes": "<text>"}
- Where nothing had to be changed, say so by a line with the status "no_change"; where you could not
  finish, by "partial" or "failed".
)";

}  // namespace

std::string brief_of(std::string_view id, const Plan& plan, const Ledger& ledger, const Task& task,
                     std::string_view attempt, const OutputOf& output_of,
                     const std::vector<SoftLock>& others) {
  std::string brief = "# " + plan.title + "\n\n";
  brief += "You are the " + task.role + " of the task '" + task.name + "' of the plan '" +
           std::string(id) + "', attempt " + std::string(attempt) +
           ". The whole plan is in $PLAN_FILE.\n";
  if (plan.intent) {
    if (!plan.intent->goal.empty()) brief += "\nGoal: " + plan.intent->goal + "\n";
    add_list(brief, "Constraints:", plan.intent->constraints);
    add_list(brief, "Not wanted:", plan.intent->non_goals);
  }
  // Who plays an inline or clean task starts from little: why, what for, and what exactly.
  const bool whole = plan.mode_of(task) == Mode::kForked;
  for (const std::string_view title : {"Context", "Approach", "Scope"})
    if (whole || title == "Context") add_section(brief, title, section(plan.body, lower(title)));
  add_task(brief, task);
  add_feedback(brief, ledger.task(task.name));
  if (whole) add_others(brief, plan, ledger, task, others);
  if (whole) add_references(brief, plan, task);
  add_dependencies(brief, ledger, task, output_of);
  brief += plan.in_place(task) ? kUsersTree : kOwnTree;
  brief += kRules;
  return brief;
}

std::string compose_brief(
    const PlanView& view, const Task& task, std::string_view attempt,
    const std::function<std::optional<std::string>(std::string_view path)>& output_of,
    const std::vector<SoftLock>& others) {
  return brief_of(view.id, view.plan, view.ledger, task, attempt, output_of, others);
}

}  // namespace gitplan
