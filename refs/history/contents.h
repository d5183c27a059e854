// How much two contents have in common: computed from all their lines, not from a sample.
//
// Only .cc files of refs/history include this.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refs/history/trees.h"

namespace gitplan::history {

struct LineCount {
  std::uint64_t hash = 0;
  std::uint32_t bytes = 0;  // of one
  std::uint32_t count = 0;
};

// Sorted by hash. A binary content has pieces of up to 64 bytes in place of lines.
struct Lines {
  std::vector<LineCount> lines;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
};

Lines lines_of(std::string_view text);

struct Common {
  std::uint64_t bytes = 0, count = 0;
};
Common common(const Lines& one, const Lines& other);

// Percent of the larger one, by bytes; 100 only where nothing differs.
int similarity(const Lines& one, const Lines& other);
// Percent of the lines; 0 only where nothing differs, 100 only where nothing is left.
int changed_percent(const Lines& noted, const Lines& now);

// Blobs of a repository, as far as they are here and can be compared.
class Contents {
 public:
  explicit Contents(git_repository* repository) : repository_(repository) {}

  // Nothing: not here, larger than 10 MB, or a submodule.
  std::optional<std::string> text(const Item& item);
  std::shared_ptr<const Lines> lines(const Item& item);
  std::uint64_t size(const Item& item);  // 0 also where it is not known
  bool lacked_one() const { return lacked_; }

 private:
  git_repository* repository_;
  std::map<git_oid, std::shared_ptr<const Lines>, IdLess> known_;
  std::uint64_t held_ = 0;
  bool lacked_ = false;
};

// As above, -1: not known.
int similarity(Contents& contents, const Item& one, const Item& other);

}  // namespace gitplan::history
