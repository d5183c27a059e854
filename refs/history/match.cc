#include "refs/history/match.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace gitplan::history {
namespace {

constexpr int kMargin = 15;  // percent by which a certain match is better than the next

struct Pair {
  std::size_t from = 0, to = 0;  // in Search::all, Search::appeared
  int score = 0;                 // percent of common text
  int place = 0;                 // how well the paths fit
};

// Best first.
bool better(const Pair& a, const Pair& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.place != b.place) return a.place > b.place;
  return std::pair(a.from, a.to) < std::pair(b.from, b.to);
}

int common_parts(std::string_view a, std::string_view b) {
  int count = 0;
  while (!a.empty() && !b.empty()) {
    const std::string_view one = a.substr(0, a.find('/')), other = b.substr(0, b.find('/'));
    if (one != other) break;
    ++count;
    a.remove_prefix(std::min(a.size(), one.size() + 1));
    b.remove_prefix(std::min(b.size(), other.size() + 1));
  }
  return count;
}

class Search {
 public:
  Search(Contents& contents, const std::vector<PlacedItem>& lost,
         const std::vector<PlacedItem>& rivals, const std::vector<PlacedItem>& appeared)
      : contents_(contents), lost_(lost.size()), appeared_(appeared), all_(lost) {
    all_.insert(all_.end(), rivals.begin(), rivals.end());
    used_.resize(all_.size());
    taken_.resize(appeared.size());
    result_.resize(all_.size());
  }

  std::vector<Match> run() {
    match_exact();
    match_lines();
    result_.resize(lost_);
    return std::move(result_);
  }

 private:
  int place(const std::string& from, const std::string& to) const {
    int result = std::min(common_parts(folder_of(from), folder_of(to)), 40);
    if (name_of(from) == name_of(to)) result += 100;
    const auto moved = folders_.find(std::string(folder_of(from)));
    if (moved != folders_.end() && moved->second == folder_of(to)) result += 50;
    return result;
  }

  void take(const Pair& pair, bool certain) {
    used_[pair.from] = taken_[pair.to] = true;
    result_[pair.from].to = static_cast<int>(pair.to);
    result_[pair.from].similarity = pair.score;
    result_[pair.from].certain = certain;
  }

  void match_exact() {
    struct Group {
      std::vector<std::size_t> from, to;
    };
    std::map<std::pair<unsigned, git_oid>, Group,
             bool (*)(const std::pair<unsigned, git_oid>&, const std::pair<unsigned, git_oid>&)>
        groups([](const std::pair<unsigned, git_oid>& a, const std::pair<unsigned, git_oid>& b) {
          if (a.first != b.first) return a.first < b.first;
          return git_oid_cmp(&a.second, &b.second) < 0;
        });
    const auto key = [](const Item& item) { return std::pair(item.mode & 0170000, item.id); };
    for (std::size_t i = 0; i < all_.size(); ++i) groups[key(all_[i].item)].from.push_back(i);
    for (std::size_t i = 0; i < appeared_.size(); ++i) {
      const auto found = groups.find(key(appeared_[i].item));
      if (found != groups.end()) found->second.to.push_back(i);
    }
    // Where the unmistakable ones of a folder went, the others of it went as well.
    for (const auto& [id, group] : groups)
      if (group.from.size() == 1 && group.to.size() == 1)
        folders_.emplace(folder_of(all_[group.from[0]].path),
                         folder_of(appeared_[group.to[0]].path));
    for (const auto& [id, group] : groups) {
      if (group.to.empty()) continue;
      std::vector<Pair> pairs;
      for (const std::size_t from : group.from)
        for (const std::size_t to : group.to)
          pairs.push_back({from, to, 100, place(all_[from].path, appeared_[to].path)});
      take_best(std::move(pairs), /*exact=*/true);
    }
  }

  // The percentages of everything in `appeared` that has lines in common with this content.
  std::vector<std::pair<std::size_t, int>> scores(const PlacedItem& of) {
    std::vector<std::pair<std::size_t, int>> result;
    const auto lines = contents_.lines(of.item);
    if (lines == nullptr) return result;
    std::map<std::size_t, std::uint64_t> bytes;
    for (const LineCount& line : lines->lines) {
      const auto found = index_.find(line.hash);
      if (found == index_.end()) continue;
      for (const auto& [to, count] : found->second)
        bytes[to] += std::uint64_t{line.bytes} * std::min(line.count, count);
    }
    for (const auto& [to, common] : bytes) {
      if (!of.item.like(appeared_[to].item)) continue;
      const std::uint64_t larger = std::max(lines->bytes, sizes_[to]);
      if (larger > 0) result.emplace_back(to, std::min<int>(99, common * 100 / larger));
    }
    return result;
  }

  void match_lines() {
    if (std::all_of(used_.begin(), used_.begin() + lost_, [](bool used) { return used; })) return;
    sizes_.resize(appeared_.size());
    for (std::size_t to = 0; to < appeared_.size(); ++to) {
      const auto lines = contents_.lines(appeared_[to].item);
      if (lines == nullptr) continue;
      sizes_[to] = lines->bytes;
      for (const LineCount& line : lines->lines) index_[line.hash].emplace_back(to, line.count);
    }
    std::vector<Pair> pairs;
    std::set<std::size_t> wanted;
    for (std::size_t from = 0; from < lost_; ++from) {
      if (used_[from]) continue;
      for (const auto& [to, score] : scores(all_[from])) {
        const Pair pair{from, to, score, place(all_[from].path, appeared_[to].path)};
        if (score >= kPart) pairs.push_back(pair);
        if (score >= kMoved && !taken_[to]) wanted.insert(to);
      }
    }
    // What another path has more of a claim to is not ours.
    for (std::size_t from = lost_; from < all_.size() && !wanted.empty(); ++from) {
      if (used_[from]) continue;
      for (const auto& [to, score] : scores(all_[from]))
        if (score >= kMoved && wanted.contains(to))
          pairs.push_back({from, to, score, place(all_[from].path, appeared_[to].path)});
    }
    take_best(std::move(pairs), /*exact=*/false);
  }

  void take_best(std::vector<Pair> pairs, bool exact) {
    std::sort(pairs.begin(), pairs.end(), better);
    for (const Pair& pair : pairs) {
      if (used_[pair.from] || taken_[pair.to] || pair.score < kMoved) continue;
      take(pair, is_certain(pair, pairs, exact));
    }
    for (const Pair& pair : pairs) {
      Match& match = result_[pair.from];
      if (match.to != static_cast<int>(pair.to))
        match.others.push_back({appeared_[pair.to].path, pair.score});
    }
  }

  bool is_certain(const Pair& pair, const std::vector<Pair>& pairs, bool exact) {
    const bool same_name = name_of(all_[pair.from].path) == name_of(appeared_[pair.to].path);
    if (exact && !same_name && contents_.size(all_[pair.from].item) == 0) return false;
    if (!exact && pair.score < (same_name ? 60 : 80)) return false;
    for (const Pair& other : pairs) {
      if (other.from != pair.from && other.to != pair.to) continue;
      if (other.from == pair.from && other.to == pair.to) continue;
      const bool by_place = pair.place >= 100 && other.place < pair.place &&
                            (other.place < 100 || pair.place >= other.place + 50);
      if (exact ? !by_place : pair.score < other.score + kMargin) return false;
    }
    return true;
  }

  Contents& contents_;
  std::size_t lost_;
  const std::vector<PlacedItem>& appeared_;
  std::vector<PlacedItem> all_;
  std::vector<bool> used_, taken_;
  std::vector<Match> result_;
  std::map<std::string, std::string> folders_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::size_t, std::uint32_t>>> index_;
  std::vector<std::uint64_t> sizes_;
};

}  // namespace

std::vector<Match> match(Contents& contents, const std::vector<PlacedItem>& lost,
                         const std::vector<PlacedItem>& rivals,
                         const std::vector<PlacedItem>& appeared) {
  if (lost.empty()) return {};
  return Search(contents, lost, rivals, appeared).run();
}

}  // namespace gitplan::history
