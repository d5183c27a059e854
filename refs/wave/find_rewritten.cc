#include "refs/wave/find_rewritten.h"

#include <algorithm>
#include <map>
#include <set>

#include "refs/wave/origin.h"
#include "refs/wave/trailer_settings.h"

namespace gitplan {
namespace {

constexpr const char* kCandidates = "200";  // commits of which the patches are looked at

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (end > start) lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

class Search {
 public:
  Search(const Repository& repository, std::string_view plan, const Ledger& ledger,
         const std::string& tip)
      : repository_(repository), plan_(plan), ledger_(ledger), tip_(tip) {}

  Result<std::vector<RewrittenWave>> run() {
    // Newest first: waves stand on each other, so that one which is there answers for those below.
    std::set<std::string> below;
    for (auto wave = ledger_.waves.rbegin(); wave != ledger_.waves.rend(); ++wave) {
      if (wave->phase != WavePhase::kCompleted || wave->commit.empty()) continue;
      if (below.contains(wave->commit) || !is_missing(*wave))
        below.insert(wave->base);
      else
        missing_.insert(missing_.begin(), &*wave);
    }
    if (missing_.empty()) return std::move(found_);
    const auto base = repository_.git().read({"merge-base", missing_.front()->commit, tip_});
    range_ = base.ok() && !base->empty() ? *base + ".." + tip_ : tip_;
    GITPLAN_TRY(by_trailer());
    if (!missing_.empty()) by_patch();
    std::ranges::sort(found_, {}, [this](const RewrittenWave& one) { return place(one.from); });
    return std::move(found_);
  }

 private:
  bool is_missing(const Wave& wave) const {
    if (repository_.is_ancestor(wave.commit, tip_)) return false;
    return std::ranges::none_of(wave.tasks, [&](const std::string& task) {
      const TaskRecord& record = ledger_.task(task);
      return record.commit == wave.commit &&
             std::ranges::any_of(record.rewritten, [this](const std::string& id) {
               return repository_.is_ancestor(id, tip_);
             });
    });
  }

  std::ptrdiff_t place(const std::string& commit) const {
    return std::ranges::find(ledger_.waves, commit, &Wave::commit) - ledger_.waves.begin();
  }

  void take(const Wave* wave, const std::string& to, bool by_trailer) {
    found_.push_back({wave->run, wave->number, wave->commit, to, by_trailer});
    std::erase(missing_, wave);
  }

  Status by_trailer() {
    GITPLAN_TRY_ASSIGN(const std::string listed,
                       repository_.git().read({"log", "--no-show-signature", "--format=%H", "-E",
                                               "--grep=^Wave: [0-9]+", range_}));
    for (const std::string& commit : lines_of(listed)) {
      if (missing_.empty()) break;
      GITPLAN_TRY_ASSIGN(const CommitOrigin origin, origin_of(repository_, commit));
      if (origin.plan != plan_) continue;
      const auto wave = std::ranges::find_if(missing_, [&origin](const Wave* one) {
        return one->run == origin.run && one->number == origin.wave;
      });
      if (wave != missing_.end()) take(*wave, commit, true);
    }
    return {};
  }

  // "<patch> <commit>" of each commit in what git printed; what git cannot do finds nothing.
  std::vector<std::pair<std::string, std::string>> patch_ids(const Result<std::string>& printed) {
    std::vector<std::pair<std::string, std::string>> ids;
    if (!printed.ok() || printed->empty()) return ids;
    const auto told = repository_.git().read({"patch-id", "--stable"}, *printed + "\n");
    if (!told.ok()) return ids;
    for (const std::string& line : lines_of(*told))
      if (const std::size_t blank = line.find(' '); blank != std::string::npos)
        ids.emplace_back(line.substr(0, blank), line.substr(blank + 1));
    return ids;
  }

  std::string patch_of(const std::string& from, const std::string& to) {
    const auto ids = patch_ids(
        repository_.git().read({"diff-tree", "-p", "-r", "--no-ext-diff", "--no-color", from, to}));
    return ids.empty() ? std::string() : ids.front().first;
  }

  void by_patch() {
    std::set<std::string> paths;
    for (const Wave* wave : missing_)
      for (const std::string& task : wave->tasks)
        if (const Attempt* last = ledger_.task(task).last())
          paths.insert(last->paths.begin(), last->paths.end());
    if (paths.empty()) return;
    std::vector<std::string> words{"--literal-pathspecs", "log",         "-p",
                                   "--no-show-signature", "--no-merges", "--full-diff",
                                   "--no-ext-diff",       "--no-color",  "-n",
                                   kCandidates,           range_,        "--"};
    words.insert(words.end(), paths.begin(), paths.end());
    std::map<std::string, std::string> candidates;  // patch -> commit
    for (auto& [patch, commit] : patch_ids(repository_.git().read(words)))
      candidates.emplace(patch, commit);
    const std::vector<const Wave*> each = missing_;
    for (const Wave* wave : each)
      if (const auto same = candidates.find(patch_of(wave->base, wave->commit));
          same != candidates.end())
        take(wave, same->second, false);
    // All waves of a run in one commit: squashed.
    std::set<std::string> runs;
    for (const Wave* wave : missing_) runs.insert(wave->run);
    for (const std::string& run : runs) {
      std::vector<const Wave*> of_run;
      std::ranges::copy_if(missing_, std::back_inserter(of_run),
                           [&run](const Wave* wave) { return wave->run == run; });
      const auto same = candidates.find(patch_of(of_run.front()->base, of_run.back()->commit));
      if (same == candidates.end()) continue;
      for (const Wave* wave : of_run) take(wave, same->second, false);
    }
  }

  const Repository& repository_;
  std::string plan_;
  const Ledger& ledger_;
  const std::string& tip_;
  std::string range_;
  std::vector<const Wave*> missing_;
  std::vector<RewrittenWave> found_;
};

}  // namespace

Result<std::vector<RewrittenWave>> find_rewritten(const Repository& repository,
                                                  std::string_view plan, const Ledger& ledger,
                                                  const std::string& tip) {
  if (tip.empty()) return std::vector<RewrittenWave>();
  return Search(repository, plan, ledger, tip).run();
}

void note_rewritten(const std::vector<RewrittenWave>& found, Ledger& ledger) {
  for (const RewrittenWave& one : found)
    for (auto& [name, task] : ledger.tasks)
      if (task.stands_in(one.from) && !task.stands_in(one.to)) task.rewritten.push_back(one.to);
}

std::string words(const RewrittenWave& found) {
  return "wave " + std::to_string(found.wave) + " (" + found.from.substr(0, 7) + ") is " +
         found.to.substr(0, 7) + " now: found by its " + (found.by_trailer ? "trailers" : "patch");
}

}  // namespace gitplan
