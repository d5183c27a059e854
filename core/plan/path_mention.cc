#include "core/plan/path_mention.h"

#include <algorithm>

#include "core/plan/markdown.h"
#include "core/plan/path_rules.h"

namespace gitplan {
namespace {

constexpr std::string_view kBlank = " \t";
constexpr std::string_view kTrailing = ".,;:!?)";  // punctuation after a path in a sentence

std::size_t digits_at(std::string_view text, std::size_t at) {
  const auto end = std::min(text.find_first_not_of("0123456789", at), text.size());
  return end - at <= 9 ? end - at : 0;
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
PathMention path_at(std::string_view line, std::size_t at) {
  if (at >= line.size()) return {};
  if (line[at] == '`')
    for (const auto& span : code_spans(line.substr(at)))
      return path_mention(span.text, at + span.at);
  std::string_view word = line.substr(at, line.find_first_of(kBlank, at) - at);
  while (!word.empty() && kTrailing.find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return path_mention(word, at);
}

bool looks_like_path(std::string_view text) {
  return text.find('/') != std::string_view::npos && text.find("//") == std::string_view::npos &&
         !path_fault(text);
}

}  // namespace

PathMention path_mention(std::string_view text, std::size_t at) {
  PathMention mention{std::string(text), 0, 0, at, text.size()};
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
  return {std::string(text.substr(0, colon)), line, std::max(line, last), at, text.size()};
}

std::vector<PathMention> words_of(std::string_view line) {
  std::vector<PathMention> words;
  const auto spans = code_spans(line);
  for (const auto& span : spans) words.push_back(path_mention(span.text, span.at));
  for (std::size_t at = line.find_first_not_of(kBlank); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    std::string_view word = line.substr(at, end - at);
    std::size_t start = at;
    while (!word.empty() && word.front() == '(') word.remove_prefix(1), ++start;
    while (!word.empty() && kTrailing.find(word.back()) != std::string_view::npos)
      word.remove_suffix(1);
    if (!word.empty() && word.find('`') == std::string_view::npos)
      words.push_back(path_mention(word, start));
    at = line.find_first_not_of(kBlank, end);
  }
  return words;
}

std::optional<ChangeLine> change_line(std::string_view line) {
  const std::size_t at = item_text(line);
  if (at == 0 || line[at] != '[') return std::nullopt;
  const auto close = line.find(']', at);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string action(line.substr(at + 1, close - at - 1));
  if (action != "modify" && action != "create" && action != "delete") return std::nullopt;
  PathMention mention =
      path_at(line, std::min(line.find_first_not_of(kBlank, close + 1), line.size()));
  if (path_fault(mention.path)) return std::nullopt;
  return ChangeLine{action, std::move(mention)};
}

bool is_literal_path(std::string_view pathspec) {
  return pathspec.find_first_of("*?[") == std::string_view::npos;
}

bool is_known_path(const PathMention& mention, const PathExists& exists) {
  return !path_fault(mention.path) && exists(normal_path(mention.path));
}

std::vector<BodyMention> body_mentions(const Plan& plan, const PathExists& exists) {
  std::vector<BodyMention> found;
  for_each_line(plan.body, plan.body_line, [&](const MarkdownLine& line) {
    if (line.section == "changes")
      if (auto change = change_line(line.text))
        found.push_back({std::move(change->mention), std::move(change->action), line.number});
    if (line.section == "reuse" && item_text(line.text) > 0) {
      PathMention first = path_at(line.text, item_text(line.text));
      if (looks_like_path(first.path) && is_literal_path(first.path))
        found.push_back({std::move(first), "", line.number});
      for (auto& word : words_of(line.text))
        if (is_known_path(word, exists)) found.push_back({std::move(word), "", line.number});
    }
    for (const auto& span : code_spans(line.text)) {
      PathMention mention = path_mention(span.text, span.at);
      if (is_known_path(mention, exists)) found.push_back({std::move(mention), "", line.number});
    }
  });
  return found;
}

}  // namespace gitplan
