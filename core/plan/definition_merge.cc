#include "core/plan/definition_merge.h"

#include <algorithm>
#include <vector>

#include "core/plan/plan_text.h"
#include "core/plan/yaml_scan.h"
#include "core/plan/yaml_tree.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

// A run of whole lines that belongs to one key, or to one item of a list.
struct Part {
  std::string name;
  std::string_view text;
  const YamlNode* value = nullptr;
};

// What lies between two bytes of a front matter, cut into parts: lines before the first, then each.
struct Parts {
  std::string_view head;
  std::vector<Part> parts;

  const Part* find(std::string_view name) const {
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const Part& part) { return part.name == name; });
    return found == parts.end() ? nullptr : &*found;
  }
};

// The first line of the comments that stand right above a line belong to it.
std::size_t with_comments_above(std::string_view yaml, std::size_t start, std::size_t floor) {
  while (start > floor) {
    const std::size_t above = line_start(yaml, start - 1);
    if (above < floor) break;
    const std::string_view line = yaml.substr(above, start - above);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] != '#') break;
    start = above;
  }
  return start;
}

bool unique_names(const std::vector<Part>& parts) {
  std::vector<std::string_view> names;
  for (const Part& part : parts) names.push_back(part.name);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

// Nothing where its lines cannot be told apart: written in brackets, by an alias, two on a line.
std::optional<Parts> cut(std::string_view yaml, const std::vector<Part>& names_and_starts,
                         const std::vector<std::size_t>& starts, std::string_view whole) {
  if (starts.empty()) return std::nullopt;
  const std::size_t begin = static_cast<std::size_t>(whole.data() - yaml.data());
  const std::size_t end = begin + whole.size();
  Parts result;
  std::vector<std::size_t> lines;
  for (const std::size_t start : starts) {
    const std::size_t floor = lines.empty() ? begin : next_line(yaml, lines.back());
    const std::size_t line = line_start(yaml, start);
    if (line < floor && !lines.empty()) return std::nullopt;
    lines.push_back(with_comments_above(yaml, std::max(line, begin), floor));
  }
  if (lines.front() < begin || lines.back() >= end) return std::nullopt;
  result.head = yaml.substr(begin, lines.front() - begin);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t to = i + 1 < lines.size() ? lines[i + 1] : end;
    Part part = names_and_starts[i];
    part.text = yaml.substr(lines[i], to - lines[i]);
    result.parts.push_back(std::move(part));
  }
  if (!unique_names(result.parts)) return std::nullopt;
  return result;
}

std::optional<Parts> parts_of(std::string_view yaml, const YamlNode& node, std::string_view whole) {
  if (node.flow || node.alias) return std::nullopt;
  std::vector<Part> parts;
  std::vector<std::size_t> starts;
  if (node.is(Kind::kMapping)) {
    for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
      parts.push_back({node.items[i]->text, {}, node.items[i + 1]});
      starts.push_back(node.items[i]->offset);
    }
  } else if (node.is(Kind::kSequence)) {
    for (const YamlNode* item : node.items) {
      const YamlNode* name = item->is(Kind::kMapping) ? item->find("name") : nullptr;
      if (name == nullptr || !name->is(Kind::kScalar)) return std::nullopt;
      parts.push_back({name->text, {}, item});
      starts.push_back(item->items.empty() ? item->offset : item->items.front()->offset);
    }
  }
  return cut(yaml, parts, starts, whole);
}

struct Side {
  std::string_view yaml;
  const YamlNode* node = nullptr;  // null: there is none on this side
  std::string_view text;           // its lines
};

class FrontMatterMerge {
 public:
  std::string merge(const Side& base, const Side& ours, const Side& theirs,
                    const std::string& where) {
    if (ours.text == theirs.text || theirs.text == base.text) return std::string(ours.text);
    if (ours.text == base.text) return std::string(theirs.text);
    // What both added is merged as well.
    const auto b = base.node == nullptr ? std::optional<Parts>(Parts{}) : parts(base);
    const auto o = parts(ours), t = parts(theirs);
    if (!b || !o || !t || !same_shape(*b, *o, *t)) return both(where, ours);
    std::string merged = merge_text(b->head, o->head, t->head, where, ours);
    for (const std::string& name : order(*o, *t))
      merged += merge_part(name, base, ours, theirs, *b, *o, *t, where);
    return merged;
  }
  const std::string& conflict() const { return conflict_; }

 private:
  static std::optional<Parts> parts(const Side& side) {
    if (side.node == nullptr) return std::nullopt;
    return parts_of(side.yaml, *side.node, side.text);
  }
  // The dash of an item stands on the line of its first key, which has to stay the first.
  static bool same_shape(const Parts& b, const Parts& o, const Parts& t) {
    const auto dashed = [](const Parts& parts) {
      if (parts.parts.empty()) return false;
      const std::string_view line = parts.parts.front().text;
      const std::size_t first = line.find_first_not_of(" \t");
      return first != std::string_view::npos && line.substr(first).starts_with("- ");
    };
    if (!dashed(b) && !dashed(o) && !dashed(t)) return true;
    return o.parts.front().name == t.parts.front().name &&
           (b.parts.empty() || o.parts.front().name == b.parts.front().name);
  }

  // Ours, and what only they have behind what it stands behind there.
  static std::vector<std::string> order(const Parts& ours, const Parts& theirs) {
    std::vector<std::string> names;
    for (const Part& part : ours.parts) names.push_back(part.name);
    auto at = names.begin();
    for (const Part& part : theirs.parts) {
      const auto known = std::find(names.begin(), names.end(), part.name);
      at = known == names.end() ? names.insert(at, part.name) : known;
      ++at;
    }
    return names;
  }

  std::string merge_part(const std::string& name, const Side& base, const Side& ours,
                         const Side& theirs, const Parts& b, const Parts& o, const Parts& t,
                         const std::string& where) {
    const Part *in_base = b.find(name), *in_ours = o.find(name), *in_theirs = t.find(name);
    const auto side = [](const Side& of, const Part* part) {
      return part == nullptr ? Side{of.yaml, nullptr, {}} : Side{of.yaml, part->value, part->text};
    };
    const bool item = ours.node->is(Kind::kSequence);
    const std::string here =
        where + (where.empty() ? "" : ", ") + (item ? "task '" : "key '") + name + "'";
    return merge(side(base, in_base), side(ours, in_ours), side(theirs, in_theirs), here);
  }

  std::string merge_text(std::string_view base, std::string_view ours, std::string_view theirs,
                         const std::string& where, const Side& side) {
    if (ours == theirs || theirs == base) return std::string(ours);
    if (ours == base) return std::string(theirs);
    return both(where, side);
  }

  std::string both(const std::string& where, const Side& ours) {
    if (conflict_.empty()) conflict_ = where.empty() ? "the front matter" : where;
    return std::string(ours.text);
  }

  std::string conflict_;
};

}  // namespace

MergedText merge_definitions(std::string_view base, std::string_view ours, std::string_view theirs,
                             const MergeLines& merge_lines) {
  if (ours == theirs || theirs == base) return {std::string(ours), ""};
  if (ours == base) return {std::string(theirs), ""};
  const PlanText b = split_plan(base), o = split_plan(ours), t = split_plan(theirs);
  const auto read = [](const PlanText& text) {
    return text.has_front_matter && text.closed ? read_yaml(text.yaml, text.yaml_line)
                                                : Result<YamlTree>(YamlTree{});
  };
  const auto base_tree = read(b), our_tree = read(o), their_tree = read(t);
  MergedText merged;
  if (!base_tree || !our_tree || !their_tree) return {std::string(ours), "the front matter"};
  FrontMatterMerge front;
  const std::string yaml =
      front.merge({b.yaml, base_tree->root, b.yaml}, {o.yaml, our_tree->root, o.yaml},
                  {t.yaml, their_tree->root, t.yaml}, "");
  merged.conflict = front.conflict();
  const auto body = merge_lines(b.body, o.body, t.body);
  if (!body && merged.conflict.empty()) merged.conflict = "the text";
  const PlanText& shape = o.has_front_matter ? o : t;
  if (shape.has_front_matter) {
    const std::string line_end(shape.line_end);
    merged.text = "---" + line_end + yaml + "---" + line_end;
  }
  merged.text += body.value_or(std::string(o.body));
  return merged;
}

}  // namespace gitplan
