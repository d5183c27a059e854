// What this clone worked out about a plan and can work out again: the ledger at its tip, its parsed
// definition.
//
// The store alone uses it. On disk: <common>/git-plan/cache/<identity>.<kind>, a line
// "<XXH3-64 of what follows on it and below, 16 hex> <shape, 16 hex> <key>" and the packed value
// (core/base/packed.h). Replaced by rename, never needed, never trusted where the sum or the shape
// (that of another version) does not fit. Failures to write do not matter.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/packed.h"
#include "refs/git/heap.h"

namespace gitplan {

struct CachedBytes {
  std::string file;
  std::string_view key, bytes;  // in it
};
bool read_cached(const std::string& path, std::string_view shape, CachedBytes& found);
void write_cached(const std::string& path, std::string_view shape, std::string_view key,
                  std::string_view bytes);

template <class T>
class PackedCache {
 public:
  PackedCache(const std::string& local_dir, std::string kind)
      : folder_(local_dir + "/cache/"), kind_(std::move(kind)) {}

  struct Entry {
    std::string key;  // of what the value was made: a commit, a definition
    T value;
  };
  std::optional<Entry> read(std::string_view identity) const {
    CachedBytes found;
    if (!read_cached(path_of(identity), shape(), found)) return std::nullopt;
    expect_allocations(kHeapForByte * found.bytes.size());
    Entry entry{std::string(found.key), {}};
    Unpacker unpacker(found.bytes);
    unpacker.read(entry.value);
    if (!unpacker.complete()) return std::nullopt;
    return entry;
  }
  void write(std::string_view identity, std::string_view key, const T& value) const {
    std::string bytes;
    pack(value, bytes);
    write_cached(path_of(identity), shape(), key, bytes);
  }

 private:
  // Tasks and their records take about this many bytes in memory for one that is packed.
  static constexpr std::size_t kHeapForByte = 6;

  // A change of what a value means, not of its fields, wants another number here.
  static const std::string& shape() {
    static const std::string kShape = [] {
      std::string text = "1 ";
      shape_of<T>(text);
      return text;
    }();
    return kShape;
  }
  std::string path_of(std::string_view identity) const {
    return folder_ + std::string(identity.substr(0, 16)) + "." + kind_;
  }
  std::string folder_, kind_;
};

}  // namespace gitplan
