#include "core/plan/mentions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/plan/markdown.h"
#include "core/plan/plan_file.h"
#include "core/plan/plan_text.h"
#include "core/plan/yaml_scan.h"
#include "core/plan/yaml_span.h"
#include "core/plan/yaml_write.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

class Finder {
 public:
  Finder(std::string_view text, const Plan& plan, const PathExists& exists)
      : parts_(split_plan(text)), plan_(plan), exists_(exists), spans_(parts_.yaml) {
    for (std::size_t at = 0; at < text.size(); at = next_line(text, at)) lines_.push_back(at);
  }

  std::vector<Mention> find() {
    if (!plan_.tasks().empty()) in_tasks();
    for (auto& [mention, action, line] : body_mentions(plan_, exists_)) {
      const std::size_t start = lines_[static_cast<std::size_t>(line) - 1];
      add({reference_of(mention, std::move(action), "", {}), start + mention.at, mention.length});
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Mention& a, const Mention& b) {
      const Position &left = a.reference.position, &right = b.reference.position;
      return std::pair(left.line, left.column) < std::pair(right.line, right.column);
    });
    return std::move(found_);
  }

 private:
  // A Changes line names its path for two reasons: as such, and by its code span.
  void add(Mention mention) {
    if (mention.length > 0) {
      if (!places_.insert(mention.at).second) return;
      mention.reference.position = position(mention.at);
    }
    found_.push_back(std::move(mention));
  }

  Position position(std::size_t at) const {
    const auto line = std::upper_bound(lines_.begin(), lines_.end(), at) - 1;
    return {static_cast<int>(line - lines_.begin()) + 1, static_cast<int>(at - *line) + 1};
  }

  void in_tasks() {
    const auto tree = read_yaml(parts_.yaml, parts_.yaml_line);
    const auto orchestration = spans_.entry(*tree->root, "orchestration", parts_.yaml.size());
    std::optional<YamlEntry> tasks;
    if (orchestration && !orchestration->value->alias)
      tasks = spans_.entry(*orchestration->value, "tasks", orchestration->limit);
    const bool plain = tasks && tasks->value->is(Kind::kSequence) && !tasks->value->alias;
    for (std::size_t i = 0; i < plan_.tasks().size(); ++i) {
      std::optional<YamlEntry> files, description;
      if (plain) {
        const YamlItem item = spans_.item_at(*tasks->value, i, tasks->limit);
        if (!item.value->alias) {
          files = spans_.entry(*item.value, "files", item.limit);
          description = spans_.entry(*item.value, "description", item.limit);
        }
      }
      in_files(plan_.tasks()[i], files);
      in_description(plan_.tasks()[i], description);
    }
  }

  void in_files(const Task& task, const std::optional<YamlEntry>& entry) {
    std::vector<Mention> places(task.files.size());
    if (entry && !entry->value->alias && entry->value->is(Kind::kSequence) &&
        entry->value->items.size() == task.files.size()) {
      for (std::size_t i = 0; i < task.files.size(); ++i) {
        const YamlItem item = spans_.item_at(*entry->value, i, entry->limit);
        if (!item.value->alias)
          places[i] = whole(item.value->offset, spans_.end(item), item.list->flow);
      }
    } else if (entry && !entry->value->alias && entry->value->is(Kind::kScalar) &&
               task.files.size() == 1) {
      places[0] = whole(entry->value->offset, spans_.end(*entry), entry->mapping->flow);
    }
    for (std::size_t i = 0; i < task.files.size(); ++i) {
      if (!is_file_reference(task.files[i], exists_)) continue;
      places[i].reference =
          reference_of({task.files[i]}, "", task.name, key_position(task, "files"));
      add(std::move(places[i]));
    }
  }

  Mention whole(std::size_t begin, std::size_t end, bool in_flow) const {
    begin = skip_properties(parts_.yaml, begin);
    return {{}, parts_.yaml_at + begin, end - begin, true, in_flow};
  }

  // Code spans are looked for in the text as it is written, line by line; one that YAML writes
  // otherwise (escaped, folded) is known, and has no place.
  void in_description(const Task& task, const std::optional<YamlEntry>& entry) {
    std::multiset<std::string> open;
    const auto key = [](const PathMention& one) {
      return one.path + ':' + std::to_string(one.first_line) + '-' + std::to_string(one.last_line);
    };
    std::map<std::string, PathMention> known;
    for (const auto& span : code_spans(task.description)) {
      PathMention mention = path_mention(span.text, span.at);
      if (!is_known_path(mention, exists_)) continue;
      open.insert(key(mention));
      known.emplace(key(mention), std::move(mention));
    }
    if (open.empty()) return;
    const Position fallback = key_position(task, "description");
    if (entry && !entry->value->alias) {
      const std::size_t end = spans_.end(*entry);
      for (std::size_t at = entry->value->offset; at < end; at = next_line(parts_.yaml, at)) {
        const std::string_view line =
            parts_.yaml.substr(at, std::min(line_end(parts_.yaml, at), end) - at);
        for (const auto& span : code_spans(line)) {
          const PathMention mention = path_mention(span.text, span.at);
          const auto one = open.find(key(mention));
          if (one == open.end()) continue;
          open.erase(one);
          add({reference_of(mention, "", task.name, {}), parts_.yaml_at + at + mention.at,
               mention.length});
        }
      }
    }
    for (const std::string& left : open)
      add({reference_of(known.at(left), "", task.name, fallback)});
  }

  PlanText parts_;
  const Plan& plan_;
  const PathExists& exists_;
  YamlSpans spans_;
  std::vector<std::size_t> lines_;  // where each starts
  std::set<std::size_t> places_;
  std::vector<Mention> found_;
};

std::string with_lines(const std::string& path, int first, int last) {
  if (first == 0) return path;
  std::string text = path + ":" + std::to_string(first);
  if (last > first) text += "-" + std::to_string(last);
  return text;
}

// "src/" and "'src/'"
bool is_folder(std::string_view written) {
  const auto last = written.find_last_not_of("'\"");
  return last != std::string_view::npos && written[last] == '/';
}

bool same(const Reference& a, const Reference& b) {
  return a.path == b.path && a.first_line == b.first_line && a.last_line == b.last_line &&
         a.action == b.action && a.task == b.task;
}

}  // namespace

std::vector<Mention> mentions_of(std::string_view text, const Plan& plan,
                                 const PathExists& exists) {
  return Finder(text, plan, exists).find();
}

Result<std::string> replace_mentions(std::string_view text, const std::vector<Mention>& mentions,
                                     const std::vector<Replacement>& replacements) {
  std::vector<Reference> wanted;
  std::set<std::string, std::less<>> paths;
  for (const Mention& mention : mentions) wanted.push_back(mention.reference);
  std::map<std::size_t, std::string> written;  // by mention, in the order of the text
  for (const Replacement& one : replacements) {
    const Mention& mention = mentions[one.mention];
    Reference& reference = wanted[one.mention];
    if (mention.length == 0)
      return error(
          ErrorCode::kInvalid,
          fmt::format("line {}: '{}' is written in a form that cannot be changed by itself",
                      reference.position.line, reference.path),
          "change it in an editor");
    const bool folder = is_folder(text.substr(mention.at, mention.length));
    const std::string text_now =
        with_lines(one.path + (folder ? "/" : ""), one.first_line, one.last_line);
    written[one.mention] = mention.yaml ? write_text(text_now, mention.in_flow) : text_now;
    reference.path = one.path;
    reference.first_line = one.first_line;
    reference.last_line = std::max(one.first_line, one.last_line);
  }
  std::string result;
  std::size_t done = 0;
  for (const auto& [index, replaced] : written) {
    result += text.substr(done, mentions[index].at - done);
    result += replaced;
    done = mentions[index].at + mentions[index].length;
  }
  result += text.substr(done);

  for (const Reference& reference : wanted) paths.insert(reference.path);
  const auto parsed = parse_plan(result);
  std::vector<Mention> now;
  if (parsed)
    now = mentions_of(result, parsed->plan, [&](std::string_view path) {
      return paths.contains(path.ends_with('/') ? path.substr(0, path.size() - 1) : path);
    });
  const bool as_wanted = parsed && std::equal(now.begin(), now.end(), wanted.begin(), wanted.end(),
                                              [](const Mention& a, const Reference& b) {
                                                return same(a.reference, b);
                                              });
  if (!as_wanted)
    return error(ErrorCode::kInvalid, "the new paths cannot be written where the old ones stand",
                 "change them in an editor");
  return result;
}

}  // namespace gitplan
