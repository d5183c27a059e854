#include "git-plan/definition/remap.h"

#include <algorithm>
#include <set>
#include <utility>

#include "git-plan/definition/rewrite.h"

namespace gitplan {
namespace {

bool settled(TaskStatus status) {
  return status == TaskStatus::kRunning || status == TaskStatus::kFinished;
}

class Remapping {
 public:
  Remapping(const PlanView& view, const ChoosePlace& choose) : view_(view), choose_(choose) {
    const auto& noted = view.ledger.snapshot.references;
    mentions_ = mentions_of(view.text, view.plan, [&noted](std::string_view path) {
      while (path.ends_with('/')) path.remove_suffix(1);
      return noted.contains(std::string(path));
    });
  }

  Status take(const CheckedReference& reference) {
    const Reference& written = reference.mention.reference;
    if (!written.task.empty() && settled(view_.ledger.task(written.task).status)) {
      leave(reference, "its task is " + std::string(name(view_.ledger.task(written.task).status)));
      return {};
    }
    if (reference.state == Staleness::kExists) {
      leave(reference, "say in the plan what shall become of it");
      return {};
    }
    if (reference.state == Staleness::kContent && reference.suggestion.empty() &&
        !reference.now.lines_gone) {
      result.noted_anew.push_back(written.path);
      return {};
    }
    std::optional<Place> place;
    const std::vector<Place> possible = candidates(reference);
    if (reference.certain) {
      place = possible.front();
    } else if (!possible.empty()) {
      GITPLAN_TRY_ASSIGN(place, choose_(reference));
    }
    if (!place) {
      leave(reference,
            possible.empty() ? "nothing takes its place" : "its new place is not certain",
            !possible.empty());
      return {};
    }
    return replace(reference, *place);
  }

  Result<std::string> text() const {
    return replace_mentions(view_.text, mentions_, replacements_);
  }

  Remapped result;
  std::set<std::string> unsettled;

 private:
  void leave(const CheckedReference& reference, std::string why, bool uncertain = false) {
    unsettled.insert(reference.mention.reference.path);
    result.left.push_back({reference, std::move(why), uncertain});
  }

  Status replace(const CheckedReference& reference, const Place& place) {
    const Mention& mention = reference.mention;
    const auto found = std::ranges::find_if(mentions_, [&](const Mention& one) {
      return one.at == mention.at && one.length == mention.length &&
             one.reference.path == mention.reference.path &&
             one.reference.task == mention.reference.task;
    });
    Replacement change{static_cast<std::size_t>(found - mentions_.begin()), place.path,
                       place.first_line, place.last_line};
    // By itself first: one that cannot be changed must not hold up the others.
    if (found == mentions_.end() || !replace_mentions(view_.text, mentions_, {change}).ok()) {
      leave(reference, "it is written in a form that only 'git plan edit' changes");
      return {};
    }
    replacements_.push_back(std::move(change));
    const Reference& written = mention.reference;
    result.changes.push_back({written.position.line,
                              with_lines(written.path, written.first_line, written.last_line),
                              with_lines(place.path, place.first_line, place.last_line)});
    return {};
  }

  const PlanView& view_;
  const ChoosePlace& choose_;
  std::vector<Mention> mentions_;
  std::vector<Replacement> replacements_;
};

}  // namespace

std::vector<Place> candidates(const CheckedReference& reference) {
  std::vector<Place> places;
  const Reference& written = reference.mention.reference;
  const Traced& now = reference.now;
  const bool lines = written.first_line > 0 && !now.lines_gone;
  const bool moved = reference.state == Staleness::kRenamed;
  if (moved || (reference.state == Staleness::kContent && !reference.suggestion.empty()))
    places.push_back(
        {now.path, lines ? now.first_line : 0, lines ? now.last_line : 0, now.similarity});
  if (moved || reference.state == Staleness::kDeleted)
    for (const OtherPlace& other : now.others)
      if (other.path != written.path) places.push_back({other.path, 0, 0, other.similarity});
  return places;
}

Result<Remapped> remap(Context& context, const PlanView& view, const CheckedReferences& found,
                       const ChoosePlace& choose) {
  Remapping remapping(view, choose);
  for (const CheckedReference& reference : found.all)
    if (reference.stale()) GITPLAN_TRY(remapping.take(reference));
  Remapped& result = remapping.result;
  if (result.changes.empty() && result.noted_anew.empty()) return std::move(result);
  GITPLAN_TRY_ASSIGN(const std::string text, remapping.text());
  Rewrite change;
  change.reason = "fix";
  change.note_anew = true;
  change.unsettled = std::move(remapping.unsettled);
  change.text = [&](const PlanView& now) -> Result<std::string> {
    if (now.ledger.heads == view.ledger.heads) return text;
    return error(ErrorCode::kRefused,
                 "'" + now.id + "' was changed by someone else while it was checked",
                 "git plan check " + now.id + " --fix, once more");
  };
  if (Result<Rewritten> written = rewrite(context, view.id, change); !written.ok())
    return std::move(written).error();
  return std::move(result);
}

}  // namespace gitplan
