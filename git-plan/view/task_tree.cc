#include "git-plan/view/task_tree.h"

#include <algorithm>

#include "core/graph/task_graph.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

// A chain of thousands of tasks must not push its lines off the screen.
constexpr std::size_t kDeepest = 20;

struct Strokes {
  std::string_view branch, last, pass, gap, also;
};
constexpr Strokes kUnicode{"├─ ", "└─ ", "│  ", "   ", "← "};
constexpr Strokes kAscii{"|- ", "`- ", "|  ", "   ", "<- "};

class Tree {
 public:
  Tree(const Output& out, const Plan& plan, const Ledger& ledger)
      : out_(out),
        plan_(plan),
        ledger_(ledger),
        graph_(plan.tasks()),
        levels_(graph_.levels()),
        strokes_(out.unicode() ? kUnicode : kAscii),
        children_(static_cast<std::size_t>(graph_.size())),
        parents_(static_cast<std::size_t>(graph_.size()), -1) {
    for (int task = 0; task < graph_.size(); ++task) {
      const int parent = parent_of(task);
      parents_[index(task)] = parent;
      (parent < 0 ? roots_ : children_[index(parent)]).push_back(task);
    }
  }

  std::string text() {
    struct Step {
      int task;
      std::string prefix;
      bool last;
      std::size_t depth;
    };
    std::vector<Step> steps;
    const auto push = [&](const std::vector<int>& tasks, const std::string& prefix,
                          std::size_t depth) {
      for (std::size_t i = tasks.size(); i-- > 0;)
        steps.push_back({tasks[i], prefix, i + 1 == tasks.size(), depth});
    };
    push(roots_, "", 0);
    while (!steps.empty()) {
      const Step step = std::move(steps.back());
      steps.pop_back();
      rows_.push_back(
          {step.prefix + std::string(step.last ? strokes_.last : strokes_.branch), step.task});
      const std::string prefix =
          step.depth < kDeepest
              ? step.prefix + std::string(step.last ? strokes_.gap : strokes_.pass)
              : step.prefix;
      push(children_[index(step.task)], prefix, step.depth + 1);
    }
    return rendered();
  }

 private:
  struct Row {
    std::string stroke;
    int task;
  };

  static std::size_t index(int task) { return static_cast<std::size_t>(task); }

  // The dependency of the highest level: what it waits longest for.
  int parent_of(int task) const {
    int parent = -1;
    for (const int dependency : graph_.dependencies(task))
      if (parent < 0 || levels_[index(dependency)] > levels_[index(parent)]) parent = dependency;
    return parent;
  }

  std::string rendered() const {
    int width = 0;
    for (const Row& row : rows_)
      width = std::max(width, display_width(row.stroke + plan_.tasks()[index(row.task)].name));
    std::string text;
    for (const Row& row : rows_) {
      const Task& task = plan_.tasks()[index(row.task)];
      const TaskStatus status = ledger_.task(task.name).status;
      const int pad = width - display_width(row.stroke + task.name);
      text += "  " + out_.styled(Style::kDim, row.stroke) + task.name +
              std::string(static_cast<std::size_t>(pad), ' ') + "  level " +
              std::to_string(levels_[index(row.task)]) + "  " +
              out_.styled(style_of(status), name(status)) + also(row.task) + "\n";
    }
    return text;
  }

  // The other tasks that it depends on.
  std::string also(int task) const {
    std::vector<std::string> names;
    for (const int dependency : graph_.dependencies(task))
      if (dependency != parents_[index(task)])
        names.push_back(plan_.tasks()[index(dependency)].name);
    if (names.empty()) return "";
    return "  " + out_.styled(Style::kDim, std::string(strokes_.also) + joined(names));
  }

  const Output& out_;
  const Plan& plan_;
  const Ledger& ledger_;
  TaskGraph graph_;
  std::vector<int> levels_;
  const Strokes& strokes_;
  std::vector<std::vector<int>> children_;
  std::vector<int> parents_;
  std::vector<int> roots_;
  std::vector<Row> rows_;
};

}  // namespace

std::string task_tree(const Output& out, const Plan& plan, const Ledger& ledger) {
  return Tree(out, plan, ledger).text();
}

}  // namespace gitplan
