// The exact bytes of keys, values and list items in YAML text, from the tree of that text.
//
// plan_edit.cc cuts and inserts by these. Every function is given `limit`, the byte before which
// the thing must end: where the next key or item starts that is not part of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/plan/yaml_tree.h"

namespace gitplan {

// A key of a mapping with its value.
struct YamlEntry {
  const YamlNode* mapping = nullptr;
  const YamlNode* key = nullptr;
  const YamlNode* value = nullptr;
  std::size_t limit = 0;
};

// An item of a list.
struct YamlItem {
  const YamlNode* list = nullptr;
  const YamlNode* value = nullptr;
  std::size_t index = 0;
  std::size_t limit = 0;
};

class YamlSpans {
 public:
  explicit YamlSpans(std::string_view yaml) : yaml_(yaml) {}

  std::optional<YamlEntry> entry(const YamlNode& mapping, std::string_view key,
                                 std::size_t limit) const;
  YamlEntry entry_at(const YamlNode& mapping, std::size_t index, std::size_t limit) const;
  YamlItem item_at(const YamlNode& list, std::size_t index, std::size_t limit) const;

  // The byte after the ':' of a key; nothing where it has none of its own ("? key", "{key}").
  std::optional<std::size_t> after_colon(const YamlEntry& entry) const;
  // The byte of an item's '-'.
  std::size_t dash(const YamlNode& item) const;
  // A value that is not written: "key:" alone.
  bool is_absent(const YamlNode& value, std::size_t limit) const;

  // The byte after an entry or item, its value included.
  std::size_t end(const YamlEntry& entry) const;
  std::size_t end(const YamlItem& item) const;

 private:
  std::size_t key_end(const YamlNode& key) const;
  std::size_t value_end(const YamlNode& value, std::size_t limit, int parent_column,
                        bool in_flow) const;
  std::size_t flow_end(const YamlNode& value, std::size_t limit) const;

  std::string_view yaml_;
};

}  // namespace gitplan
