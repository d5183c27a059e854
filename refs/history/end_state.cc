#include "refs/history/end_state.h"

#include <algorithm>
#include <map>
#include <set>

#include "refs/history/folder_move.h"
#include "refs/history/match.h"
#include "refs/history/watch.h"

namespace gitplan::history {
namespace {

constexpr int kHalf = 50;
constexpr int kBetter = 15;  // percent that make another place the better one

class Search {
 public:
  Search(Trees& trees, Contents& contents, const Ends& ends, const std::vector<Step>& steps,
         const std::vector<std::string>& noted, const std::vector<Origin>& origins,
         std::vector<Track>& tracks)
      : trees_(trees),
        contents_(contents),
        ends_(ends),
        steps_(steps),
        noted_(noted),
        origins_(origins),
        tracks_(tracks) {}

  void run() {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      if (!origins_[i].item || origins_[i].item->submodule()) continue;
      const int now = likeness(origins_[i], tracks_[i].item);
      if (tracks_[i].gone || (now >= 0 && now < kHalf)) open_.push_back(i);
    }
    if (open_.empty()) return;
    for (const std::size_t i : open_) seek(i);
    collect();
    const std::vector<Match> matches = match(contents_, sought_, rivals_, appeared_);
    std::vector<std::size_t> found;
    for (const std::size_t i : open_)
      if (origins_[i].item->folder() ? take_folder(i, matches) : take_file(i, matches))
        found.push_back(i);
    find_commits(found);
  }

 private:
  int likeness(const Origin& origin, const std::optional<Item>& now) {
    if (!now) return 0;
    if (origin.item->folder() && now->folder())
      return folder_similarity(trees_, contents_, origin.item->id, now->id);
    return similarity(contents_, *origin.item, *now);
  }

  void seek(std::size_t i) {
    const auto add = [this](const PlacedItem& placed) {
      if (at_.emplace(placed.path, sought_.size()).second) sought_.push_back(placed);
    };
    if (!origins_[i].item->folder()) {
      add({noted_[i], *origins_[i].item});
      return;
    }
    trees_.list(origins_[i].item->id, noted_[i] + '/', files_[i]);
    for (const PlacedItem& file : files_[i]) add(file);
  }

  // Without the state at first: what has a sought content or name.
  void collect() {
    if (ends_.from) {
      std::vector<Change> changes;
      trees_.compare(*ends_.from, ends_.target, changes);
      for (const Change& change : changes) {
        if (change.after && (!change.before || at_.contains(change.path)))
          appeared_.push_back({change.path, *change.after});
        if (change.before && !change.after && !at_.contains(change.path))
          rivals_.push_back({change.path, *change.before});
      }
    }
    // Also what is there as it was, though it was not there in between.
    if (ends_.from) {
      std::set<std::string> known;
      for (const PlacedItem& placed : appeared_) known.insert(placed.path);
      for (const PlacedItem& placed : sought_) {
        if (known.contains(placed.path)) continue;
        if (const auto there = trees_.at(ends_.target, placed.path); there && !there->folder())
          appeared_.push_back({placed.path, *there});
      }
    }
    std::set<git_oid, IdLess> ids;
    std::set<std::string_view> names;
    for (const PlacedItem& placed : sought_) {
      ids.insert(placed.item.id);
      names.insert(name_of(placed.path));
    }
    if (!ends_.from) {
      std::vector<PlacedItem> all;
      trees_.list(ends_.target, {}, all);
      for (const PlacedItem& placed : all)
        if (ids.contains(placed.item.id) || names.contains(name_of(placed.path)))
          appeared_.push_back(placed);
    }
  }

  bool take_file(std::size_t i, const std::vector<Match>& matches) {
    const Match& match = matches[at_[noted_[i]]];
    Track& track = tracks_[i];
    if (track.gone) track.others = match.others;
    if (match.to < 0) return false;
    const PlacedItem& to = appeared_[static_cast<std::size_t>(match.to)];
    if (!track.gone) {
      if (match.similarity < likeness(origins_[i], track.item) + kBetter) return false;
      // Followed without doubt: the other is a copy of an earlier state, say.
      if (track.certain) {
        track.others.insert(track.others.begin(), {to.path, match.similarity});
        return false;
      }
      put(i, to.path, to.item, false);
      track.others = match.others;
      return true;
    }
    put(i, to.path, to.item, match.certain || to.path == noted_[i]);
    track.others = match.others;
    return true;
  }

  bool take_folder(std::size_t i, const std::vector<Match>& matches) {
    Track& track = tracks_[i];
    const auto there = trees_.at(ends_.target, noted_[i]);
    if (track.gone && there && there->folder() && likeness(origins_[i], there) >= kHalf) {
      put(i, noted_[i], *there, true);
      return true;
    }
    std::vector<Match> found;
    for (const PlacedItem& file : files_[i]) found.push_back(matches[at_.at(file.path)]);
    const auto move = folder_move(noted_[i], files_[i], found, appeared_);
    const auto item = move ? trees_.at(ends_.target, move->path) : std::nullopt;
    if (!item || !item->folder() || move->path == track.path) return false;
    put(i, move->path, *item, move->certain && track.gone);
    return true;
  }

  void put(std::size_t i, const std::string& path, const Item& item, bool certain) {
    Track& track = tracks_[i];
    track.path = path;
    track.item = item;
    track.gone = track.lines_gone = false;
    track.certain = certain;
    track.others.clear();
    track.by.reset();
    track.first = origins_[i].first;
    track.last = origins_[i].last;
    if (track.first > 0) carry_lines(contents_, *origins_[i].item, item, track);
  }

  // The commits that made the places which were found, and that changed them last.
  void find_commits(const std::vector<std::size_t>& found) {
    if (found.empty() || steps_.empty()) return;
    Watch watch;
    std::vector<bool> there;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string& path = tracks_[found[i]].path;
      watch.add(path, i);
      there.push_back(trees_.at(steps_.front().before, path).has_value());
    }
    for (const Step& step : steps_) {
      std::vector<Watch::Touched> touched;
      if (!watch.compare(trees_, step.before, step.after, touched)) continue;
      for (const auto& [i, after] : touched) {
        Track& track = tracks_[found[i]];
        if (after) track.changed_by = step.commit;
        if (after && !there[i]) track.by = step.commit;
        there[i] = after.has_value();
      }
    }
  }

  Trees& trees_;
  Contents& contents_;
  const Ends& ends_;
  const std::vector<Step>& steps_;
  const std::vector<std::string>& noted_;
  const std::vector<Origin>& origins_;
  std::vector<Track>& tracks_;
  std::vector<std::size_t> open_;
  std::vector<PlacedItem> sought_, rivals_, appeared_;
  std::map<std::string, std::size_t> at_;  // in `sought_`
  std::map<std::size_t, std::vector<PlacedItem>> files_;
};

}  // namespace

void look_at_ends(Trees& trees, Contents& contents, const Ends& ends,
                  const std::vector<Step>& steps, const std::vector<std::string>& noted,
                  const std::vector<Origin>& origins, std::vector<Track>& tracks) {
  Search(trees, contents, ends, steps, noted, origins, tracks).run();
}

}  // namespace gitplan::history
