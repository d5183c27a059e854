#include "refs/wave/choose_side.h"

#include <map>
#include <set>

#include "refs/wave/objects.h"
#include "refs/wave/text_merge.h"

namespace gitplan {
namespace {

using Stages = std::map<int, const MergeStage*>;

bool is_regular(const MergeStage& stage) { return stage.mode.starts_with("100"); }

std::string id_of(const Stages& stages, int stage) {
  const auto found = stages.find(stage);
  return found == stages.end() ? std::string() : found->second->id;
}

// The text of both sides with the chosen lines; nothing where the whole file must be taken.
std::optional<TreeEntry> by_lines(const Repository& repository, const Stages& stages,
                                  bool take_theirs) {
  if (!stages.contains(2) || !stages.contains(3)) return std::nullopt;
  for (const auto& [number, stage] : stages)
    if (!is_regular(*stage)) return std::nullopt;
  const auto text = merge_texts(repository, id_of(stages, 1), id_of(stages, 2), id_of(stages, 3),
                                take_theirs ? Favor::kTheirs : Favor::kOurs);
  if (!text) return std::nullopt;
  auto id = write_blob(repository, *text);
  if (!id) return std::nullopt;
  std::string mode = stages.at(take_theirs ? 3 : 2)->mode;
  const std::string other = stages.at(take_theirs ? 2 : 3)->mode;
  if (stages.contains(1) && mode == stages.at(1)->mode) mode = other;
  return TreeEntry{*id, mode == "100755" ? 0100755u : 0100644u};
}

}  // namespace

Result<std::optional<std::string>> resolve_for_side(const Repository& repository,
                                                    const MergeOutcome& outcome,
                                                    const std::string& ours,
                                                    const std::string& theirs,
                                                    const TakesTheirs& take_theirs) {
  std::map<std::string, Stages> by_path;
  for (const MergeStage& stage : outcome.stages) by_path[stage.path][stage.stage] = &stage;
  std::set<std::string> moved;  // only about the place of a new file: git's proposal stands
  std::set<std::string> whole;
  for (const MergeMessage& message : outcome.messages) {
    if (message.type == "CONFLICT (file location)")
      moved.insert(message.paths.begin(), message.paths.end());
    else if (message.type.starts_with("CONFLICT") && message.type != "CONFLICT (contents)")
      whole.insert(message.paths.begin(), message.paths.end());
  }
  const auto of_winner = [&](const std::string& path) {
    return entry_at(repository, take_theirs(path) ? theirs : ours, path);
  };
  TreeUpdates updates;
  for (const std::string& path : whole)
    if (!moved.contains(path)) updates[path] = of_winner(path);
  for (const auto& [path, stages] : by_path) {
    if (moved.contains(path)) continue;
    const bool theirs_wins = take_theirs(path);
    auto entry = whole.contains(path) ? std::nullopt : by_lines(repository, stages, theirs_wins);
    if (!entry && !whole.contains(path)) {
      const auto side = stages.find(theirs_wins ? 3 : 2);
      if (side != stages.end())
        entry = TreeEntry{side->second->id,
                          static_cast<unsigned>(std::stoul(side->second->mode, nullptr, 8))};
    } else if (!entry) {
      entry = of_winner(path);
    }
    updates[path] = entry;
  }
  return updated_tree(repository, outcome.tree, updates);
}

}  // namespace gitplan
