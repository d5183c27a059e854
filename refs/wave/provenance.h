// Who changed which lines: a small blame over the states of a merge.
//
// States are trees in order; each step from one to the next belongs to tasks, or to the user.
// Integration builds them from the wave commits since a part's base and the parts merged so far,
// landing from the plan's commits.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/engine/effect.h"
#include "core/journal/event.h"
#include "refs/git/repository.h"

namespace gitplan {

class Provenance {
 public:
  // In here, since the engine has a Step too: two types of one name and namespace would share their
  // destructor.
  struct Step {
    std::string tree;                // after it
    std::vector<std::string> tasks;  // empty: the user
  };

  Provenance(const Repository& repository, std::string first_tree)
      : repository_(repository), first_(std::move(first_tree)) {}

  // What each task did: tells the tasks of a commit of several apart. `done` outlives this.
  void know(const WorkOfTasks& done) { done_ = &done; }
  void add(Step step) { steps_.push_back(std::move(step)); }
  // The commits of `from`..`to` along first parents; those with a Wave: trailer belong to their
  // Task: trailers.
  Status add_commits(const std::string& from, const std::string& to);
  const std::string& last_tree() const { return steps_.empty() ? first_ : steps_.back().tree; }

  // Sides of the last state's file: each task (or "user") with the lines that came from it, those
  // within `lines` only (all where empty). A removal counts at the line before it.
  std::vector<Side> sides(const std::string& path, const std::vector<LineRange>& lines = {}) const;

  // Who changed one of these paths at all.
  std::vector<std::string> who_changed(const std::vector<std::string>& paths) const;

 private:
  std::vector<int> owners(const std::string& path) const;  // a step for each line, -1: older
  std::optional<std::string> name_before(std::size_t step, const std::string& path) const;
  const std::string& tree_before(std::size_t step) const {
    return step == 0 ? first_ : steps_[step - 1].tree;
  }

  // Those of a step's tasks that changed the path, and wrote this line where one is given; "user"
  // where the step is nobody's.
  std::vector<std::string> names_of(const Step& step, const std::string& path,
                                    std::string_view line = {}) const;
  // The lines that a task's own commit added to a file.
  const std::set<std::string>& lines_of(const std::string& task, const std::string& path) const;

  const Repository& repository_;
  const WorkOfTasks* done_ = nullptr;
  mutable std::map<std::string, std::set<std::string>> lines_;  // by task and path
  std::string first_;
  std::vector<Step> steps_;
  mutable std::map<std::size_t, std::map<std::string, std::string>> renames_;  // new name -> old
};

// New name -> old name of the files renamed between two trees.
std::map<std::string, std::string> renames_between(const Repository& repository,
                                                   const std::string& before,
                                                   const std::string& after);

}  // namespace gitplan
