// Folders that went elsewhere, by where the most of their files went.
//
// Only .cc files of refs/history include this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "refs/history/match.h"
#include "refs/history/trees.h"

namespace gitplan::history {

struct FolderMove {
  std::string path;
  bool certain = false;
};

// `files`: those of the folder, `found` where they are (in `appeared`).
std::optional<FolderMove> folder_move(const std::string& folder,
                                      const std::vector<PlacedItem>& files,
                                      const std::vector<Match>& found,
                                      const std::vector<PlacedItem>& appeared);

// Percent of what was in the folder that is in the other, file by file; -1: not known.
int folder_similarity(Trees& trees, Contents& contents, const git_oid& one, const git_oid& other);

}  // namespace gitplan::history
