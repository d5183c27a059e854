#include "refs/snapshot/changed.h"

#include <optional>
#include <span>

#include "refs/git/libgit2.h"
#include "refs/history/trace.h"

namespace gitplan {
namespace {

constexpr std::chrono::milliseconds kRenameTime{1000};

class Comparison {
 public:
  explicit Comparison(git_repository* raw) : raw_(raw) {}

  Status compare(const git_oid* before, const git_oid* after, std::size_t depth,
                 std::span<const std::string> paths) {
    if (before != nullptr && after != nullptr && git_oid_equal(before, after)) return {};
    Handle<git_tree> old_tree, new_tree;
    GITPLAN_TRY(open(before, old_tree));
    GITPLAN_TRY(open(after, new_tree));
    for (std::size_t i = 0; i < paths.size();) {
      const std::string name = paths[i].substr(depth, paths[i].find('/', depth) - depth);
      const std::size_t end = depth + name.size();
      std::size_t last = i + 1;
      while (last < paths.size() && paths[last].compare(depth, name.size(), name) == 0 &&
             (paths[last].size() == end || paths[last][end] == '/'))
        ++last;
      const git_tree_entry* old_entry = entry(old_tree, name);
      const git_tree_entry* new_entry = entry(new_tree, name);
      const git_oid* old_id = old_entry == nullptr ? nullptr : git_tree_entry_id(old_entry);
      const git_oid* new_id = new_entry == nullptr ? nullptr : git_tree_entry_id(new_entry);
      const bool same = old_id != nullptr && new_id != nullptr && git_oid_equal(old_id, new_id);
      if (!same && (old_id != nullptr || new_id != nullptr)) {
        for (; i < last && paths[i].size() == end; ++i)
          found.push_back({paths[i], old_id == nullptr ? "" : hex(*old_id),
                           new_id == nullptr ? "" : hex(*new_id), is_tree(old_entry)});
        if (i < last)
          GITPLAN_TRY(compare(is_tree(old_entry) ? old_id : nullptr,
                              is_tree(new_entry) ? new_id : nullptr, end + 1,
                              paths.subspan(i, last - i)));
      }
      i = last;
    }
    return {};
  }

  std::vector<ChangedPath> found;

 private:
  static bool is_tree(const git_tree_entry* entry) {
    return entry != nullptr && git_tree_entry_type(entry) == GIT_OBJECT_TREE;
  }
  static const git_tree_entry* entry(const Handle<git_tree>& tree, const std::string& name) {
    return tree.get() == nullptr ? nullptr : git_tree_entry_byname(tree.get(), name.c_str());
  }
  Status open(const git_oid* id, Handle<git_tree>& tree) const {
    if (id == nullptr) return {};
    if (const int code = git_tree_lookup(tree.out(), raw_, id); code != 0)
      return libgit2_error("cannot read tree " + hex(*id), code);
    return {};
  }

  git_repository* raw_;
};

Result<git_oid> tree_of(git_repository* raw, const std::string& commit) {
  git_oid id;
  Handle<git_commit> found;
  if (!parse_oid(commit, id)) return failed("'" + commit + "' is no commit's id");
  if (const int code = git_commit_lookup(found.out(), raw, &id); code != 0)
    return libgit2_error("cannot read commit " + commit, code);
  return *git_commit_tree_id(found.get());
}

// A file of equal content that came, where it has one: a rename without a change.
std::map<std::string, std::string> by_content(git_repository* raw, const std::string& from,
                                              const std::string& to,
                                              const std::vector<ChangedPath>& gone) {
  std::map<std::string, std::string> names;
  const auto before = tree_of(raw, from), after = tree_of(raw, to);
  Handle<git_tree> old_tree, new_tree;
  Handle<git_diff> diff;
  if (!before || !after || git_tree_lookup(old_tree.out(), raw, &*before) != 0 ||
      git_tree_lookup(new_tree.out(), raw, &*after) != 0 ||
      git_diff_tree_to_tree(diff.out(), raw, old_tree.get(), new_tree.get(), nullptr) != 0)
    return names;
  std::multimap<std::string, std::string> came;  // id -> path
  for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    const git_diff_delta& delta = *git_diff_get_delta(diff.get(), i);
    if (delta.status == GIT_DELTA_ADDED) came.emplace(hex(delta.new_file.id), delta.new_file.path);
  }
  for (const ChangedPath& one : gone)
    if (came.count(one.before) == 1) names.emplace(one.path, came.find(one.before)->second);
  return names;
}

// A walk through so many commits takes about half a second.
bool is_near(const Repository& repository, const std::string& from, const std::string& to) {
  constexpr int kCommits = 3000;
  const auto count = repository.git().read(
      {"rev-list", "--count", "-n", std::to_string(kCommits), from + ".." + to});
  return count.ok() && *count != std::to_string(kCommits);
}

std::map<std::string, std::string> by_history(const Repository& repository, const std::string& from,
                                              const std::string& to,
                                              const std::vector<ChangedPath>& gone) {
  std::map<std::string, std::string> names;
  std::vector<NotedPath> noted;
  for (const ChangedPath& one : gone) noted.push_back({one.path, one.before});
  TraceTarget target;
  target.commit = to;
  const Result<TraceResult> traced = trace(repository, from, target, noted);
  if (!traced.ok()) return names;
  for (std::size_t i = 0; i < gone.size(); ++i)
    if (const Traced& place = traced->places[i]; place.fate == Fate::Moved && place.certain)
      names.emplace(gone[i].path, place.path);
  return names;
}

std::map<std::string, std::string> by_git(const Repository& repository, const std::string& from,
                                          const std::string& to) {
  GitCall call;
  call.args = {"diff-tree",     "-r", "-M", "-l500", "--diff-filter=R", "-z",
               "--name-status", from, to};
  call.deadline = kRenameTime;
  std::map<std::string, std::string> names;
  const Result<Outcome> outcome = repository.git().call(call);
  if (!outcome || !outcome->ok()) return names;
  // "R100" NUL old NUL new NUL
  std::vector<std::string> fields;
  for (std::size_t at = 0; at < outcome->output.size();) {
    const std::size_t end = std::min(outcome->output.find('\0', at), outcome->output.size());
    fields.push_back(outcome->output.substr(at, end - at));
    at = end + 1;
  }
  for (std::size_t i = 0; i + 2 < fields.size(); i += 3)
    names.emplace(fields[i + 1], fields[i + 2]);
  return names;
}

}  // namespace

Result<std::vector<ChangedPath>> changed_paths(const Repository& repository,
                                               const std::string& from, const std::string& to,
                                               const std::vector<std::string>& paths) {
  GITPLAN_TRY_ASSIGN(const git_oid before, tree_of(repository.raw(), from));
  GITPLAN_TRY_ASSIGN(const git_oid after, tree_of(repository.raw(), to));
  Comparison comparison(repository.raw());
  GITPLAN_TRY(comparison.compare(&before, &after, 0, paths));
  return std::move(comparison.found);
}

std::map<std::string, std::string> new_names(const Repository& repository, const std::string& from,
                                             const std::string& to,
                                             const std::vector<ChangedPath>& gone) {
  std::map<std::string, std::string> names = by_content(repository.raw(), from, to, gone);
  std::vector<ChangedPath> rest;
  for (const ChangedPath& one : gone)
    if (!names.contains(one.path)) rest.push_back(one);
  if (rest.empty()) return names;
  names.merge(is_near(repository, from, to) ? by_history(repository, from, to, rest)
                                            : by_git(repository, from, to));
  return names;
}

}  // namespace gitplan
