#include "git-plan/view/words.h"

#include <fmt/format.h>

namespace gitplan {

std::string short_id(std::string_view oid) { return std::string(oid.substr(0, 7)); }

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string spoken(std::string_view key) {
  if (key == "fork_user_conflict") return "fork-user conflict";
  std::string text(key);
  for (char& c : text)
    if (c == '_' || c == '-') c = ' ';
  return text;
}

std::string sides_text(const std::vector<Side>& sides) {
  std::vector<std::string> parts;
  for (const Side& side : sides) {
    std::vector<std::string> ranges;
    for (const LineRange& range : side.lines)
      ranges.push_back(range.first == range.last ? std::to_string(range.first)
                                                 : fmt::format("{}-{}", range.first, range.last));
    parts.push_back(ranges.empty() ? side.who : fmt::format("{} ({})", joined(ranges), side.who));
  }
  return joined(parts);
}

std::string auto_merge_text(const AutoMerge& merge) {
  return fmt::format("{}: lines {}", merge.path, sides_text(merge.sides));
}

std::string first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (text.ends_with(':')) text.remove_suffix(1);
  return std::string(text);
}

std::string outcome_text(std::string_view outcome) {
  // The journal's word for a run of some tasks that did them.
  return outcome == "partial" ? "done as asked" : spoken(outcome);
}

std::string size_text(std::size_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1000 * 1000) return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1e3);
  if (bytes < 1000 * 1000 * 1000) return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
  return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
}

namespace {

bool readiness_says_more(TaskStatus status, Readiness readiness) {
  return status == TaskStatus::kPending || readiness == Readiness::kElsewhere ||
         readiness == Readiness::kBlocked;
}

}  // namespace

std::string status_word(TaskStatus status, Readiness readiness) {
  return readiness_says_more(status, readiness) ? std::string(name(readiness))
                                                : spoken(name(status));
}

Style style_of(TaskStatus status, Readiness readiness) {
  return readiness_says_more(status, readiness) ? style_of(readiness) : style_of(status);
}

Style style_of(PlanState state) {
  switch (state) {
    case PlanState::kRunning:
    case PlanState::kQueued: return Style::kInfo;
    case PlanState::kCompleted: return Style::kGood;
    case PlanState::kFailed:
    case PlanState::kAborted:
    case PlanState::kConflicted: return Style::kBad;
    case PlanState::kPaused:
    case PlanState::kPendingApproval: return Style::kWarn;
    case PlanState::kArchived:
    case PlanState::kDeleted: return Style::kDim;
    case PlanState::kDraft:
    case PlanState::kInReview:
    case PlanState::kActive: return Style::kPlain;
  }
  return Style::kPlain;
}

Style style_of(TaskStatus status) {
  switch (status) {
    case TaskStatus::kRunning: return Style::kInfo;
    case TaskStatus::kFinished:
    case TaskStatus::kCompleted: return Style::kGood;
    case TaskStatus::kFailed:
    case TaskStatus::kTimedOut: return Style::kBad;
    case TaskStatus::kQueued:
    case TaskStatus::kCancelled: return Style::kWarn;
    case TaskStatus::kSkipped: return Style::kDim;
    case TaskStatus::kPending: return Style::kPlain;
  }
  return Style::kPlain;
}

Style style_of(Readiness readiness) {
  switch (readiness) {
    case Readiness::kReady: return Style::kAccent;
    case Readiness::kActive: return Style::kInfo;
    case Readiness::kDone: return Style::kGood;
    case Readiness::kStopped:
    case Readiness::kBlocked: return Style::kBad;
    case Readiness::kQueued:
    case Readiness::kElsewhere: return Style::kWarn;
    case Readiness::kWaiting: return Style::kPlain;
  }
  return Style::kPlain;
}

}  // namespace gitplan
