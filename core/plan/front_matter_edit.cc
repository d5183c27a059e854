#include "core/plan/front_matter_edit.h"

#include <algorithm>

#include "core/plan/input_guard.h"
#include "core/plan/yaml_scan.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

Error invalid(std::vector<Diagnostic> diagnostics) {
  Error result = error(ErrorCode::kInvalid, "the front matter cannot be read",
                       "correct the file in an editor first");
  result.diagnostics = std::move(diagnostics);
  return result;
}

bool same_except(const YamlNode& before, const YamlNode& now, const YamlNode* changed,
                 const FrontMatterEdit::Check& check) {
  if (&before == changed) return check(now);
  if (before.kind != now.kind || before.text != now.text || before.items.size() != now.items.size())
    return false;
  for (std::size_t i = 0; i < before.items.size(); ++i)
    if (!same_except(*before.items[i], *now.items[i], changed, check)) return false;
  return true;
}

}  // namespace

FrontMatterEdit::FrontMatterEdit(std::string before, std::string yaml, std::string after,
                                 std::string line_end, YamlTree tree)
    : before_(std::move(before)),
      after_(std::move(after)),
      text_(std::make_shared<const std::string>(std::move(yaml))),
      yaml_(*text_),
      line_end_(std::move(line_end)),
      tree_(std::move(tree)),
      spans_(yaml_) {}

Result<FrontMatterEdit> FrontMatterEdit::open(std::string_view text) {
  if (auto faults = check_bytes(text); !faults.empty()) return invalid(std::move(faults));
  const PlanText parts = split_plan(text);
  const std::string line_end(parts.line_end);
  if (!parts.has_front_matter) {
    const std::string mark(text.substr(0, parts.body_at));
    return FrontMatterEdit(mark + "---" + line_end, "", "---" + line_end + std::string(parts.body),
                           line_end, YamlTree{});
  }
  if (!parts.closed)
    return error(ErrorCode::kInvalid, "the front matter has no end: no second line of '---'",
                 "close it with a line of '---'");
  if (auto faults = check_yaml_bytes(parts.yaml, parts.yaml_line); !faults.empty())
    return invalid(std::move(faults));
  auto tree = read_yaml(parts.yaml, parts.yaml_line);
  if (!tree) return invalid(std::move(tree.error().diagnostics));
  if (tree->root != nullptr && !tree->root->is(Kind::kNull) && !tree->root->is(Kind::kMapping))
    return error(ErrorCode::kInvalid, "the front matter is no mapping", "write 'key: value' lines");
  return FrontMatterEdit(std::string(text.substr(0, parts.yaml_at)), std::string(parts.yaml),
                         std::string(text.substr(parts.yaml_at + parts.yaml.size())), line_end,
                         std::move(*tree));
}

void FrontMatterEdit::replace(std::size_t begin, std::size_t end, std::string text) {
  changes_.push_back({begin, end, std::move(text)});
}

void FrontMatterEdit::insert_lines(std::size_t at, const std::string& lines) {
  const std::size_t next = next_line(yaml_, at);
  replace(next, next, lines);
}

bool FrontMatterEdit::set_value(const YamlEntry& entry, const std::string& value) {
  const auto colon = spans_.after_colon(entry);
  if (!colon) return false;
  if (spans_.is_absent(*entry.value, entry.limit)) {
    replace(*colon, *colon, " " + value);
    return true;
  }
  const std::size_t start = entry.value->offset;
  const std::size_t end = spans_.end(entry);
  const bool own_lines =
      !entry.mapping->flow && line_start(yaml_, start) > line_start(yaml_, entry.key->offset);
  if (!own_lines) {
    replace(start, end, value);
    return true;
  }
  // The lines of the value go; what is said behind the key or above the value stays.
  replace(*colon, *colon, " " + value);
  replace(line_start(yaml_, start), next_line(yaml_, end), "");
  return true;
}

bool FrontMatterEdit::append_entry(const YamlNode& mapping, std::size_t limit,
                                   const std::string& entry) {
  if (mapping.alias) return false;
  if (mapping.flow) {
    const std::size_t open = skip_properties(yaml_, mapping.offset);
    if (open >= yaml_.size() || yaml_[open] != '{') return false;
    const std::size_t at =
        mapping.items.empty()
            ? open + 1
            : spans_.end(spans_.entry_at(mapping, mapping.items.size() - 2, limit));
    replace(at, at, (mapping.items.empty() ? "" : ", ") + entry);
    return true;
  }
  const std::size_t last = spans_.end(spans_.entry_at(mapping, mapping.items.size() - 2, limit));
  const auto column = static_cast<std::size_t>(mapping.items[0]->column);
  insert_lines(last, std::string(column, ' ') + entry + line_end_);
  return true;
}

Result<std::string> FrontMatterEdit::finish(const YamlNode* changed, const Check& check) const {
  std::vector<Change> changes = changes_;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.begin < b.begin; });
  std::string yaml;
  std::size_t at = 0;
  for (const auto& change : changes) {
    yaml += yaml_.substr(at, change.begin - at);
    yaml += change.text;
    at = change.end;
  }
  yaml += yaml_.substr(at);

  const auto now = read_yaml(yaml);
  const bool empty_before = tree_.root == nullptr || tree_.root->is(Kind::kNull);
  const bool good =
      now && now->root != nullptr &&
      (changed == nullptr || empty_before ? check(*now->root)
                                          : same_except(*tree_.root, *now->root, changed, check));
  if (!good)
    return error(ErrorCode::kInvalid,
                 "this place of the front matter is written in a form that cannot be edited "
                 "without touching other parts",
                 "change it in an editor");
  return before_ + yaml + after_;
}

bool sets_key(const YamlNode* mapping, const YamlNode& now, std::string_view key,
              const YamlNode& wanted) {
  if (!now.is(Kind::kMapping)) return false;
  const std::size_t before = mapping != nullptr ? mapping->items.size() : 0;
  const bool existed = mapping != nullptr && mapping->find(key) != nullptr;
  if (now.items.size() != before + (existed ? 0 : 2)) return false;
  for (std::size_t i = 0; i + 1 < before; i += 2) {
    if (!same_value(*mapping->items[i], *now.items[i])) return false;
    const bool is_key = mapping->items[i]->text == key;
    if (!same_value(is_key ? wanted : *mapping->items[i + 1], *now.items[i + 1])) return false;
  }
  return existed || (now.items[before]->text == key && same_value(wanted, *now.items[before + 1]));
}

}  // namespace gitplan
