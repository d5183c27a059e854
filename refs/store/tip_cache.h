// The messages of many plans' tip commits in one file, so that a long listing opens no objects.
//
// list() alone uses this. On disk: <common>/git-plan/cache/tips, a file of packed_cache.h's kind;
// see tip_cache.cc. An entry holds for one commit id, so it is never stale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "refs/git/libgit2.h"
#include "refs/store/packed_cache.h"

namespace gitplan {

class TipCache {
 public:
  explicit TipCache(const std::string& local_dir);
  TipCache(const TipCache&) = delete;
  TipCache& operator=(const TipCache&) = delete;

  // The message of the commit that is the tip of `plan`, or a null view. Plans are asked for in
  // order of their names.
  std::string_view find(std::string_view plan, const git_oid& tip);

  struct Entry {
    std::string_view plan;
    git_oid tip;
    std::string_view message;
  };
  // Entries in order of their plans' names.
  void write(const std::vector<Entry>& entries) const;

 private:
  bool next();  // the entry at the cursor into current_; false at the end

  std::string path_;
  CachedBytes found_;
  std::string_view rest_;  // of what was found, behind the cursor
  Entry current_{};
  bool has_current_ = false;
};

}  // namespace gitplan
