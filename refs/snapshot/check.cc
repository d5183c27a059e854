#include "refs/snapshot/check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/ledger/task_over.h"

namespace gitplan {
namespace {

bool is_or_holds(std::string_view path, std::string_view changed) {
  return changed == path ||
         (changed.size() > path.size() && changed.starts_with(path) && changed[path.size()] == '/');
}

// What the plan's own waves made of a path.
class OwnWork {
 public:
  // `target`: a commit; "": HEAD is unborn.
  OwnWork(const Repository& repository, const Ledger& ledger, std::string target,
          const std::vector<RewrittenWave>& rewritten)
      : repository_(repository),
        ledger_(ledger),
        target_(std::move(target)),
        rewritten_(rewritten) {}

  // The commit of the newest that changed it, where that counts: the target has it, and it is newer
  // than what was noted in `noted`.
  std::optional<std::string> last_change_of(const std::string& path, const std::string& noted) {
    const TaskRecord* by = changed_by(path);
    if (by == nullptr) return std::nullopt;
    std::optional<std::string> place = place_of(*by);
    // Squashed: the commit is not there, what it made is.
    if (!place && has_same(by->commit, path)) place = by->commit;
    if (place && !noted.empty() && repository_.is_ancestor(*place, noted)) return std::nullopt;
    return place;
  }

 private:
  const TaskRecord* changed_by(std::string_view path) const {
    for (auto wave = ledger_.waves.rbegin(); wave != ledger_.waves.rend(); ++wave) {
      if (wave->phase != WavePhase::kCompleted || wave->commit.empty()) continue;
      for (const std::string& task : wave->tasks)
        if (const TaskRecord& record = ledger_.task(task);
            record.commit == wave->commit && changed(record, path))
          return &record;
    }
    return nullptr;
  }

  static bool changed(const TaskRecord& record, std::string_view path) {
    return record.last() != nullptr &&
           std::ranges::any_of(record.last()->paths, [path](const std::string& changed) {
             return is_or_holds(path, changed);
           });
  }

  // The wave's commit in the target's history: its own, or what an amend or a rebase made of it.
  const std::optional<std::string>& place_of(const TaskRecord& record) {
    const auto [known, fresh] = places_.try_emplace(record.commit);
    if (!fresh || target_.empty()) return known->second;
    std::vector<std::string> ids = record.rewritten;
    ids.insert(ids.begin(), record.commit);
    const auto found = std::find_if(ids.rbegin(), ids.rend(), [this](const std::string& id) {
      return repository_.is_ancestor(id, target_);
    });
    if (found != ids.rend()) known->second = *found;
    for (const RewrittenWave& one : rewritten_)
      if (one.from == record.commit) known->second = one.to;
    return known->second;
  }

  bool has_same(const std::string& commit, const std::string& path) const {
    if (target_.empty()) return false;
    const auto made = repository_.git().read({"rev-parse", "--verify", "-q", commit + ":" + path});
    const auto is = repository_.git().read({"rev-parse", "--verify", "-q", target_ + ":" + path});
    return made.ok() && is.ok() && *made == *is;
  }

  const Repository& repository_;
  const Ledger& ledger_;
  std::string target_;
  const std::vector<RewrittenWave>& rewritten_;
  std::map<std::string, std::optional<std::string>> places_;  // by the wave's commit
};

struct Noted {
  std::string commit;
  NotedPath path;
  bool own = false;  // by the plan's own work
};

// `create` is what shall come: it is there already, or it is not.
Staleness state_of_creation(const Traced& now, bool own) {
  const bool there = now.fate == Fate::Same || now.fate == Fate::Changed || now.fate == Fate::Came;
  return there && !own ? Staleness::kExists : Staleness::kFresh;
}

bool much_changed(const Traced& now, int threshold) {
  if (now.folder || now.fate != Fate::Changed) return false;
  return now.changed_percent < 0 || now.changed_percent >= threshold;
}

CheckedReference judged(Mention mention, Traced now, bool own, int threshold) {
  CheckedReference checked;
  const Reference& reference = mention.reference;
  const bool lines = reference.first_line > 0;
  const bool other_lines = lines && (now.lines_gone || now.first_line != reference.first_line ||
                                     now.last_line != reference.last_line);
  if (reference.action == "create") {
    checked.state = state_of_creation(now, own);
  } else if (now.fate == Fate::Gone) {
    checked.state = Staleness::kDeleted;
  } else if (now.fate == Fate::Moved) {
    checked.state = Staleness::kRenamed;
  } else if (now.fate == Fate::Changed && (other_lines || much_changed(now, threshold))) {
    checked.state = Staleness::kContent;
  }
  const bool elsewhere =
      checked.state == Staleness::kRenamed || (checked.state == Staleness::kContent && other_lines);
  if (elsewhere && !now.lines_gone)
    checked.suggestion = with_lines(now.path, lines ? now.first_line : 0, now.last_line);
  else if (checked.state == Staleness::kRenamed)
    checked.suggestion = now.path;
  else if (checked.state == Staleness::kDeleted && !now.others.empty() &&
           now.others.front().path != reference.path)
    checked.suggestion = now.others.front().path;
  checked.certain = elsewhere && now.certain && !now.lines_gone;
  checked.mention = std::move(mention);
  checked.now = std::move(now);
  return checked;
}

}  // namespace

std::string_view name(Staleness state) {
  switch (state) {
    case Staleness::kFresh: return "fresh";
    case Staleness::kContent: return "content";
    case Staleness::kRenamed: return "renamed";
    case Staleness::kDeleted: return "deleted";
    case Staleness::kExists: return "exists";
  }
  return "fresh";
}

std::string with_lines(std::string_view path, int first_line, int last_line) {
  std::string text(path);
  if (first_line > 0) text += ":" + std::to_string(first_line);
  if (first_line > 0 && last_line > first_line) text += "-" + std::to_string(last_line);
  return text;
}

Result<CheckedReferences> check_references(const Repository& repository, const PlanView& view,
                                           const TraceTarget& target, int threshold) {
  CheckedReferences result;
  const SnapshotTaken& snapshot = view.ledger.snapshot;
  const auto is_noted = [&snapshot](std::string_view path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    return snapshot.references.contains(std::string(path));
  };
  std::vector<Mention> mentions = mentions_of(view.text, view.plan, is_noted);
  std::erase_if(mentions, [&](const Mention& mention) {
    const std::string& task = mention.reference.task;
    return !is_noted(mention.reference.path) ||
           (!task.empty() && is_over(view.ledger.task(task).status));
  });

  if (target.commit.empty() && target.kind == TraceTarget::Kind::Commit) mentions.clear();

  GITPLAN_TRY_ASSIGN(result.rewritten,
                     find_rewritten(repository, view.id, view.ledger, target.commit));
  OwnWork own_work(repository, view.ledger, target.commit, result.rewritten);
  // One walk through the history for each commit in which something was noted.
  std::map<std::string, std::vector<std::size_t>> walks;
  std::vector<Noted> noted;
  for (const Mention& mention : mentions) {
    const Reference& reference = mention.reference;
    Noted one;
    one.path = {reference.path, {}, reference.first_line, reference.last_line};
    const auto since = snapshot.since.find(reference.path);
    one.commit = since == snapshot.since.end() ? snapshot.commit : since->second;
    if (auto own = own_work.last_change_of(reference.path, one.commit)) {
      one.commit = *std::move(own);
      one.own = true;
    } else {
      one.path.id = snapshot.references.at(reference.path);
    }
    walks[one.commit].push_back(noted.size());
    noted.push_back(std::move(one));
  }
  std::vector<Traced> traced(noted.size());
  for (const auto& [from, indices] : walks) {
    std::vector<NotedPath> paths;
    for (const std::size_t index : indices) paths.push_back(noted[index].path);
    GITPLAN_TRY_ASSIGN(TraceResult found, trace(repository, from, target, paths));
    for (std::size_t i = 0; i < indices.size(); ++i)
      traced[indices[i]] = std::move(found.places[i]);
    for (std::string& sentence : found.unseen)
      if (std::ranges::find(result.unseen, sentence) == result.unseen.end())
        result.unseen.push_back(std::move(sentence));
  }
  for (std::size_t i = 0; i < mentions.size(); ++i)
    result.all.push_back(
        judged(std::move(mentions[i]), std::move(traced[i]), noted[i].own, threshold));
  return result;
}

}  // namespace gitplan
