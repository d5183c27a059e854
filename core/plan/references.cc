#include "core/plan/references.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/plan/markdown.h"
#include "core/plan/path_rules.h"

namespace gitplan {
namespace {

using Exists = std::function<bool(std::string_view)>;

constexpr std::string_view kBlank = " \t";
constexpr std::string_view kTrailing = ".,;:!?)";  // punctuation after a path in a sentence

// "path", "path:12", "path:12-40"; the line numbers are 0 where there are none.
struct Mention {
  std::string path;
  int first_line = 0;
  int last_line = 0;
  std::size_t at = 0;  // its byte in the line
};

std::size_t digits_at(std::string_view text, std::size_t at) {
  const auto end = std::min(text.find_first_not_of("0123456789", at), text.size());
  return end - at <= 9 ? end - at : 0;
}

Mention mention_of(std::string_view text, std::size_t at) {
  Mention mention{std::string(text), 0, 0, at};
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return mention;
  const std::size_t first = digits_at(text, colon + 1);
  if (first == 0) return mention;
  const int line = std::stoi(std::string(text.substr(colon + 1, first)));
  std::size_t end = colon + 1 + first;
  int last = line;
  if (end < text.size() && text[end] == '-') {
    const std::size_t second = digits_at(text, end + 1);
    if (second == 0) return mention;
    last = std::stoi(std::string(text.substr(end + 1, second)));
    end += 1 + second;
  }
  if (end != text.size()) return mention;
  return {std::string(text.substr(0, colon)), line, std::max(line, last), at};
}

// The words of a line that could be paths: code spans whole, the rest without punctuation around.
std::vector<Mention> words_of(std::string_view line) {
  std::vector<Mention> words;
  const auto spans = code_spans(line);
  for (const auto& span : spans) words.push_back(mention_of(span.text, span.at));
  for (std::size_t at = line.find_first_not_of(kBlank); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    std::string_view word = line.substr(at, end - at);
    std::size_t start = at;
    while (!word.empty() && word.front() == '(') word.remove_prefix(1), ++start;
    while (!word.empty() && kTrailing.find(word.back()) != std::string_view::npos)
      word.remove_suffix(1);
    if (!word.empty() && word.find('`') == std::string_view::npos)
      words.push_back(mention_of(word, start));
    at = line.find_first_not_of(kBlank, end);
  }
  return words;
}

// The byte after a list mark ("- ", "* ", "+ ", "• "); 0: the line is no list item.
std::size_t item_text(std::string_view line) {
  std::size_t at = line.find_first_not_of(kBlank);
  if (at == std::string_view::npos) return 0;
  if (line.substr(at).starts_with("•"))
    at += std::string_view("•").size();
  else if (line[at] == '-' || line[at] == '*' || line[at] == '+')
    ++at;
  else
    return 0;
  const auto text = line.find_first_not_of(kBlank, at);
  return text == std::string_view::npos || text == at ? 0 : text;
}

// The path that stands at `at`: a code span, or the text up to the next blank.
Mention path_at(std::string_view line, std::size_t at) {
  if (at >= line.size()) return {};
  if (line[at] == '`')
    for (const auto& span : code_spans(line.substr(at))) return mention_of(span.text, at + span.at);
  std::string_view word = line.substr(at, line.find_first_of(kBlank, at) - at);
  while (!word.empty() && kTrailing.find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return mention_of(word, at);
}

struct Change {
  std::string action;
  Mention mention;
};

// "- [modify] path — why" of the Changes section.
std::optional<Change> change_of(std::string_view line) {
  const std::size_t at = item_text(line);
  if (at == 0 || line[at] != '[') return std::nullopt;
  const auto close = line.find(']', at);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string action(line.substr(at + 1, close - at - 1));
  if (action != "modify" && action != "create" && action != "delete") return std::nullopt;
  Mention mention = path_at(line, std::min(line.find_first_not_of(kBlank, close + 1), line.size()));
  if (path_fault(mention.path)) return std::nullopt;
  return Change{action, std::move(mention)};
}

bool looks_like_path(std::string_view text) {
  return text.find('/') != std::string_view::npos && text.find("//") == std::string_view::npos &&
         !path_fault(text);
}

bool is_literal(std::string_view pathspec) {
  return pathspec.find_first_of("*?[") == std::string_view::npos;
}

class Collector {
 public:
  explicit Collector(const Exists& exists) : exists_(exists) {}

  // A path that is said twice for the same task is one reference; an action is not lost.
  void add(Mention mention, std::string action, const std::string& task, Position position) {
    std::string path = normal_path(mention.path);
    if (path.size() > 1 && path.back() == '/') path.pop_back();
    const std::string key = path + '\0' + std::to_string(mention.first_line) + '-' +
                            std::to_string(mention.last_line) + '\0' + task;
    const auto [known, fresh] = seen_.emplace(key, found_.size());
    if (!fresh) {
      Reference& earlier = found_[known->second];
      if (earlier.action.empty()) earlier.action = std::move(action);
      return;
    }
    found_.push_back({std::move(path), mention.first_line, mention.last_line, std::move(action),
                      task, position});
  }

  bool is_path_of_head(const Mention& mention) const {
    return !path_fault(mention.path) && exists_(normal_path(mention.path));
  }

  void add_code_spans(std::string_view text, const std::string& task, Position position,
                      bool by_column) {
    for (const auto& span : code_spans(text)) {
      Mention mention = mention_of(span.text, span.at);
      if (!is_path_of_head(mention)) continue;
      Position at = position;
      if (by_column) at.column = static_cast<int>(span.at) + 1;
      add(std::move(mention), "", task, at);
    }
  }

  std::vector<Reference> take() { return std::move(found_); }

 private:
  const Exists& exists_;
  std::vector<Reference> found_;
  std::unordered_map<std::string, std::size_t> seen_;
};

void add_body(const Plan& plan, Collector& collector) {
  for_each_line(plan.body, plan.body_line, [&](const MarkdownLine& line) {
    const auto position = [&](const Mention& mention) {
      return Position{line.number, static_cast<int>(mention.at) + 1};
    };
    if (line.section == "changes") {
      if (auto change = change_of(line.text)) {
        const Position at = position(change->mention);
        collector.add(std::move(change->mention), std::move(change->action), "", at);
      }
    }
    if (line.section == "reuse" && item_text(line.text) > 0) {
      Mention first = path_at(line.text, item_text(line.text));
      const Position at = position(first);
      if (looks_like_path(first.path) && is_literal(first.path))
        collector.add(std::move(first), "", "", at);
      for (auto& word : words_of(line.text)) {
        const Position place = position(word);
        if (collector.is_path_of_head(word)) collector.add(std::move(word), "", "", place);
      }
    }
    collector.add_code_spans(line.text, "", {line.number, 0}, true);
  });
}

// A name stands alone: "build" is not named by "rebuild" or "build-docs".
bool names_task(std::string_view line, std::string_view name) {
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '/';
  };
  for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts = at == 0 || (!in_name(line[at - 1]) && line[at - 1] != '.');
    const bool dot_in_word = end + 1 < line.size() && line[end] == '.' && in_name(line[end + 1]);
    if (starts && (end == line.size() || (!in_name(line[end]) && !dot_in_word))) return true;
  }
  return false;
}

Position place(const Task& task, const char* key) {
  const auto found = task.keys.find(key);
  return found == task.keys.end() ? task.position : found->second;
}

}  // namespace

std::vector<Reference> references_of(const Plan& plan, const Exists& exists, const Task* only) {
  Collector collector(exists);
  for (const auto& task : plan.tasks()) {
    if (only != nullptr && only->name != task.name) continue;
    for (const auto& path : task.files)
      if (path != "." && (is_literal(path) || exists(path)))
        collector.add({path, 0, 0, 0}, "", task.name, place(task, "files"));
    collector.add_code_spans(task.description, task.name, place(task, "description"), false);
  }
  add_body(plan, collector);
  auto found = collector.take();
  std::stable_sort(found.begin(), found.end(), [](const Reference& a, const Reference& b) {
    return std::pair(a.position.line, a.position.column) <
           std::pair(b.position.line, b.position.column);
  });
  return found;
}

std::vector<std::string> scope_of(const Plan& plan, const Task& task, const Exists& exists) {
  if (!task.files.empty()) return task.files;
  std::vector<std::string> scope;
  std::unordered_set<std::string> seen;
  const auto add = [&](const Mention& mention) {
    std::string path = normal_path(mention.path);
    if (seen.insert(path).second) scope.push_back(std::move(path));
  };
  const Collector paths(exists);
  std::string_view rest = task.description;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    for (const auto& word : words_of(rest.substr(0, end)))
      if (paths.is_path_of_head(word)) add(word);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  for_each_line(plan.body, plan.body_line, [&](const MarkdownLine& line) {
    if (line.section != "changes") return;
    const auto change = change_of(line.text);
    if (change &&
        names_task(line.text.substr(change->mention.at + change->mention.path.size()), task.name))
      add(change->mention);
  });
  return scope;
}

}  // namespace gitplan
