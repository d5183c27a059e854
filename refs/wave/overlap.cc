#include "refs/wave/overlap.h"

#include <algorithm>
#include <map>

#include "refs/wave/line_diff.h"
#include "refs/wave/objects.h"

namespace gitplan {
namespace {

// Kinds that concern whole files, from git's stable words.
std::string kind_of(const std::string& type) {
  const auto has = [&type](std::string_view word) { return type.find(word) != std::string::npos; };
  if (has("contents")) return "content";
  if (has("binary") || has("submodule")) return "binary";
  if (has("delete")) return "delete";
  if (has("mode")) return "mode";
  return "rename";
}

struct Meeting {
  std::string kind;
  std::vector<std::string> paths;  // that git named with it
};

struct Contents {
  std::string base, ours, theirs;  // blob ids
  bool text = false;
};

Contents contents_of(const MergeOutcome& outcome, const std::string& path) {
  Contents result;
  result.text = true;
  for (const MergeStage& stage : outcome.stages) {
    if (stage.path != path) continue;
    (stage.stage == 1 ? result.base : stage.stage == 2 ? result.ours : result.theirs) = stage.id;
    if (!stage.mode.starts_with("100")) result.text = false;
  }
  if (result.ours.empty() || result.theirs.empty()) result.text = false;
  return result;
}

void append(std::vector<Side>& sides, std::vector<Side> more) {
  for (Side& side : more) {
    const auto found = std::find_if(sides.begin(), sides.end(),
                                    [&side](const Side& known) { return known.who == side.who; });
    if (found == sides.end()) {
      sides.push_back(std::move(side));
    } else {
      found->lines.insert(found->lines.end(), side.lines.begin(), side.lines.end());
      found->lines = joined(std::move(found->lines));
    }
  }
}

std::vector<Side> without_lines(const std::vector<std::string>& names, bool deleted) {
  std::vector<Side> result;
  for (const std::string& who : names) result.push_back({who, {}, deleted});
  return result;
}

}  // namespace

std::vector<Side> SideNames::lines(const Repository& repository, const std::string& path,
                                   const std::string& blob, const std::vector<LineRange>& ranges,
                                   const std::map<std::string, std::string>& names) const {
  if (provenance_ == nullptr) return {{who_, ranges}};
  std::string own = path;
  const auto here = entry_at(repository, tree_, path);
  if (const auto old = names.find(path); (!here || here->id != blob) && old != names.end())
    own = old->second;
  std::vector<Side> result = provenance_->sides(own, ranges);
  if (result.empty()) result = {{"user", ranges}};
  return result;
}

std::vector<std::string> SideNames::changed(const std::vector<std::string>& paths) const {
  if (provenance_ == nullptr) return {who_};
  std::vector<std::string> result = provenance_->who_changed(paths);
  if (result.empty()) result.emplace_back("user");
  return result;
}

std::vector<Conflict> conflicts_of(const Repository& repository, const MergeOutcome& outcome,
                                   const std::string& base, const std::string& ours_tree,
                                   const std::string& theirs_tree, const SideNames& ours,
                                   const SideNames& theirs) {
  std::map<std::string, Meeting> meetings;
  for (const MergeMessage& message : outcome.messages) {
    if (!message.type.starts_with("CONFLICT") || message.paths.empty()) continue;
    Meeting& meeting = meetings[message.paths.front()];
    const std::string kind = kind_of(message.type);
    // "binary" comes with "contents"; what is said first about whole files counts.
    if (meeting.kind.empty() || (meeting.kind == "content" && kind != "content"))
      meeting.kind = kind;
    for (const std::string& path : message.paths)
      if (std::find(meeting.paths.begin(), meeting.paths.end(), path) == meeting.paths.end())
        meeting.paths.push_back(path);
  }
  for (const MergeStage& stage : outcome.stages) {
    const bool named = std::any_of(meetings.begin(), meetings.end(), [&](const auto& meeting) {
      return std::count(meeting.second.paths.begin(), meeting.second.paths.end(), stage.path) > 0;
    });
    if (!named) meetings[stage.path] = {"content", {stage.path}};
  }
  std::optional<std::map<std::string, std::string>> their_names, our_names;
  std::vector<Conflict> result;
  for (auto& [path, meeting] : meetings) {
    Conflict conflict{path, meeting.kind, {}};
    const Contents contents = contents_of(outcome, path);
    const auto text = [&repository](const std::string& id) {
      return id.empty() ? std::string() : blob_text(repository, id).value_or("");
    };
    const std::string before = text(contents.base), mine = text(contents.ours),
                      other = text(contents.theirs);
    if (conflict.kind == "content" && (!contents.text || looks_binary(before + mine + other)))
      conflict.kind = "binary";
    if (conflict.kind == "content") {
      if (!their_names) {
        their_names = renames_between(repository, base, theirs_tree);
        our_names = renames_between(repository, base, ours_tree);
      }
      std::vector<LineRange> ours_lines, theirs_lines;
      const std::vector<Hunk> left = diff_lines(before, mine), right = diff_lines(before, other);
      for (const Hunk& one : left)
        if (std::any_of(right.begin(), right.end(), [&](const Hunk& h) { return meet(one, h); }))
          ours_lines.push_back(new_lines(one));
      for (const Hunk& one : right)
        if (std::any_of(left.begin(), left.end(), [&](const Hunk& h) { return meet(one, h); }))
          theirs_lines.push_back(new_lines(one));
      append(conflict.sides,
             ours.lines(repository, path, contents.ours, joined(ours_lines), *their_names));
      append(conflict.sides,
             theirs.lines(repository, path, contents.theirs, joined(theirs_lines), *our_names));
    } else {
      // Only where one of them deleted it; a file in the way of a directory is gone on neither.
      const bool deleted =
          conflict.kind == "delete" && contents.ours.empty() != contents.theirs.empty();
      append(conflict.sides,
             without_lines(ours.changed(meeting.paths), deleted && contents.ours.empty()));
      append(conflict.sides,
             without_lines(theirs.changed(meeting.paths), deleted && contents.theirs.empty()));
    }
    result.push_back(std::move(conflict));
  }
  return result;
}

}  // namespace gitplan
