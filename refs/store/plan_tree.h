// A plan's commits and trees as they lie in git: read, compared, made.
//
// Everything in refs/store/ that touches objects goes through this. What the tree holds:
// refs/store/FORMAT.md.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/error.h"
#include "core/journal/event.h"
#include "refs/git/libgit2.h"
#include "refs/git/repository.h"

namespace gitplan {

inline constexpr std::string_view kPlanRefs = "refs/plans/";
inline constexpr std::string_view kMemoryPlan = "memory";  // the project memory, not a plan

struct RawCommit {
  git_oid id{}, tree{};
  std::vector<git_oid> parents;
  std::string message;
};

// A plan where its ref stands.
struct Tip {
  RawCommit commit;
  std::string identity;  // root commit id
  int format = 0;
};

struct Segment {
  std::string path;  // journal/<actor>/<nn>/<nn>/<nnnnnn>.jsonl
  std::string actor;
  git_oid blob{};
};

struct TreeFile {
  std::string path;
  git_oid blob{};
};

class PlanTrees {
 public:
  explicit PlanTrees(const Repository& repository) : repository_(&repository) {}

  // kNotFound where there is no such ref; kInvalid where it is not a plan.
  Result<Tip> tip(std::string_view plan) const;
  Result<Tip> at(std::string_view plan, const git_oid& commit) const;
  Result<git_oid> ref_target(std::string_view plan) const;
  // Refs below a prefix ("refs/plans/") that point at objects, by what comes after it.
  Result<std::map<std::string, git_oid>> refs_below(std::string_view prefix) const;
  Result<RawCommit> commit(const git_oid& id) const;

  // The root of the plan in whose place this one was put (`delete --purge`); empty: of none.
  Result<std::string> purged_by(const Tip& tip) const;

  // A file's blob, or nothing. A blob that a partial clone left out is fetched by git.
  Result<std::optional<git_oid>> entry(const git_oid& tree, std::string_view path) const;
  Result<std::string> blob(const git_oid& id) const;

  // The journal's segments, in path order; those that `known` (another plan tree) has too are left
  // out.
  Result<std::vector<Segment>> segments(const git_oid& tree, const git_oid* known = nullptr) const;
  // Their events, sorted. What cannot be read is a diagnostic, and the rest is taken.
  Result<std::vector<Event>> events(const std::vector<Segment>& segments,
                                    std::vector<Diagnostic>& damage) const;
  // The path of the actor's next segment.
  Result<std::string> next_segment(const git_oid* tree, std::string_view actor) const;

  Result<git_oid> write_blob(std::string_view text) const;
  // The tree `base` (none: an empty one) with these files, sorted by path. `made` gets the trees
  // and blobs that `base` has not.
  Result<git_oid> write_tree(const git_oid* base, std::span<const TreeFile> files,
                             std::vector<git_oid>& made) const;

 private:
  git_repository* raw() const { return repository_->raw(); }
  const Repository* repository_;
};

// "segment journal/… line 3: …" of what could not be read.
Diagnostic segment_damage(std::string_view path, const Error& error);

}  // namespace gitplan
