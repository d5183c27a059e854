// The messages of many plans' tip commits in one file, so that a long listing opens no objects.
//
// list() alone uses this. On disk: <common>/git-plan/cache/tips, see tip_cache.cc. An entry holds
// for one commit id, so it is never stale; a file whose checksum does not fit is not used; failures
// to write do not matter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "refs/git/libgit2.h"

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

  std::string path_, text_;
  std::string_view rest_;  // of the text, behind the cursor
  Entry current_{};
  bool has_current_ = false;
};

}  // namespace gitplan
