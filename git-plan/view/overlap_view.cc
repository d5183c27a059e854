#include "git-plan/view/overlap_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "git-plan/view/words.h"

namespace gitplan {
namespace {

std::string side_text(const MeetingSide& side, std::string_view whole) {
  return (side.task.empty() ? std::string(whole) : "'" + side.task + "'") + ": " +
         joined(side.files);
}

nlohmann::ordered_json side_json(const MeetingSide& side) {
  return {
      {"task", side.task.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(side.task)},
      {"files", side.files}};
}

}  // namespace

Result<std::vector<Meeting>> meetings_of(Context& context, const std::string& plan,
                                         const DecisionAsked& asked) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const PlanView view, store->load(plan));
  GITPLAN_TRY_ASSIGN(std::vector<Meeting> met, meetings(*repository, *store, plan, view.plan,
                                                        view.ledger, may_still_change_files));
  std::erase_if(met, [&asked](const Meeting& meeting) {
    return std::ranges::count(asked.plans, meeting.plan) == 0;
  });
  return met;
}

std::string meetings_text(const Output& out, const std::vector<Meeting>& meetings) {
  if (meetings.empty()) return "They do not meet any more.\n";
  std::string text, plan;
  for (const Meeting& meeting : meetings) {
    if (meeting.plan != plan)
      text += out.styled(Style::kBold, printable(meeting.plan)) +
              fmt::format("  {}, {} of {} tasks done\n", spoken(name(meeting.state)), meeting.done,
                          meeting.total);
    plan = meeting.plan;
    text += "  here   " + one_line(side_text(meeting.mine, "the whole plan"), 400) + "\n" +
            "  there  " + one_line(side_text(meeting.theirs, "the whole plan"), 400) + "\n";
  }
  return text;
}

nlohmann::ordered_json meetings_json(const std::vector<Meeting>& meetings) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Meeting& meeting : meetings)
    all.push_back({{"plan", meeting.plan},
                   {"state", name(meeting.state)},
                   {"mine", side_json(meeting.mine)},
                   {"theirs", side_json(meeting.theirs)}});
  return all;
}

}  // namespace gitplan
