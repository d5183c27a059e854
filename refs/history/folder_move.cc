#include "refs/history/folder_move.h"

#include <algorithm>
#include <map>

namespace gitplan::history {

std::optional<FolderMove> folder_move(const std::string& folder,
                                      const std::vector<PlacedItem>& files,
                                      const std::vector<Match>& found,
                                      const std::vector<PlacedItem>& appeared) {
  struct Votes {
    std::size_t all = 0, in_place = 0, certain = 0;
  };
  std::map<std::string, Votes> votes;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (found[i].to < 0) continue;
    const std::string& to = appeared[static_cast<std::size_t>(found[i].to)].path;
    // "/sub/file" below the old and the new folder.
    const std::string rest = files[i].path.substr(folder.size());
    const bool in_place = to.ends_with(rest) && to.size() > rest.size();
    Votes& vote =
        votes[in_place ? to.substr(0, to.size() - rest.size()) : std::string(folder_of(to))];
    ++vote.all;
    vote.in_place += in_place ? 1 : 0;
    vote.certain += in_place && found[i].certain ? 1 : 0;
  }
  const auto best = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
    return a.second.all < b.second.all;
  });
  if (best == votes.end() || best->first.empty() || best->second.all * 2 <= files.size())
    return std::nullopt;
  // Identical files of one folder are as good as each other: it is the folder that counts.
  return FolderMove{best->first, best->second.in_place * 5 >= files.size() * 4 &&
                                     best->second.certain * 2 >= files.size()};
}

int folder_similarity(Trees& trees, Contents& contents, const git_oid& one, const git_oid& other) {
  if (git_oid_equal(&one, &other) != 0) return 100;
  std::vector<PlacedItem> before, after;
  std::vector<Change> changes;
  if (!trees.list(one, {}, before) || !trees.list(other, {}, after) ||
      !trees.compare(one, other, changes))
    return -1;
  std::size_t same = before.size() * 100;
  for (const Change& change : changes) {
    if (!change.before) continue;
    const int left = change.after ? similarity(contents, *change.before, *change.after) : 0;
    same -= 100 - static_cast<std::size_t>(left < 0 ? 50 : left);
  }
  const std::size_t larger = std::max(before.size(), after.size());
  return larger == 0 ? 100 : std::min(99, static_cast<int>(same / larger));
}

}  // namespace gitplan::history
