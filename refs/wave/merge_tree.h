// `git merge-tree --write-tree`: real merges, renames, attributes and drivers included, in no work
// tree.
//
// Integration and landing call it, several merges in one process.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "refs/git/git.h"

namespace gitplan {

struct MergeStage {  // of a path in conflict: 1 base, 2 ours, 3 theirs
  std::string mode, id;
  int stage = 0;
  std::string path;
};

struct MergeMessage {
  std::vector<std::string> paths;
  std::string type;  // "Auto-merging", "CONFLICT (contents)" …: the same in every language
  std::string text;
};

struct MergeOutcome {
  bool clean = false;
  std::string tree;  // with conflict marks where not clean
  std::vector<MergeStage> stages;
  std::vector<MergeMessage> messages;
};

// One merge a pair (ours, theirs), in order. Where git gives up in the middle: those before, and
// its words in `fault`.
struct MergeRun {
  std::vector<MergeOutcome> outcomes;
  std::string fault;
};
Result<MergeRun> merge_trees(const Git& git,
                             const std::vector<std::pair<std::string, std::string>>& pairs);
// The same with a process for each: git 2.38 has merge-tree, but not yet its --stdin.
Result<MergeRun> merge_trees_singly(const Git& git,
                                    const std::vector<std::pair<std::string, std::string>>& pairs);

// Its output; an incomplete last record is left out.
std::vector<MergeOutcome> parse_merge_tree(std::string_view output);

}  // namespace gitplan
