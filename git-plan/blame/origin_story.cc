#include "git-plan/blame/origin_story.h"

#include <sys/stat.h>

#include <algorithm>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/view/attempt_log.h"

namespace gitplan {
namespace {

// The attempt whose work the task's wave took.
const Attempt* taken(const TaskRecord& record) {
  const auto found =
      std::find_if(record.attempts.rbegin(), record.attempts.rend(),
                   [](const Attempt& attempt) { return attempt.outcome == "finished"; });
  return found == record.attempts.rend() ? record.last() : &*found;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// Takes from the story what the ledger says of the commit. False: nothing.
bool names_commit(const Ledger& ledger, const std::string& commit, CommitOrigin& origin) {
  for (const Wave& wave : ledger.waves) {
    const auto stands = [&](const std::string& task) {
      const TaskRecord& record = ledger.task(task);
      return record.commit == wave.commit && record.stands_in(commit);
    };
    if (wave.commit.empty() || (wave.commit != commit && std::ranges::none_of(wave.tasks, stands)))
      continue;
    origin.run = wave.run;
    origin.wave = wave.number;
    origin.tasks = wave.tasks;
    return true;
  }
  for (const Run& run : ledger.runs) {
    if (run.landed_commit != commit) continue;
    origin.run = run.id;
    return true;
  }
  return false;
}

}  // namespace

Result<Story> Stories::of(const std::string& commit, const std::optional<Line>& line) {
  Story story;
  GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
  GITPLAN_TRY_ASSIGN(story.origin, origin_of(*repository, commit));
  if (story.origin.plan.empty()) {
    GITPLAN_TRY(find_in_ledgers(story));
  } else {
    GITPLAN_TRY_ASSIGN(story.plan, plan(story.origin.plan));
  }
  if (story.plan != nullptr) GITPLAN_TRY(tell_tasks(story, line));
  return story;
}

Status Stories::find_in_ledgers(Story& story) {
  if (!all_) {
    GITPLAN_TRY_ASSIGN(Store * store, context_.store());
    GITPLAN_TRY_ASSIGN(const std::vector<Summary> summaries, store->list());
    all_.emplace();
    for (const Summary& summary : summaries)
      if (summary.fault.empty()) all_->push_back(summary.id);
  }
  for (const std::string& id : *all_) {
    GITPLAN_TRY_ASSIGN(const auto view, plan(id));
    if (view == nullptr || !names_commit(view->ledger, story.origin.commit, story.origin)) continue;
    story.origin.plan = id;
    story.plan = view;
    return {};
  }
  return {};
}

Result<std::shared_ptr<const PlanView>> Stories::plan(const std::string& id) {
  const auto known =
      std::ranges::find_if(plans_, [&id](const auto& one) { return one.first == id; });
  if (known != plans_.end()) return known->second;
  GITPLAN_TRY_ASSIGN(Store * store, context_.store());
  std::shared_ptr<const PlanView> view;
  if (Result<PlanView> loaded = store->load(id); loaded.ok())
    view = std::make_shared<const PlanView>(*std::move(loaded));
  else if (loaded.error().code != ErrorCode::kNotFound)
    return std::move(loaded).error();
  plans_.emplace_back(id, view);
  return view;
}

Status Stories::tell_tasks(Story& story, const std::optional<Line>& line) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context_.store());
  const PlanView& view = *story.plan;
  GITPLAN_TRY_ASSIGN(const std::string dir, store->plan_dir(view.id));
  std::vector<TaskStory> by_path, by_line;
  for (const std::string& name : story.origin.tasks) {
    TaskStory told;
    told.name = name;
    if (const Task* task = view.plan.find(name)) told.description = task->description;
    told.attempt = taken(view.ledger.task(name));
    if (told.attempt != nullptr) {
      const std::string files = attempt_dir(dir, name, told.attempt->id);
      struct stat info;
      if (::stat((files + "/brief").c_str(), &info) == 0) told.brief = files + "/brief";
      if (told.attempt->output)
        if (auto text = store->file(view.id, "outputs/" + name + "/" + told.attempt->id + ".md");
            text.ok() && *text)
          told.summary = **text;
      if (line && has(told.attempt->paths, line->path)) {
        by_path.push_back(told);
        if (!line->text.empty() && adds_line(*repository, told.attempt->base, told.attempt->commit,
                                             line->path, line->text))
          by_line.push_back(told);
      }
    }
    story.tasks.push_back(std::move(told));
  }
  if (!by_path.empty()) story.tasks = std::move(by_path);
  if (!by_line.empty()) story.tasks = std::move(by_line);
  for (const Decision& decision : view.ledger.decisions) {
    const DecisionAsked& asked = decision.asked;
    const bool of_wave = asked.wave == story.origin.wave && asked.run == story.origin.run;
    const bool of_task = std::ranges::any_of(story.tasks, [&asked](const TaskStory& task) {
      return asked.task == task.name || has(asked.tasks, task.name);
    });
    if (!decision.open() && ((of_wave && asked.wave > 0 && asked.task.empty()) || of_task))
      story.decisions.push_back(&decision);
  }
  return {};
}

}  // namespace gitplan
