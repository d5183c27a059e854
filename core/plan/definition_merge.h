// Two texts of a plan that were made apart from one, as one text: the front matter by key and by
// task name, the body as lines.
//
// The store asks where a plan has several heads (refs/store/store_heads.cc). Pure, and the same in
// every clone: who merges the same three texts has the same result.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gitplan {

// Lines merged as git merges them; nothing: a conflict.
using MergeLines = std::function<std::optional<std::string>(
    std::string_view base, std::string_view ours, std::string_view theirs)>;

struct MergedText {
  std::string text;
  std::string conflict;  // what both changed, for people: "task 'parser', key 'run'"; empty: merged
};

// Where only one side changed a key, it has its word; so has a key or a task that one side added or
// took away. What both changed alike is no conflict. The order is that of `ours`. Whether the
// result is a plan is for the caller to ask (parse_plan()).
MergedText merge_definitions(std::string_view base, std::string_view ours, std::string_view theirs,
                             const MergeLines& merge_lines);

}  // namespace gitplan
