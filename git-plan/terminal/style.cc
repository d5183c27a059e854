#include "git-plan/terminal/style.h"

#include <algorithm>
#include <cstdlib>

namespace gitplan {

Style style_of(PlanState state) {
  switch (state) {
    case PlanState::kRunning:
      return Style::kInfo;
    case PlanState::kCompleted:
      return Style::kGood;
    case PlanState::kFailed:
    case PlanState::kAborted:
    case PlanState::kConflicted:
      return Style::kBad;
    case PlanState::kPaused:
    case PlanState::kQueued:
    case PlanState::kInReview:
    case PlanState::kPendingApproval:
      return Style::kWarn;
    case PlanState::kArchived:
    case PlanState::kDeleted:
      return Style::kDim;
    case PlanState::kDraft:
    case PlanState::kActive:
      return Style::kPlain;
  }
  return Style::kPlain;
}

Style style_of(TaskStatus status) {
  switch (status) {
    case TaskStatus::kRunning:
      return Style::kInfo;
    case TaskStatus::kFinished:
    case TaskStatus::kCompleted:
      return Style::kGood;
    case TaskStatus::kFailed:
    case TaskStatus::kTimedOut:
      return Style::kBad;
    case TaskStatus::kQueued:
    case TaskStatus::kCancelled:
      return Style::kWarn;
    case TaskStatus::kSkipped:
      return Style::kDim;
    case TaskStatus::kPending:
      return Style::kPlain;
  }
  return Style::kPlain;
}

std::string time_ago(Millis then, Millis now) {
  struct Unit {
    Millis length, below;  // a value below `below` is said in this unit
    const char* name;
  };
  constexpr Millis kMinute = 60'000, kHour = 60 * kMinute, kDay = 24 * kHour;
  static constexpr Unit kUnits[] = {{kMinute, 90 * kMinute, "minute"},
                                    {kHour, 36 * kHour, "hour"},
                                    {kDay, 14 * kDay, "day"},
                                    {7 * kDay, 70 * kDay, "week"},
                                    {30 * kDay, 365 * kDay, "month"}};
  const Millis age = now - then;
  if (age < kMinute) return "just now";
  for (const Unit& unit : kUnits) {
    if (age >= unit.below) continue;
    const Millis count = std::max<Millis>(1, (age + unit.length / 2) / unit.length);
    return std::to_string(count) + " " + unit.name + (count == 1 ? " ago" : "s ago");
  }
  return date_of(then);
}

bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string folded;
    for (const char* c = value; *c != '\0'; ++c)
      if (*c != '-') folded += static_cast<char>(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    return folded.find("utf8") != std::string::npos;
  }
  return false;
}

std::string Columns::to_string(const Output& out) const {
  std::vector<int> widths;
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], display_width(row[i].text));
    }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += out.styled(row[i].style, row[i].text);
      if (i + 1 < row.size())
        line.append(static_cast<std::size_t>(widths[i] - display_width(row[i].text) + 2), ' ');
    }
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace gitplan
