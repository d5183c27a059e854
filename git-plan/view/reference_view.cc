#include "git-plan/view/reference_view.h"

#include <nlohmann/json.hpp>

#include "git-plan/view/table.h"
#include "git-plan/view/time_ago.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using nlohmann::ordered_json;

std::string as_written(const CheckedReference& reference) {
  const Reference& written = reference.mention.reference;
  return with_lines(written.path, written.first_line, written.last_line);
}

std::string percent_the_same(int similarity) {
  return similarity < 0 ? std::string() : " (" + std::to_string(similarity) + " % the same)";
}

// "src/b.c (92 % the same), src/c.c (60 % the same)"
std::string places(const std::vector<OtherPlace>& others, std::string_view but) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> words;
  for (const OtherPlace& other : others)
    if (other.path != but && words.size() < kNamed)
      words.push_back(other.path + percent_the_same(other.similarity));
  return joined(words);
}

std::string content_words(const CheckedReference& reference) {
  const Traced& now = reference.now;
  if (now.lines_gone) return "its lines are gone";
  if (!reference.suggestion.empty()) {
    std::string words = "its lines are now at " + reference.suggestion;
    if (now.changed_percent > 0)
      words += " (" + std::to_string(now.changed_percent) + " % of them changed)";
    return words;
  }
  if (now.changed_percent < 0) return "changed, nobody can say how much";
  return std::to_string(now.changed_percent) + " % of it changed";
}

std::string main_words(const CheckedReference& reference) {
  const Traced& now = reference.now;
  const std::string& path = reference.mention.reference.path;
  switch (reference.state) {
    case Staleness::kFresh: return "as it was noted";
    case Staleness::kContent: return content_words(reference);
    case Staleness::kExists: return "is there already";
    case Staleness::kRenamed: {
      std::string words = (reference.certain ? "renamed to " : "perhaps renamed to ") +
                          reference.suggestion + percent_the_same(now.similarity);
      if (now.lines_gone) words += ", without its lines";
      if (const std::string others = places(now.others, now.path); !others.empty())
        words += ", or to " + others;
      return words;
    }
    case Staleness::kDeleted: {
      std::string words = "deleted";
      if (!now.others.empty() && now.others.front().path == path)
        words += ", something else has its place";
      if (const std::string others = places(now.others, path); !others.empty())
        words += ", perhaps taken over by " + others;
      return words;
    }
  }
  return {};
}

}  // namespace

std::string what_became_of(const CheckedReference& reference, Millis now) {
  const Traced& traced = reference.now;
  std::string words = main_words(reference);
  if (traced.by.empty()) return words;
  words += (reference.state == Staleness::kContent ? ", last by " : " by ") + short_id(traced.by);
  if (!traced.author.empty()) words += ", " + traced.author;
  if (traced.when > 0) words += ", " + time_ago(traced.when, now);
  if (!traced.subject.empty()) words += ": " + traced.subject;
  return words;
}

std::string references_text(const Output& out, const CheckedReferences& found, Millis now) {
  Table table({"", "", "", ""});
  for (const CheckedReference& reference : found.all) {
    if (!reference.stale()) continue;
    const bool hard = reference.state == Staleness::kDeleted;
    const Reference& written = reference.mention.reference;
    table.row({{"plan.md:" + std::to_string(written.position.line), Style::kDim},
               {as_written(reference), Style::kPlain},
               {written.task.empty() ? "" : "(" + written.task + ")", Style::kDim},
               {what_became_of(reference, now), hard ? Style::kBad : Style::kWarn}});
  }
  return table.render(out);
}

ordered_json reference_json(std::string_view plan, const CheckedReference& reference) {
  const Reference& written = reference.mention.reference;
  const Traced& now = reference.now;
  const auto text = [](const std::string& words) {
    return words.empty() ? ordered_json(nullptr) : ordered_json(words);
  };
  const auto percent = [](int value) {
    return value < 0 ? ordered_json(nullptr) : ordered_json(value);
  };
  auto others = ordered_json::array();
  for (const OtherPlace& other : now.others)
    others.push_back({{"path", other.path}, {"similarity", percent(other.similarity)}});
  ordered_json lines = nullptr;
  if (written.first_line > 0) lines = {{"first", written.first_line}, {"last", written.last_line}};
  return {{"plan", plan},
          {"task", text(written.task)},
          {"path", written.path},
          {"lines", std::move(lines)},
          {"line", written.position.line},
          {"column", written.position.column},
          {"state", name(reference.state)},
          {"suggestion", text(reference.suggestion)},
          {"certain", reference.certain},
          {"similarity", percent(now.similarity)},
          {"changed_percent", percent(now.changed_percent)},
          {"others", std::move(others)},
          {"by", text(now.by)},
          {"author", text(now.author)},
          {"subject", text(now.subject)}};
}

}  // namespace gitplan
