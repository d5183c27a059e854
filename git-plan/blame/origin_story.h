// What is behind a commit or a line: the plan, the wave, its tasks and what was decided.
//
// `git plan blame` makes it; git-plan/view/story_view.h prints it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "git-plan/command/context.h"
#include "refs/wave/origin.h"

namespace gitplan {

struct TaskStory {
  std::string name;
  std::string description;           // as the plan has it now; empty: it has the task no more
  const Attempt* attempt = nullptr;  // whose work it is; null: not known here
  std::string brief;                 // the file that it read, where it is still there
  std::string summary;               // what it left for those that depend on it
};

struct Story {
  CommitOrigin origin;
  std::shared_ptr<const PlanView> plan;  // null: the commit is no plan's, or the plan is not here
  std::vector<TaskStory> tasks;
  std::vector<const Decision*> decisions;  // answered, about the wave or its tasks
};

class Stories {
 public:
  explicit Stories(Context& context) : context_(context) {}

  // `line`: only the tasks that changed that file, and wrote a line with that text. Without a text
  // nobody is told apart by it: any task may have written a line in which nothing stands.
  struct Line {
    std::string path, text;
  };
  Result<Story> of(const std::string& commit, const std::optional<Line>& line = std::nullopt);

 private:
  // Of a commit without trailers, such as the merge of a landing, or one that lost them.
  Status find_in_ledgers(Story& story);
  Result<std::shared_ptr<const PlanView>> plan(const std::string& id);
  Status tell_tasks(Story& story, const std::optional<Line>& line);

  Context& context_;
  std::vector<std::pair<std::string, std::shared_ptr<const PlanView>>> plans_;
  std::optional<std::vector<std::string>> all_;
};

}  // namespace gitplan
