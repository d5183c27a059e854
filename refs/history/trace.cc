#include "refs/history/trace.h"

#include <algorithm>
#include <optional>

#include "refs/git/libgit2.h"
#include "refs/git/small_file.h"
#include "refs/history/end_state.h"
#include "refs/history/folder_move.h"
#include "refs/history/follow.h"
#include "refs/history/follow_lines.h"
#include "refs/history/looked_at.h"
#include "refs/history/match.h"

namespace gitplan {
namespace {

using namespace history;

class Tracing {
 public:
  Tracing(const Repository& repository, const std::vector<NotedPath>& noted)
      : repository_(repository),
        noted_(noted),
        trees_(repository.raw()),
        contents_(repository.raw()) {}

  // `last`: the tree of an index or a work tree; "": none.
  Result<TraceResult> run(const std::string& from, const TraceTarget& target,
                          const std::string& last) {
    if (target.commit.empty() && !last.empty())
      start_without_commit(from, last);
    else
      GITPLAN_TRY(plan_steps(from, target));
    if (git_oid tree; parse_oid(last, tree)) {
      if (!target.commit.empty() && ends_.from)
        steps_.push_back({ends_.target, tree, std::nullopt, std::nullopt, {}});
      ends_.target = tree;
    }
    start();
    const bool all = follow(trees_, contents_, steps_, tracks_);
    std::vector<std::string> paths;
    for (const NotedPath& noted : noted_) paths.push_back(noted.path);
    look_at_ends(trees_, contents_, ends_, steps_, paths, origins_, tracks_);
    for (std::size_t i = 0; i < noted_.size(); ++i) result_.places.push_back(place(i));
    if (!all || trees_.lacked_one() || contents_.lacked_one())
      unseen(
          "some objects of the history are not here, as in a partial clone: what only they tell "
          "was not seen");
    return std::move(result_);
  }

 private:
  void unseen(std::string sentence) { result_.unseen.push_back(std::move(sentence)); }

  Status plan_steps(const std::string& from, const TraceTarget& target) {
    git_oid start, end;
    if (!parse_oid(target.commit, end))
      return error(ErrorCode::kNotFound, "'" + target.commit + "' is not the id of a commit");
    const auto end_tree = trees_.tree_of(end);
    if (!end_tree)
      return error(ErrorCode::kNotFound, "commit " + target.commit + " is not in the repository");
    ends_.target = *end_tree;
    const bool named = parse_oid(from, start);
    if (named) ends_.from = trees_.tree_of(start);
    if (!ends_.from) {
      unseen(from.empty() ? "the commit at which the paths were noted is not known: only contents "
                            "were compared"
                          : "commit " + from +
                                ", at which the paths were noted, is not in this repository: only "
                                "contents were compared");
      return {};
    }
    const Ancestry way = find_chain(repository_.raw(), start, end);
    if (!way.chain) {
      for (const git_oid& lost : way.lost_at) say_end(lost);
      unseen("commit " + from + " and commit " + target.commit +
             " have nothing in common here: only contents were compared");
      steps_.push_back({*ends_.from, ends_.target, std::nullopt, std::nullopt, {}});
      return {};
    }
    if (git_oid_equal(&way.chain->start, &start) == 0) {
      const auto base = trees_.tree_of(way.chain->start);
      if (base) steps_.push_back({*ends_.from, *base, std::nullopt, std::nullopt, {}});
    }
    for (Step& step : steps_of(trees_, *way.chain)) steps_.push_back(std::move(step));
    return {};
  }

  // HEAD is unborn.
  void start_without_commit(const std::string& from, const std::string& last) {
    git_oid start, tree;
    if (parse_oid(from, start)) ends_.from = trees_.tree_of(start);
    if (ends_.from && parse_oid(last, tree))
      steps_.push_back({*ends_.from, tree, std::nullopt, std::nullopt, {}});
    unseen("HEAD has no commit yet: only contents were compared");
  }

  void say_end(const git_oid& commit) {
    const auto shallow = read_small_file(repository_.common_dir() + "/shallow");
    const std::string id = hex(commit);
    unseen(shallow && shallow->find(id) != std::string::npos
               ? "the history ends at commit " + id + ", as this clone is shallow"
               : "a parent of commit " + id + " is not in the repository");
  }

  void start() {
    for (const NotedPath& noted : noted_) {
      Track track;
      Origin origin;
      track.path = noted.path;
      if (ends_.from) track.item = trees_.at(*ends_.from, noted.path);
      origin.item = track.item;
      if (!noted.id.empty()) origin.item = noted_item(noted.id, track.item);
      if (noted.first_line > 0) {
        origin.first = track.first = noted.first_line;
        origin.last = track.last = std::max(noted.last_line, noted.first_line);
      }
      if (origin.item && !track.item) track.gone = true;
      if (origin.item && track.item && track.first > 0 && !origin.item->same(*track.item))
        to_commit(origin, track);
      tracks_.push_back(std::move(track));
      origins_.push_back(origin);
    }
  }

  // What was noted is not what the commit has: it was edited and not yet committed.
  void to_commit(const Origin& origin, Track& track) {
    const auto noted = contents_.text(*origin.item), committed = contents_.text(*track.item);
    if (!noted || !committed) return;
    const FollowedLines lines = follow_lines(*noted, *committed, track.first, track.last);
    if (lines.first == 0) return;
    track.first = lines.first;
    track.last = lines.last;
    track.certain = lines.certain;
  }

  std::optional<Item> noted_item(const std::string& id, const std::optional<Item>& now) {
    Item item;
    if (!parse_oid(id, item.id)) return now;
    if (now && git_oid_equal(&now->id, &item.id) != 0) return now;
    Handle<git_odb> odb;
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    if (git_repository_odb(odb.out(), repository_.raw()) == 0 &&
        git_odb_read_header(&size, &type, odb.get(), &item.id) == 0)
      item.mode = type == GIT_OBJECT_TREE ? 040000u : now && !now->folder() ? now->mode : 0100644u;
    else
      item.mode = now ? now->mode : 0100644u;
    return item;
  }

  Traced place(std::size_t i) {
    const Track& track = tracks_[i];
    const Origin& origin = origins_[i];
    Traced traced;
    traced.path = track.path;
    traced.certain = track.certain;
    traced.others = track.others;
    if (!origin.item) {
      traced.fate = track.item ? Fate::Came : Fate::Absent;
      traced.similarity = track.item ? 0 : 100;
      traced.changed_percent = track.item ? 100 : 0;
      tell(traced, track.by);
    } else if (!track.item) {
      traced.fate = Fate::Gone;
      traced.similarity = 0;
      traced.changed_percent = 100;
      traced.certain = false;
      traced.lines_gone = origin.first > 0;
      name_successor(traced, *origin.item);
      tell(traced, track.by);
    } else {
      measure(traced, origin, track);
      const bool moved = track.path != noted_[i].path;
      traced.fate = moved                            ? Fate::Moved
                    : track.item->same(*origin.item) ? Fate::Same
                                                     : Fate::Changed;
      // So little is left that something else may have taken its place.
      if (traced.similarity >= 0 && traced.similarity < kPart) traced.certain = false;
      if (traced.fate != Fate::Same) tell(traced, moved ? track.by : track.changed_by);
    }
    return traced;
  }

  // Something else that has the path now.
  void name_successor(Traced& traced, const Item& origin) {
    const auto now = trees_.at(ends_.target, traced.path);
    if (!now) return;
    std::erase_if(traced.others,
                  [&traced](const OtherPlace& other) { return other.path == traced.path; });
    traced.others.insert(traced.others.begin(), {traced.path, similarity(contents_, origin, *now)});
  }

  void measure(Traced& traced, const Origin& origin, const Track& track) {
    traced.first_line = track.first;
    traced.last_line = track.last;
    traced.lines_gone = track.lines_gone;
    const Item& was = *origin.item;
    const Item& is = *track.item;
    traced.folder = is.folder();
    if (was.same(is)) return;
    if (was.folder() && is.folder()) {
      traced.similarity = folder_similarity(trees_, contents_, was.id, is.id);
      traced.changed_percent = traced.similarity < 0 ? -1 : std::max(1, 100 - traced.similarity);
      return;
    }
    traced.similarity = similarity(contents_, was, is);
    const auto before = contents_.lines(was), after = contents_.lines(is);
    if (!before || !after)
      traced.changed_percent = -1;
    else
      traced.changed_percent = std::max(1, changed_percent(*before, *after));
    if (origin.first == 0) return;
    if (track.lines_gone) {
      traced.changed_percent = 100;
      return;
    }
    const auto old_text = contents_.text(was), new_text = contents_.text(is);
    if (!old_text || !new_text) return;
    const auto old_lines = lines_between(*old_text, origin.first, origin.last);
    const auto new_lines = lines_between(*new_text, track.first, track.last);
    traced.changed_percent =
        old_lines == new_lines
            ? 0
            : std::max(1, changed_percent(lines_of(old_lines), lines_of(new_lines)));
  }

  void tell(Traced& traced, const std::optional<git_oid>& by) {
    Handle<git_commit> commit;
    if (!by || git_commit_lookup(commit.out(), repository_.raw(), &*by) != 0) return;
    traced.by = hex(*by);
    const git_signature* author = git_commit_author(commit.get());
    if (author != nullptr) {
      traced.author = author->name;
      traced.when = Millis{author->when.time} * 1000;
    }
    if (const char* subject = git_commit_summary(commit.get())) traced.subject = subject;
  }

  const Repository& repository_;
  const std::vector<NotedPath>& noted_;
  Trees trees_;
  Contents contents_;
  Ends ends_;
  std::vector<Step> steps_;
  std::vector<Origin> origins_;
  std::vector<Track> tracks_;
  TraceResult result_;
};

}  // namespace

Result<TraceResult> trace(const Repository& repository, const std::string& from,
                          const TraceTarget& target, const std::vector<NotedPath>& noted) {
  if (target.kind == TraceTarget::Kind::Commit)
    return Tracing(repository, noted).run(from, target, {});
  GITPLAN_TRY_ASSIGN(const LookedAt looked_at, LookedAt::make(repository, target));
  const auto at = [&](bool untracked) -> Result<TraceResult> {
    GITPLAN_TRY_ASSIGN(const std::string tree, looked_at.tree(untracked));
    return Tracing(looked_at.repository(), noted).run(from, target, tree);
  };
  GITPLAN_TRY_ASSIGN(TraceResult result, at(false));
  // Only then can a file that git does not know yet be its new place.
  const bool lost = std::any_of(
      result.places.begin(), result.places.end(),
      [](const Traced& place) { return place.fate == Fate::Gone || place.fate == Fate::Absent; });
  if (target.kind == TraceTarget::Kind::WorkTree && lost) return at(true);
  return result;
}

}  // namespace gitplan
