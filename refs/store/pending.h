// Texts and files that belong to events which are written ahead and not yet in git.
//
// A flush takes them along and removes them; until then the object database must not be relied on,
// since `git gc
// --prune=now` takes what no ref names. On disk:
// <common>/git-plan/pending/<identity>/definitions/<oid> and …/files/<path in the plan's tree>.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "refs/store/store.h"

namespace gitplan {

class Pending {
 public:
  Pending(const std::string& local_dir, std::string_view identity)
      : folder_(local_dir + "/pending/" + std::string(identity.substr(0, 16))) {}

  Status add_definition(std::string_view oid, std::string_view text) const;
  Status add_file(const Attachment& file) const;
  std::optional<std::string> definition(std::string_view oid) const;
  std::optional<std::string> file(std::string_view path) const;
  Result<std::vector<Attachment>> files() const;
  bool empty() const;
  void clear() const;

 private:
  std::string folder_;
};

// Why a path cannot be one of an attachment; empty: it can.
std::string attachment_fault(std::string_view path);

}  // namespace gitplan
