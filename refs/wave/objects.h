// Trees and blobs as merging looks at them: entries by path, text, ids.
//
// Only .cc files of refs/wave include this.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

struct TreeEntry {
  std::string id;
  unsigned mode = 0;
  bool operator==(const TreeEntry& other) const { return id == other.id && mode == other.mode; }
  bool regular() const { return mode == 0100644 || mode == 0100755; }
};

// `tree`: a tree's id. Nothing: no such path, or the object is not here.
std::optional<TreeEntry> entry_at(const Repository& repository, const std::string& tree,
                                  const std::string& path);
Result<std::string> tree_of_commit(const Repository& repository, const std::string& commit);
std::optional<std::string> blob_text(const Repository& repository, const std::string& id);
Result<std::string> write_blob(const Repository& repository, std::string_view text);
// A tree with some paths replaced, or (nothing) removed. Nothing: it cannot be made so.
using TreeUpdates = std::map<std::string, std::optional<TreeEntry>>;
std::optional<std::string> updated_tree(const Repository& repository, const std::string& tree,
                                        const TreeUpdates& updates);

bool looks_binary(std::string_view text);  // as git: a NUL in the first 8000 bytes

}  // namespace gitplan
