// A YAML document as a tree that knows where each value stands. The only user of yaml-cpp.
//
// Built from yaml-cpp's events, not from its nodes: events keep duplicate keys, byte offsets and
// aliases, and let a text be refused while it is read. parse_plan() and the edits call this.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/plan/definition.h"

namespace gitplan {

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMapping };

  Kind kind = Kind::kNull;
  bool plain = false;                  // a scalar without quotes and not a block
  bool flow = false;                   // a collection in brackets
  bool alias = false;                  // written as *name: the value stands elsewhere
  std::string text;                    // of a scalar
  std::size_t offset = 0;              // in the YAML text; of an absent value: of what comes next
  int column = 0;                      // 0-based, in bytes
  Position position;                   // in the file
  std::vector<const YamlNode*> items;  // of a mapping: key, value, key, value, …
  std::size_t weight = 1;              // bytes and values below: what repeating it costs

  bool is(Kind k) const { return kind == k; }
  // The value of a key; null where there is none. A walk: not for loops over many keys.
  const YamlNode* find(std::string_view key) const;
};

// Nodes point at each other: a tree moves, and is never copied.
struct YamlTree {
  YamlTree() = default;
  YamlTree(YamlTree&&) = default;
  YamlTree& operator=(YamlTree&&) = default;

  std::deque<YamlNode> nodes;
  const YamlNode* root = nullptr;  // null: the text holds nothing but comments
};

// `first_line` is the line of the file at which `yaml` starts. The error carries one Diagnostic:
// yaml-cpp stops at its first fault. Bounded by kMaxDepth, kMaxAliases and kMaxYamlValues.
Result<YamlTree> read_yaml(std::string_view yaml, int first_line = 1);

// The same value, wherever and however it is written.
bool same_value(const YamlNode& a, const YamlNode& b);

}  // namespace gitplan
