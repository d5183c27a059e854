#include "refs/history/follow.h"

#include <algorithm>
#include <map>
#include <set>

#include "refs/history/folder_move.h"
#include "refs/history/follow_lines.h"
#include "refs/history/match.h"
#include "refs/history/watch.h"

namespace gitplan::history {
namespace {

constexpr int kMergesDeep = 16;

class Follower {
 public:
  Follower(Trees& trees, Contents& contents, const std::vector<Step>& steps,
           std::vector<Track>& tracks, int depth)
      : trees_(trees), contents_(contents), steps_(steps), tracks_(tracks), depth_(depth) {}

  bool run() {
    for (Track& track : tracks_) track.paths = {{0, track.path}};
    bool all = true, stale = true;
    std::optional<git_oid> before;
    Watch watch;
    for (now_ = 0; now_ < steps_.size(); ++now_) {
      Step step = steps_[now_];
      if (before) step.before = *before;
      if (stale) watch = watched();
      std::vector<Watch::Touched> touched;
      if (!watch.compare(trees_, step.before, step.after, touched)) {
        before = step.before;
        all = stale = false;
        continue;
      }
      before.reset();
      stale = !touched.empty() && advance(step, touched);
    }
    return all;
  }

 private:
  Watch watched() const {
    Watch watch;
    for (std::size_t i = 0; i < tracks_.size(); ++i)
      if (!tracks_[i].gone) watch.add(tracks_[i].path, i);
    return watch;
  }

  // True: some path is another one.
  bool advance(const Step& step, const std::vector<Watch::Touched>& touched) {
    std::vector<std::size_t> lost, changed;
    std::map<std::size_t, Item> after;
    for (const auto& [name, item] : touched) {
      Track& track = tracks_[name];
      if (item) after[name] = *item;
      if (!track.item) {
        if (item) track.by = step.commit;
        track.item = item;
      } else if (!item || (track.item->folder() != item->folder())) {
        lost.push_back(name);
      } else if (item->folder() || item->submodule()) {
        track.item = item;
        track.changed_by = step.commit;
      } else {
        changed.push_back(name);
      }
    }
    if (lost.empty() && changed.empty()) return false;
    compare(step);
    for (const std::size_t name : changed)
      if (rewritten(tracks_[name], after[name])) lost.push_back(name);
    const std::set<std::size_t> open(lost.begin(), lost.end());
    for (const std::size_t name : changed)
      if (!open.contains(name)) put(step, tracks_[name], tracks_[name].path, after[name], true);
    if (lost.empty()) return false;
    if (!step.others.empty() && depth_ < kMergesDeep) take_from_sides(step, lost, after);
    if (!lost.empty()) take_matches(step, lost, after);
    return true;
  }

  void compare(const Step& step) {
    changes_.clear();
    trees_.compare(step.before, step.after, changes_);
    appeared_.clear();
    for (const Change& change : changes_)
      if (change.after && !change.before) appeared_.push_back({change.path, *change.after});
  }

  // Something else may have taken the place of a content that went elsewhere in the same step.
  bool rewritten(Track& track, const Item& now) {
    const bool elsewhere = std::any_of(changes_.begin(), changes_.end(), [&](const Change& change) {
      return change.path != track.path && change.after && change.after->same(*track.item);
    });
    if (!elsewhere && appeared_.empty()) return false;
    const int left = similarity(contents_, *track.item, now);
    if (left < 0 || left >= 80) return false;
    if (left < kMoved) return true;
    // It stays, and lost parts that may be named.
    track.others = match(contents_, {{track.path, *track.item}}, {}, appeared_).front().others;
    return false;
  }

  void put(const Step& step, Track& track, const std::string& path, const Item& item,
           bool certain) {
    if (track.first > 0) carry_lines(contents_, *track.item, item, track);
    if (path != track.path) {
      track.path = path;
      track.paths.emplace_back(now_ + 1, path);
      track.by = step.commit;
      track.others.clear();
    } else {
      track.changed_by = step.commit;
    }
    track.item = item;
    track.certain = track.certain && certain;
  }

  // A merge: what another parent's history did with a path, as far as the merge holds it.
  void take_from_sides(const Step& step, std::vector<std::size_t>& lost,
                       const std::map<std::size_t, Item>& after) {
    for (const git_oid& side : step.others) {
      if (lost.empty()) return;
      const auto base = merge_base(trees_.repository(), *step.parent, side);
      if (!base) continue;
      const auto base_tree = trees_.tree_of(*base);
      const Ancestry way = find_chain(trees_.repository(), *base, side);
      if (!base_tree || !way.chain) continue;
      std::vector<Track> tracks;
      for (const std::size_t name : lost) {
        Track track;
        track.path = path_at(*base, tracks_[name]);
        track.item = trees_.at(*base_tree, track.path);
        tracks.push_back(std::move(track));
      }
      follow(trees_, contents_, steps_of(trees_, *way.chain), tracks, depth_ + 1);
      std::vector<std::size_t> left;
      for (std::size_t i = 0; i < lost.size(); ++i)
        if (!take_from_side(step, tracks_[lost[i]], tracks[i], after.contains(lost[i])))
          left.push_back(lost[i]);
      lost = std::move(left);
    }
  }

  bool take_from_side(const Step& step, Track& track, const Track& there, bool stays) {
    side_gone_.erase(&track);
    if (there.gone && !stays) side_gone_[&track] = there.by;
    if (!there.item || there.path == track.path) return false;
    const auto item = trees_.at(step.after, there.path);
    if (!item || !item->like(*there.item)) return false;
    put(step, track, there.path, *item, there.certain);
    track.by = there.by;
    track.others = there.others;
    return true;
  }

  std::string path_at(const git_oid& commit, const Track& track) const {
    for (std::size_t i = 0; i <= now_; ++i) {
      if (!steps_[i].parent || git_oid_equal(&*steps_[i].parent, &commit) == 0) continue;
      std::string path;
      for (const auto& [from, name] : track.paths)
        if (from <= i) path = name;
      return path;
    }
    return track.paths.front().second;
  }

  void take_matches(const Step& step, const std::vector<std::size_t>& lost,
                    const std::map<std::size_t, Item>& after) {
    std::vector<PlacedItem> sought, rivals, appeared = appeared_;
    std::map<std::string, std::size_t> at;  // in `sought`
    std::map<std::size_t, std::pair<std::size_t, std::size_t>> folders;
    const auto seek = [&](const PlacedItem& placed) {
      const auto [found, is_new] = at.emplace(placed.path, sought.size());
      if (is_new) sought.push_back(placed);
    };
    std::map<std::size_t, std::vector<PlacedItem>> files;
    for (const std::size_t name : lost) {
      const Track& track = tracks_[name];
      if (!track.item->folder()) {
        seek({track.path, *track.item});
        continue;
      }
      trees_.list(track.item->id, track.path + '/', files[name]);
      for (const PlacedItem& file : files[name]) seek(file);
    }
    std::set<git_oid, IdLess> ids;
    for (const PlacedItem& placed : sought) ids.insert(placed.item.id);
    for (const Change& change : changes_) {
      if (change.before && !change.after && !at.contains(change.path))
        rivals.push_back({change.path, *change.before});
      // Put over another file, or in the place of one that was rewritten.
      if (change.before && change.after &&
          (ids.contains(change.after->id) || at.contains(change.path)))
        appeared.push_back({change.path, *change.after});
    }
    const std::vector<Match> matches = match(contents_, sought, rivals, appeared);
    for (const std::size_t name : lost) {
      Track& track = tracks_[name];
      if (track.item->folder()) {
        take_folder(step, track, files[name], matches, at, appeared);
        continue;
      }
      const Match& match = matches[at[track.path]];
      const auto stays = after.find(name);
      const bool in_place = stays != after.end() && !stays->second.folder();
      if (match.to >= 0) {
        const PlacedItem& to = appeared[static_cast<std::size_t>(match.to)];
        put(step, track, to.path, to.item, match.certain);
      } else if (in_place) {
        put(step, track, track.path, stays->second, true);
      } else {
        lose(step, track);
      }
      track.others = match.others;
      std::erase_if(track.others,
                    [&track](const OtherPlace& other) { return other.path == track.path; });
    }
  }

  void take_folder(const Step& step, Track& track, const std::vector<PlacedItem>& files,
                   const std::vector<Match>& matches, const std::map<std::string, std::size_t>& at,
                   const std::vector<PlacedItem>& appeared) {
    std::vector<Match> found;
    for (const PlacedItem& file : files) found.push_back(matches[at.at(file.path)]);
    const auto move = folder_move(track.path, files, found, appeared);
    const auto item = move ? trees_.at(step.after, move->path) : std::nullopt;
    if (item && item->folder())
      put(step, track, move->path, *item, move->certain);
    else
      lose(step, track);
  }

  void lose(const Step& step, Track& track) {
    track.item.reset();
    track.gone = true;
    track.by = step.commit;
    if (const auto side = side_gone_.find(&track); side != side_gone_.end() && side->second)
      track.by = side->second;
  }

  Trees& trees_;
  Contents& contents_;
  const std::vector<Step>& steps_;
  std::vector<Track>& tracks_;
  int depth_;
  std::size_t now_ = 0;
  std::vector<Change> changes_;       // of this step
  std::vector<PlacedItem> appeared_;  // in it
  std::map<const Track*, std::optional<git_oid>> side_gone_;
};

}  // namespace

void carry_lines(Contents& contents, const Item& was, const Item& is, Track& track) {
  if (was.same(is)) return;
  const auto before = contents.text(was), after = contents.text(is);
  if (!before || !after) {
    track.certain = false;
    return;
  }
  const FollowedLines lines = follow_lines(*before, *after, track.first, track.last);
  track.first = lines.first;
  track.last = lines.last;
  track.lines_gone = lines.first == 0;
  track.certain = track.certain && lines.certain && !track.lines_gone;
}

bool follow(Trees& trees, Contents& contents, const std::vector<Step>& steps,
            std::vector<Track>& tracks, int depth) {
  return Follower(trees, contents, steps, tracks, depth).run();
}

std::vector<Step> steps_of(Trees& trees, const Chain& chain) {
  std::vector<Step> steps;
  std::optional<git_oid> before = trees.tree_of(chain.start);
  for (const Chain::Step& link : chain.steps) {
    const auto after = trees.tree_of(link.commit);
    if (before && after) steps.push_back({*before, *after, link.commit, link.before, link.others});
    before = after;
  }
  return steps;
}

}  // namespace gitplan::history
