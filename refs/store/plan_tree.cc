#include "refs/store/plan_tree.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "core/journal/event_codec.h"
#include "refs/store/message.h"
#include "refs/store/store.h"

namespace gitplan {
namespace {

std::string ref_of(std::string_view plan) { return std::string(kPlanRefs) + std::string(plan); }

Error not_a_plan(std::string_view plan, const std::string& why) {
  const std::string ref = ref_of(plan);
  return error(
      ErrorCode::kInvalid, ref + " is not a plan: " + why,
      "'git log " + ref + "' shows what it is; 'git update-ref -d " + ref + "' removes it");
}

bool parse_commit(std::string_view text, RawCommit& commit) {
  const auto line = [&text](std::string_view key, git_oid& id) {
    if (!text.starts_with(key) || text.size() < key.size() + GIT_OID_HEXSZ + 1) return false;
    if (!parse_oid(text.substr(key.size(), GIT_OID_HEXSZ), id)) return false;
    text.remove_prefix(key.size() + GIT_OID_HEXSZ + 1);
    return true;
  };
  if (!line("tree ", commit.tree)) return false;
  for (git_oid parent; line("parent ", parent);) commit.parents.push_back(parent);
  const std::size_t body = text.find("\n\n");
  if (body != std::string_view::npos) commit.message = text.substr(body + 2);
  return true;
}

std::string plan_root_of(std::string_view message) {
  constexpr std::string_view kTrailer = "\nPlan-Root: ";
  const std::size_t at = message.rfind(kTrailer);
  if (at == std::string_view::npos) return {};
  const std::string_view value = message.substr(at + kTrailer.size(), GIT_OID_HEXSZ);
  git_oid id;
  return parse_oid(value, id) ? std::string(value) : std::string();
}

// Nearly every plan has this one blob as its format, so that it need not be read.
bool is_format_1(const git_oid& blob) {
  static const git_oid known = [] {
    git_oid id;
    git_odb_hash(&id, "1\n", 2, GIT_OBJECT_BLOB);
    return id;
  }();
  return git_oid_equal(&known, &blob);
}

// Calls take(name, id, type, same entry of `known` or null) for each entry that `known` has not.
template <typename Take>
Status each_new(git_repository* repo, const git_oid& tree_id, const git_oid* known_id, Take take) {
  Handle<git_tree> tree, known;
  if (const int code = git_tree_lookup(tree.out(), repo, &tree_id); code != 0)
    return libgit2_error("cannot read the tree " + hex(tree_id), code);
  if (known_id != nullptr && git_tree_lookup(known.out(), repo, known_id) != 0)
    known = Handle<git_tree>();  // not there any more: then all is new
  const std::size_t count = git_tree_entrycount(tree.get());
  for (std::size_t i = 0; i < count; ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
    const git_tree_entry* before =
        known.get() == nullptr ? nullptr
                               : git_tree_entry_byname(known.get(), git_tree_entry_name(entry));
    const git_oid* id = git_tree_entry_id(entry);
    if (before != nullptr && git_oid_equal(git_tree_entry_id(before), id)) continue;
    const bool both_trees = before != nullptr && git_tree_entry_type(before) == GIT_OBJECT_TREE;
    GITPLAN_TRY(take(std::string(git_tree_entry_name(entry)), *id, git_tree_entry_type(entry),
                     both_trees ? git_tree_entry_id(before) : nullptr));
  }
  return {};
}

Status collect_segments(git_repository* repo, const std::string& folder, const git_oid& tree,
                        const git_oid* known, std::vector<Segment>& result) {
  constexpr int kDeepest = 4;  // journal/<actor>/<nn>/<nn>
  return each_new(
      repo, tree, known,
      [&](const std::string& name, const git_oid& id, git_object_t type,
          const git_oid* before) -> Status {
        const std::string path = folder + "/" + name;
        if (type == GIT_OBJECT_TREE) {
          if (std::count(path.begin(), path.end(), '/') >= kDeepest) return {};
          return collect_segments(repo, path, id, before, result);
        }
        constexpr std::size_t kActor = std::string_view("journal/").size();
        if (type == GIT_OBJECT_BLOB && path.ends_with(".jsonl"))
          result.push_back({path, path.substr(kActor, path.find('/', kActor) - kActor), id});
        return {};
      });
}

// The folder `base` with files whose paths go on at `start`. git_tree_create_updated would do this
// too, but not say which trees it wrote, and reading them again costs more than writing them.
Result<git_oid> updated_folder(git_repository* repo, const git_oid* base,
                               std::span<const TreeFile> files, std::size_t start,
                               std::vector<git_oid>& made) {
  Handle<git_tree> before;
  if (base != nullptr)
    if (const int code = git_tree_lookup(before.out(), repo, base); code != 0)
      return libgit2_error("cannot read the tree " + hex(*base), code);
  Handle<git_treebuilder> builder;
  int code = git_treebuilder_new(builder.out(), repo, before.get());
  while (code == 0 && !files.empty()) {
    const std::string& path = files.front().path;
    const std::size_t slash = path.find('/', start);
    const std::string name = path.substr(start, slash - start);
    const git_tree_entry* old =
        before.get() == nullptr ? nullptr : git_tree_entry_byname(before.get(), name.c_str());
    const bool folder = slash != std::string::npos;
    if (old != nullptr && (git_tree_entry_type(old) == GIT_OBJECT_TREE) != folder)
      return failed("cannot write " + path + ": " + path.substr(0, start) + name + " is a " +
                    (folder ? "file" : "folder"));
    const git_oid* old_id = old == nullptr ? nullptr : git_tree_entry_id(old);
    std::size_t count = 1;
    git_oid id = files.front().blob;
    if (folder) {
      const std::string_view prefix = std::string_view(path).substr(0, slash + 1);
      while (count < files.size() && files[count].path.starts_with(prefix)) ++count;
      GITPLAN_TRY_ASSIGN(id, updated_folder(repo, old_id, files.first(count), slash + 1, made));
    } else if (old_id == nullptr || !git_oid_equal(old_id, &id)) {
      made.push_back(id);
    }
    code = git_treebuilder_insert(nullptr, builder.get(), name.c_str(), &id,
                                  folder ? GIT_FILEMODE_TREE : GIT_FILEMODE_BLOB);
    files = files.subspan(count);
  }
  git_oid id;
  if (code == 0) code = git_treebuilder_write(&id, builder.get());
  if (code != 0) return libgit2_error("cannot write the plan's tree", code);
  made.push_back(id);
  return id;
}

}  // namespace

Result<git_oid> PlanTrees::ref_target(std::string_view plan) const {
  const std::string ref = ref_of(plan);
  git_oid id;
  int code = git_reference_name_to_id(&id, raw(), ref.c_str());
  // Between the look at the loose ref and the one at packed-refs `git pack-refs` may have moved it.
  if (code == GIT_ENOTFOUND) code = git_reference_name_to_id(&id, raw(), ref.c_str());
  if (code == GIT_ENOTFOUND)
    return error(ErrorCode::kNotFound, "no plan is called '" + std::string(plan) + "'",
                 "'git plan list --status all' shows every plan");
  if (code != 0) return libgit2_error("cannot read " + ref, code);
  return id;
}

Result<std::map<std::string, git_oid>> PlanTrees::refs_below(std::string_view prefix) const {
  Handle<git_reference_iterator> all;
  const std::string glob = std::string(prefix) + "*";
  if (const int code = git_reference_iterator_glob_new(all.out(), raw(), glob.c_str()); code != 0)
    return libgit2_error("cannot read " + std::string(prefix), code);
  std::map<std::string, git_oid> found;
  for (Handle<git_reference> ref; git_reference_next(ref.out(), all.get()) == 0;) {
    const git_oid* target = git_reference_target(ref.get());
    if (target != nullptr)
      found.emplace(std::string_view(git_reference_name(ref.get())).substr(prefix.size()), *target);
  }
  return found;
}

Result<RawCommit> PlanTrees::commit(const git_oid& id) const {
  Handle<git_odb> odb;
  Handle<git_odb_object> object;
  int code = git_repository_odb(odb.out(), raw());
  if (code == 0) code = git_odb_read(object.out(), odb.get(), &id);
  if (code != 0) return libgit2_error("cannot read the commit " + hex(id), code);
  RawCommit commit;
  commit.id = id;
  const std::string_view text(static_cast<const char*>(git_odb_object_data(object.get())),
                              git_odb_object_size(object.get()));
  if (git_odb_object_type(object.get()) != GIT_OBJECT_COMMIT || !parse_commit(text, commit))
    return error(ErrorCode::kInvalid, hex(id) + " is not a commit");
  return commit;
}

Result<Tip> PlanTrees::tip(std::string_view plan) const {
  GITPLAN_TRY_ASSIGN(const git_oid id, ref_target(plan));
  return at(plan, id);
}

Result<Tip> PlanTrees::at(std::string_view plan, const git_oid& id) const {
  auto read = commit(id);
  if (!read.ok()) {
    if (read.error().code == ErrorCode::kInvalid) return not_a_plan(plan, read.error().message);
    return error(ErrorCode::kFailed, ref_of(plan) + ": " + read.error().message,
                 "the object is missing or damaged: 'git fsck' says more, and a fetch from another "
                 "clone brings it back");
  }
  Tip tip;
  tip.commit = std::move(read).value();
  GITPLAN_TRY_ASSIGN(const auto format, entry(tip.commit.tree, "format"));
  if (!format) return not_a_plan(plan, "its tree has no file 'format'");
  GITPLAN_TRY_ASSIGN(const std::string text,
                     is_format_1(*format) ? Result<std::string>("1\n") : blob(*format));
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), tip.format);
  if (code != std::errc() || tip.format < 1 || (end != text.data() + text.size() && *end != '\n'))
    return not_a_plan(plan, "its format is '" + text.substr(0, 20) + "'");
  GITPLAN_TRY_ASSIGN(const auto journal, entry(tip.commit.tree, "journal"));
  if (!journal) return not_a_plan(plan, "its tree has no folder 'journal'");

  tip.identity = tip.commit.parents.empty() ? hex(id) : plan_root_of(tip.commit.message);
  if (!tip.identity.empty()) return tip;
  // Made by hand: then the chain itself says where it starts.
  RawCommit at_commit = tip.commit;
  while (!at_commit.parents.empty()) {
    GITPLAN_TRY_ASSIGN(at_commit, commit(at_commit.parents.front()));
    if (std::string root = plan_root_of(at_commit.message); !root.empty()) {
      tip.identity = std::move(root);
      return tip;
    }
  }
  tip.identity = hex(at_commit.id);
  return tip;
}

Result<std::string> PlanTrees::purged_by(const Tip& tip) const {
  git_oid root;
  if (!parse_oid(tip.identity, root)) return std::string();
  GITPLAN_TRY_ASSIGN(const RawCommit first, commit(root));
  return purged_root(first.message);
}

Result<std::optional<git_oid>> PlanTrees::entry(const git_oid& tree_id,
                                                std::string_view path) const {
  Handle<git_tree> tree;
  if (const int code = git_tree_lookup(tree.out(), raw(), &tree_id); code != 0)
    return libgit2_error("cannot read the tree " + hex(tree_id), code);
  if (path.find('/') == std::string_view::npos) {
    const git_tree_entry* entry = git_tree_entry_byname(tree.get(), std::string(path).c_str());
    if (entry == nullptr) return std::optional<git_oid>();
    return std::optional<git_oid>(*git_tree_entry_id(entry));
  }
  Handle<git_tree_entry> entry;
  const int code = git_tree_entry_bypath(entry.out(), tree.get(), std::string(path).c_str());
  if (code == GIT_ENOTFOUND) return std::optional<git_oid>();
  if (code != 0) return libgit2_error("cannot read " + std::string(path), code);
  return std::optional<git_oid>(*git_tree_entry_id(entry.get()));
}

Result<std::string> PlanTrees::blob(const git_oid& id) const {
  Handle<git_odb> odb;
  Handle<git_odb_object> object;
  int code = git_repository_odb(odb.out(), raw());
  if (code == 0) code = git_odb_read(object.out(), odb.get(), &id);
  if (code == GIT_ENOTFOUND) {
    GitCall call;
    call.args = {"cat-file", "blob", hex(id)};
    GITPLAN_TRY_ASSIGN(Outcome outcome, repository_->git().call(call));
    if (outcome.ok()) return std::move(outcome.output);
  }
  if (code != 0) return libgit2_error("cannot read the object " + hex(id), code);
  return std::string(static_cast<const char*>(git_odb_object_data(object.get())),
                     git_odb_object_size(object.get()));
}

Result<std::vector<Segment>> PlanTrees::segments(const git_oid& tree, const git_oid* known) const {
  std::vector<Segment> result;
  GITPLAN_TRY_ASSIGN(const auto journal, entry(tree, "journal"));
  if (!journal) return result;
  std::optional<git_oid> before;
  if (known != nullptr)
    if (auto found = entry(*known, "journal"); found.ok()) before = *found;
  if (before && git_oid_equal(&*before, &*journal)) return result;
  GITPLAN_TRY(collect_segments(raw(), "journal", *journal, before ? &*before : nullptr, result));
  return result;
}

Diagnostic segment_damage(std::string_view path, const Error& error) {
  Diagnostic diagnostic;
  diagnostic.code = "damaged-segment";
  diagnostic.message = std::string(path) + ": " + error.message;
  diagnostic.target = path;
  diagnostic.fix = "fetch the plan from another clone; 'git plan doctor --fsck' lists all damage";
  return diagnostic;
}

Result<std::vector<Event>> PlanTrees::events(const std::vector<Segment>& all,
                                             std::vector<Diagnostic>& damage) const {
  std::vector<Event> events;
  for (const Segment& segment : all) {
    auto text = blob(segment.blob);
    if (!text.ok()) {
      damage.push_back(segment_damage(segment.path, text.error()));
      continue;
    }
    auto parsed = parse_segment(*text);
    if (parsed.ok()) {
      events.insert(events.end(), std::make_move_iterator(parsed->begin()),
                    std::make_move_iterator(parsed->end()));
      continue;
    }
    damage.push_back(segment_damage(segment.path, parsed.error()));
    std::string_view rest = *text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (auto event = from_line(rest.substr(0, end)); event.ok())
        events.push_back(std::move(event).value());
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::stable_sort(events.begin(), events.end(), before);
  return events;
}

Result<std::string> PlanTrees::next_segment(const git_oid* tree, std::string_view actor) const {
  unsigned number = 0;
  const std::string folder = "journal/" + std::string(actor);
  std::optional<git_oid> at;
  if (tree != nullptr) {
    GITPLAN_TRY_ASSIGN(at, entry(*tree, folder));
  }
  for (int level = 0; at && level < 3; ++level) {
    Handle<git_tree> found;
    if (const int code = git_tree_lookup(found.out(), raw(), &*at); code != 0)
      return libgit2_error("cannot read " + folder, code);
    const std::size_t count = git_tree_entrycount(found.get());
    if (count == 0) break;
    const git_tree_entry* last = git_tree_entry_byindex(found.get(), count - 1);
    if (level < 2) {
      at = *git_tree_entry_id(last);
      continue;
    }
    const std::string name = git_tree_entry_name(last);
    const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number, 16);
    if (code != std::errc() || std::string_view(end) != ".jsonl")
      return error(ErrorCode::kInvalid, folder + " holds '" + name + "', which is no segment");
    ++number;
  }
  constexpr unsigned kMost = 0xFFFFFF;
  if (number > kMost) return failed(folder + " is full");
  char name[16];
  std::snprintf(name, sizeof name, "%06x", number);
  const std::string digits = name;
  return folder + "/" + digits.substr(0, 2) + "/" + digits.substr(2, 2) + "/" + digits + ".jsonl";
}

Result<git_oid> PlanTrees::write_blob(std::string_view text) const {
  git_oid id;
  if (const int code = git_blob_create_from_buffer(&id, raw(), text.data(), text.size()); code != 0)
    return libgit2_error("cannot write an object of " + std::to_string(text.size()) + " bytes",
                         code);
  return id;
}

Result<git_oid> PlanTrees::write_tree(const git_oid* base, std::span<const TreeFile> files,
                                      std::vector<git_oid>& made) const {
  return updated_folder(raw(), base, files, 0, made);
}

}  // namespace gitplan
