#include "core/engine/question_words.h"

#include <algorithm>

namespace gitplan {
namespace {

std::string lines_of(const Side& side) {
  std::string text;
  for (const auto& range : side.lines) {
    if (!text.empty()) text += ", ";
    text += std::to_string(range.first);
    if (range.last > range.first) text += "-" + std::to_string(range.last);
  }
  return text.empty() ? ""
                      : (side.lines.size() == 1 && side.lines[0].first == side.lines[0].last
                             ? "line " + text
                             : "lines " + text);
}

std::string described(const Conflict& conflict) {
  std::string text = conflict.path;
  // The two that need no word: the question around it says what they are.
  if (conflict.kind != "content" && conflict.kind != "dirty" && !conflict.kind.empty())
    text += " (" + conflict.kind + ")";
  std::string sides;
  for (const auto& side : conflict.sides) {
    const std::string who = side.who == "user" ? "you" : quoted(side.who);
    sides += (sides.empty() ? "" : "; ") + (side.deleted ? "deleted by " + who : who);
    if (const std::string lines = lines_of(side); !lines.empty()) sides += " " + lines;
  }
  if (!sides.empty()) text += ": " + sides;
  return text;
}

}  // namespace

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += quoted(names[i]);
  }
  return text;
}

std::string all_described(const std::vector<Conflict>& conflicts) {
  constexpr std::size_t kNamed = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, conflicts.size()); ++i) {
    if (i > 0) text += "\n";
    text += described(conflicts[i]);
  }
  if (conflicts.size() > kNamed)
    text += "\nand " + std::to_string(conflicts.size() - kNamed) + " more files";
  return text;
}

std::vector<std::string> parties(const std::vector<Conflict>& conflicts, std::string_view but) {
  std::vector<std::string> found;
  for (const auto& conflict : conflicts)
    for (const auto& side : conflict.sides)
      if (side.who != "user" && side.who != but &&
          std::find(found.begin(), found.end(), side.who) == found.end())
        found.push_back(side.who);
  return found;
}

std::string first_few(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 5;
  if (names.size() <= kNamed) return listed(names);
  return listed({names.begin(), names.begin() + static_cast<long>(kNamed)}) + " and " +
         std::to_string(names.size() - kNamed) + " more";
}

std::string impact_of(const std::vector<std::string>& blocked) {
  if (blocked.empty()) return "No other task waits for it; independent tasks go on.";
  return "Blocked: " + first_few(blocked) + ". Independent tasks go on.";
}

DecisionOption abort_option() {
  return {"abort", "end the plan here; everything done is kept", ""};
}

}  // namespace gitplan
