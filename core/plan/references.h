// The paths that a plan mentions: references (they can go stale) and scopes (what a task may
// touch).
//
// Pure: `exists` tells whether a path is in the tree of HEAD. Snapshots, overlap warnings and
// briefs stand on this; mentions.h says where each stands, byte by byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/plan/definition.h"
#include "core/plan/path_mention.h"

namespace gitplan {

struct Reference {
  std::string path;    // as git knows it, without the lines
  int first_line = 0;  // of `path:12-40`; 0: the whole file
  int last_line = 0;
  std::string action;  // "modify", "create", "delete" of a Changes line; else empty
  std::string task;    // whose scope or description names it; empty: the body
  Position position;   // of the path in plan.md
};

// A path of a task's `files` that names something, and not a pattern.
bool is_file_reference(std::string_view path, const PathExists& exists);
Reference reference_of(const PathMention& mention, std::string action, std::string task,
                       Position position);
// Where a key of the task is written; where it is not, the task.
Position key_position(const Task& task, const char* key);

// From Changes and Reuse lines, code spans that are paths of HEAD, and each task's literal files;
// with `only`, of the tasks' that one's alone.
std::vector<Reference> references_of(const Plan& plan, const PathExists& exists,
                                     const Task* only = nullptr);

// A task's scope as pathspecs: its `files`, else the paths that its description and the Changes
// lines that name the task mention.
std::vector<std::string> scope_of(const Plan& plan, const Task& task, const PathExists& exists);

// True when a path falls under a git pathspec (literal, directory prefix, *, ?, [..], **), as `git
// ls-files -- <pathspec>` says: wildcards take '/' as well, and "." is the whole tree.
bool pathspec_matches(std::string_view pathspec, std::string_view path);

// True when the two scopes can touch the same file, judged from the patterns alone: exact for
// patterns, whatever files there are. An empty scope overlaps with nothing.
bool scopes_overlap(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace gitplan
