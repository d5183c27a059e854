#include "core/plan/yaml_span.h"

#include <algorithm>

#include "core/plan/yaml_scan.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

bool is_space(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::size_t YamlSpans::key_end(const YamlNode& key) const {
  const std::size_t at = skip_properties(yaml_, key.offset);
  if (at >= yaml_.size()) return yaml_.size();
  if (key.alias) return std::min(yaml_.find_first_of(" \t\r\n", at), yaml_.size());
  if (!key.plain && (yaml_[at] == '"' || yaml_[at] == '\'')) return quoted_end(yaml_, at);
  return at + key.text.size();
}

std::optional<std::size_t> YamlSpans::after_colon(const YamlEntry& entry) const {
  std::size_t at = key_end(*entry.key);
  while (at < yaml_.size() && is_space(yaml_[at])) ++at;
  if (at >= yaml_.size() || yaml_[at] != ':') return std::nullopt;
  return at + 1;
}

YamlEntry YamlSpans::entry_at(const YamlNode& mapping, std::size_t index, std::size_t limit) const {
  YamlEntry entry{&mapping, mapping.items[index], mapping.items[index + 1], limit};
  if (index + 2 < mapping.items.size()) {
    const std::size_t next = mapping.items[index + 2]->offset;
    entry.limit = mapping.flow ? next : line_start(yaml_, next);
  }
  return entry;
}

std::optional<YamlEntry> YamlSpans::entry(const YamlNode& mapping, std::string_view key,
                                          std::size_t limit) const {
  if (!mapping.is(Kind::kMapping)) return std::nullopt;
  for (std::size_t i = 0; i + 1 < mapping.items.size(); i += 2)
    if (mapping.items[i]->is(Kind::kScalar) && mapping.items[i]->text == key)
      return entry_at(mapping, i, limit);
  return std::nullopt;
}

YamlItem YamlSpans::item_at(const YamlNode& list, std::size_t index, std::size_t limit) const {
  YamlItem item{&list, list.items[index], index, limit};
  if (index + 1 < list.items.size()) {
    const YamlNode& next = *list.items[index + 1];
    item.limit = list.flow ? next.offset : line_start(yaml_, dash(next));
  }
  return item;
}

// Back over blanks, and over lines that are empty or comments where the '-' stands alone.
std::size_t YamlSpans::dash(const YamlNode& item) const {
  std::size_t at = std::min(item.offset, yaml_.size());
  while (at > 0) {
    const std::size_t start = line_start(yaml_, at);
    std::string_view before = yaml_.substr(start, at - start);
    if (const auto comment = before.find('#');
        comment != std::string_view::npos && (comment == 0 || is_space(before[comment - 1])))
      before = before.substr(0, comment);
    const auto last = before.find_last_not_of(" \t\r");
    if (last != std::string_view::npos) return start + last;
    if (start == 0) break;
    at = start - 1;
  }
  return 0;
}

bool YamlSpans::is_absent(const YamlNode& value, std::size_t limit) const {
  if (!value.is(Kind::kNull) || value.alias) return false;
  if (value.offset >= limit || value.offset >= yaml_.size()) return true;
  return std::string_view("~nN&!").find(yaml_[value.offset]) == std::string_view::npos;
}

std::size_t YamlSpans::end(const YamlEntry& entry) const {
  if (is_absent(*entry.value, entry.limit)) return after_colon(entry).value_or(key_end(*entry.key));
  return value_end(*entry.value, entry.limit, entry.mapping->items[0]->column, entry.mapping->flow);
}

std::size_t YamlSpans::end(const YamlItem& item) const {
  if (is_absent(*item.value, item.limit))
    return item.list->flow ? item.value->offset : dash(*item.value) + 1;
  int column = 0;
  if (!item.list->flow) {
    const std::size_t at = dash(*item.list->items[0]);
    column = static_cast<int>(at - line_start(yaml_, at));
  }
  return value_end(*item.value, item.limit, column, item.list->flow);
}

std::size_t YamlSpans::value_end(const YamlNode& value, std::size_t limit, int parent_column,
                                 bool in_flow) const {
  const bool collection = value.is(Kind::kSequence) || value.is(Kind::kMapping);
  if (value.alias) {
    const std::size_t stop = yaml_.find_first_of(in_flow ? " \t\r\n,]}" : " \t\r\n", value.offset);
    return std::min(stop, yaml_.size());
  }
  if (collection && value.flow) return flow_end(value, limit);
  if (collection && !value.items.empty())
    return value.is(Kind::kMapping) ? end(entry_at(value, value.items.size() - 2, limit))
                                    : end(item_at(value, value.items.size() - 1, limit));
  const std::size_t at = skip_properties(yaml_, value.offset);
  if (at >= limit) return limit;
  const char first = yaml_[at];
  if (first == '"' || first == '\'') return std::min(quoted_end(yaml_, at), yaml_.size());
  if (!in_flow && (first == '|' || first == '>'))
    return block_scalar_end(yaml_, at, limit, parent_column);
  return plain_end(yaml_, at, limit, in_flow);
}

std::size_t YamlSpans::flow_end(const YamlNode& value, std::size_t limit) const {
  const std::size_t open = skip_properties(yaml_, value.offset);
  const bool has_bracket = open < yaml_.size() && (yaml_[open] == '[' || yaml_[open] == '{');
  std::size_t at = has_bracket ? open + 1 : value.offset;
  if (!value.items.empty())
    at = value.is(Kind::kMapping) ? end(entry_at(value, value.items.size() - 2, limit))
                                  : end(item_at(value, value.items.size() - 1, limit));
  // "[key: value]" has a mapping without brackets of its own.
  const bool pair = value.is(Kind::kMapping) && !(has_bracket && yaml_[open] == '{');
  if (pair) return at;
  for (at = skip_blanks(yaml_, at); at < yaml_.size(); at = skip_blanks(yaml_, at + 1))
    if (yaml_[at] == ']' || yaml_[at] == '}') return at + 1;
  return std::min(limit, yaml_.size());
}

}  // namespace gitplan
