#include "core/plan/references.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/plan/markdown.h"
#include "core/plan/path_mention.h"
#include "core/plan/path_rules.h"

namespace gitplan {
namespace {

// A path that is said twice for the same task is one reference; an action is not lost.
class Collector {
 public:
  void add(Reference reference) {
    const std::string key = reference.path + '\0' + std::to_string(reference.first_line) + '-' +
                            std::to_string(reference.last_line) + '\0' + reference.task;
    const auto [known, fresh] = seen_.emplace(key, found_.size());
    if (fresh) {
      found_.push_back(std::move(reference));
      return;
    }
    Reference& earlier = found_[known->second];
    if (earlier.action.empty()) earlier.action = std::move(reference.action);
  }

  std::vector<Reference> take() { return std::move(found_); }

 private:
  std::vector<Reference> found_;
  std::unordered_map<std::string, std::size_t> seen_;
};

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

}  // namespace

Position key_position(const Task& task, const char* key) {
  const auto found = task.keys.find(key);
  return found == task.keys.end() ? task.position : found->second;
}

bool is_file_reference(std::string_view path, const PathExists& exists) {
  return path != "." && (is_literal_path(path) || exists(path));
}

Reference reference_of(const PathMention& mention, std::string action, std::string task,
                       Position position) {
  std::string path = normal_path(mention.path);
  if (path.size() > 1 && path.back() == '/') path.pop_back();
  return {std::move(path),   mention.first_line, mention.last_line,
          std::move(action), std::move(task),    position};
}

std::vector<Reference> references_of(const Plan& plan, const PathExists& exists, const Task* only) {
  Collector collector;
  for (const auto& task : plan.tasks()) {
    if (only != nullptr && only->name != task.name) continue;
    for (const auto& path : task.files)
      if (is_file_reference(path, exists))
        collector.add(reference_of({path}, "", task.name, key_position(task, "files")));
    for (const auto& span : code_spans(task.description)) {
      const PathMention mention = path_mention(span.text, span.at);
      if (is_known_path(mention, exists))
        collector.add(reference_of(mention, "", task.name, key_position(task, "description")));
    }
  }
  for (auto& [mention, action, line] : body_mentions(plan, exists))
    collector.add(
        reference_of(mention, std::move(action), "", {line, static_cast<int>(mention.at) + 1}));
  auto found = collector.take();
  std::stable_sort(found.begin(), found.end(), [](const Reference& a, const Reference& b) {
    return std::pair(a.position.line, a.position.column) <
           std::pair(b.position.line, b.position.column);
  });
  return found;
}

std::vector<std::string> scope_of(const Plan& plan, const Task& task, const PathExists& exists) {
  if (!task.files.empty()) return task.files;
  std::vector<std::string> scope;
  std::unordered_set<std::string> seen;
  const auto add = [&](const PathMention& mention) {
    std::string path = normal_path(mention.path);
    if (seen.insert(path).second) scope.push_back(std::move(path));
  };
  std::string_view rest = task.description;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    for (const auto& word : words_of(rest.substr(0, end)))
      if (is_known_path(word, exists)) add(word);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  for_each_line(plan.body, plan.body_line, [&](const MarkdownLine& line) {
    if (line.section != "changes") return;
    const auto change = change_line(line.text);
    if (change &&
        names_task(line.text.substr(change->mention.at + change->mention.length), task.name))
      add(change->mention);
  });
  return scope;
}

}  // namespace gitplan
