#include "hooks/stale.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/plan/references.h"
#include "refs/snapshot/changed.h"

namespace gitplan {
namespace {

constexpr std::size_t kTold = 10, kNamed = 3;

struct Noted {
  std::string plan;
  const WatchedPath* path;
};
using NotedPaths = std::map<std::string, std::vector<Noted>>;

NotedPaths noted_paths(const Watch& watch) {
  NotedPaths noted;
  for (const WatchedPlan& plan : watch.plans)
    for (const WatchedPath& path : plan.paths) noted[path.path].push_back({plan.id, &path});
  return noted;
}

std::string named(const std::string& plan, const std::string& tasks) {
  return "'" + plan + "'" + (tasks.empty() ? "" : " (" + tasks + ")");
}

// Nothing where nobody's reference is worse for it than before.
void judge(const ChangedPath& change, const std::vector<Noted>& noted, std::vector<Stale>& found) {
  Stale stale;
  stale.path = change.path;
  const bool gone = change.after.empty() && !change.before.empty();
  stale.kind = gone ? Stale::Kind::kGone : Stale::Kind::kChanged;
  for (const Noted& each : noted) {
    const bool was_fresh = change.before == each.path->id;
    if (gone || (was_fresh && !change.folder && change.after != each.path->id))
      stale.who.push_back(named(each.plan, each.path->tasks));
  }
  if (!stale.who.empty()) found.push_back(std::move(stale));
}

struct Staged {
  std::string before, after;  // blob ids
  char what = 'M';            // git's letter
  std::string path, to;
};

constexpr bool is_zero(std::string_view id) {
  return id.find_first_not_of('0') == std::string_view::npos;
}

// ":<mode> <mode> <id> <id> <letter><number>" NUL path NUL, and a second path of a rename.
std::vector<Staged> staged_from(const std::string& output) {
  std::vector<Staged> all;
  std::size_t at = 0;
  const auto next = [&] {
    const std::size_t end = std::min(output.find('\0', at), output.size());
    std::string field = output.substr(at, end - at);
    at = std::min(end + 1, output.size());
    return field;
  };
  while (at < output.size()) {
    const std::string head = next();
    Staged staged;
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < head.size();) {
      const std::size_t end = std::min(head.find(' ', begin), head.size());
      words.push_back(head.substr(begin, end - begin));
      begin = end + 1;
    }
    if (words.size() != 5 || words[4].empty()) break;
    staged.before = is_zero(words[2]) ? "" : words[2];
    staged.after = is_zero(words[3]) ? "" : words[3];
    staged.what = words[4][0];
    staged.path = next();
    if (staged.what == 'R' || staged.what == 'C') staged.to = next();
    all.push_back(std::move(staged));
  }
  return all;
}

Result<Outcome> ask_index(const Repository& repository, const std::string& index,
                          std::vector<std::string> words) {
  GitCall call;
  call.args = std::move(words);
  call.environment = {{"GIT_OPTIONAL_LOCKS", "0"}};
  if (!index.empty()) call.environment.emplace_back("GIT_INDEX_FILE", index);
  return repository.git().call(call);
}

// Folders lose their last file, which no line of the difference says.
Status add_folders(const Repository& repository, const std::string& index, const NotedPaths& noted,
                   const std::vector<Staged>& all, std::vector<Stale>& found) {
  std::set<std::string> asked;
  for (const Staged& staged : all) {
    if (staged.what != 'D' && staged.what != 'R') continue;
    for (std::size_t slash = staged.path.rfind('/'); slash != std::string::npos && slash > 0;
         slash = staged.path.rfind('/', slash - 1)) {
      const std::string folder = staged.path.substr(0, slash);
      const auto at = noted.find(folder);
      if (at == noted.end() || !asked.insert(folder).second) continue;
      GITPLAN_TRY_ASSIGN(
          const Outcome left,
          ask_index(repository, index, {"--literal-pathspecs", "ls-files", "-z", "--", folder}));
      if (left.ok() && left.output.empty())
        judge({folder, at->second.front().path->id, "", true}, at->second, found);
    }
  }
  return {};
}

void add_held(const Watch& watch, const std::string& path, std::vector<Stale>& found) {
  Stale held;
  held.kind = Stale::Kind::kHeld;
  held.path = path;
  for (const WatchedPlan& plan : watch.plans)
    for (const WatchedScope& scope : plan.scopes)
      if (pathspec_matches(scope.pathspec, path)) {
        const std::string who = named(plan.id, scope.task);
        if (std::find(held.who.begin(), held.who.end(), who) == held.who.end())
          held.who.push_back(who);
      }
  if (!held.who.empty()) found.push_back(std::move(held));
}

std::string named_list(const std::vector<std::string>& who) {
  std::string text;
  for (std::size_t i = 0; i < who.size() && i < kNamed; ++i) text += (i > 0 ? ", " : "") + who[i];
  if (who.size() > kNamed) text += " and " + std::to_string(who.size() - kNamed) + " more";
  return text;
}

std::string line_of(const Stale& stale) {
  switch (stale.kind) {
    case Stale::Kind::kGone: return stale.path + " is gone: " + named_list(stale.who);
    case Stale::Kind::kMoved:
      return stale.path + " is " + stale.to + " now: " + named_list(stale.who);
    case Stale::Kind::kChanged: return stale.path + " has changed: " + named_list(stale.who);
    case Stale::Kind::kHeld:
      return stale.path + " is what a task is at work on: " + named_list(stale.who);
  }
  return {};
}

}  // namespace

Result<std::vector<Stale>> stale_by_move(const Repository& repository, const Watch& watch,
                                         const std::string& from, const std::string& to) {
  const NotedPaths noted = noted_paths(watch);
  std::vector<std::string> paths;
  for (const auto& [path, who] : noted) paths.push_back(path);
  GITPLAN_TRY_ASSIGN(const std::vector<ChangedPath> changes,
                     changed_paths(repository, from, to, paths));
  std::vector<Stale> found;
  std::vector<ChangedPath> gone;  // of those that are told: only they need their new names
  for (const ChangedPath& change : changes) {
    judge(change, noted.at(change.path), found);
    const bool told = found.size() <= kTold;
    if (told && !found.empty() && found.back().path == change.path &&
        found.back().kind == Stale::Kind::kGone)
      gone.push_back(change);
  }
  if (gone.empty()) return found;
  const auto names = new_names(repository, from, to, gone);
  for (Stale& stale : found)
    if (const auto name = names.find(stale.path);
        stale.kind == Stale::Kind::kGone && name != names.end()) {
      stale.kind = Stale::Kind::kMoved;
      stale.to = name->second;
    }
  return found;
}

Result<std::vector<Stale>> stale_by_commit(const Repository& repository, const Watch& watch,
                                           const std::string& index) {
  std::vector<Stale> found;
  const NotedPaths noted = noted_paths(watch);
  if (noted.empty() &&
      std::ranges::all_of(watch.plans, [](const WatchedPlan& plan) { return plan.scopes.empty(); }))
    return found;
  GITPLAN_TRY_ASSIGN(const Outcome outcome,
                     ask_index(repository, index,
                               {"diff-index", "--cached", "--raw", "-M", "-z", "--no-abbrev",
                                "--ignore-submodules=none", "HEAD", "--"}));
  if (!outcome.ok()) return found;  // HEAD is unborn
  const std::vector<Staged> all = staged_from(outcome.output);
  for (const Staged& staged : all) {
    const auto at = noted.find(staged.path);
    if (at == noted.end() || staged.what == 'C') continue;
    const bool away = staged.what == 'D' || staged.what == 'R';
    const std::size_t before = found.size();
    judge({staged.path, staged.before, away ? "" : staged.after, false}, at->second, found);
    if (staged.what == 'R' && found.size() > before) {
      found.back().kind = Stale::Kind::kMoved;
      found.back().to = staged.to;
    }
  }
  GITPLAN_TRY(add_folders(repository, index, noted, all, found));
  for (const Staged& staged : all) {
    add_held(watch, staged.path, found);
    if (staged.what == 'R') add_held(watch, staged.to, found);
  }
  return found;
}

std::vector<std::string> stale_lines(const std::vector<Stale>& all) {
  std::vector<std::string> lines;
  for (const Stale& stale : all) {
    if (lines.size() == kTold) {
      lines.push_back("and " + std::to_string(all.size() - kTold) + " more: git plan check");
      break;
    }
    lines.push_back(line_of(stale));
  }
  return lines;
}

}  // namespace gitplan
