// Store: listing plans from their tip commits alone, and finding the one that a user means.
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <set>

#include "core/base/edit_distance.h"
#include "core/base/plain_text.h"
#include "core/plan/names.h"
#include "refs/store/message.h"
#include "refs/store/store_state.h"
#include "refs/store/tip_cache.h"

namespace gitplan {
namespace {

// Identities (16 digits) of the plans with events that are not yet in git.
std::set<std::string> plans_at_work(const std::string& local_dir) {
  std::set<std::string> found;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(local_dir + "/wal", code), end;
       !code && entry != end; entry.increment(code)) {
    std::error_code ignored;
    if (entry->file_size(ignored) > 0) found.insert(entry->path().filename().string());
  }
  return found;
}

// libgit2 hashes what it reads and keeps it: both cost more than the reading, and a summary decides
// nothing.
class PlainReading {
 public:
  PlainReading() {
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
  }
  ~PlainReading() {
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
    git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 1);
  }
  PlainReading(const PlainReading&) = delete;
  PlainReading& operator=(const PlainReading&) = delete;
};

std::string_view message_of(std::string_view commit) {
  const std::size_t body = commit.find("\n\n");
  return body == std::string_view::npos ? std::string_view() : commit.substr(body + 2);
}

char low(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), low);
  return result;
}

// "2026-03-03-refactor" -> "refactor"
std::string_view without_date(std::string_view id) {
  constexpr std::string_view kDate = "dddd-dd-dd-";
  if (id.size() <= kDate.size()) return id;
  for (std::size_t i = 0; i < kDate.size(); ++i)
    if (kDate[i] == 'd' ? id[i] < '0' || id[i] > '9' : id[i] != '-') return id;
  return id.substr(kDate.size());
}

Error several(std::string_view name, const std::vector<const Summary*>& plans) {
  std::string message = "'" + std::string(name) + "' fits several plans:";
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < plans.size() && i < kShown; ++i)
    message += "\n  " + plans[i]->id + "  " + one_line(plans[i]->title);
  if (plans.size() > kShown)
    message += "\n  and " + std::to_string(plans.size() - kShown) + " more";
  return error(ErrorCode::kAmbiguous, std::move(message), "give more of the name");
}

Error none(std::string_view name, const std::vector<Summary>& all) {
  if (all.empty())
    return error(ErrorCode::kNotFound,
                 "no plan is called '" + one_line(name) + "': this repository has no plans",
                 "'git plan create' makes one");
  std::vector<std::string> words;
  for (const Summary& plan : all) {
    words.push_back(plan.id);
    words.emplace_back(without_date(plan.id));
  }
  std::string hint = "'git plan list --status all' shows every plan";
  if (const auto near = nearest(name, words)) hint.insert(0, "did you mean '" + *near + "'? ");
  return error(ErrorCode::kNotFound, "no plan is called '" + one_line(name) + "'", std::move(hint));
}

struct PlanRef {
  std::string id;
  git_oid tip{};
};

// Whether two looks saw the same packed-refs.
struct PackedRefs {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const PackedRefs&) const = default;

  static PackedRefs of(git_repository* raw) {
    struct stat info;
    if (stat((git_repository_commondir(raw) + std::string("/packed-refs")).c_str(), &info) != 0)
      return {};
    return {info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
  }
};

// Sorted by id, whether loose or packed.
Result<std::vector<PlanRef>> refs_at_one_look(git_repository* raw) {
  Handle<git_reference_iterator> all;
  int code = git_reference_iterator_glob_new(all.out(), raw, "refs/plans/*");
  std::vector<PlanRef> refs;
  while (code == 0) {
    Handle<git_reference> ref;
    code = git_reference_next(ref.out(), all.get());
    if (code != 0) break;
    const std::string_view id =
        std::string_view(git_reference_name(ref.get())).substr(kPlanRefs.size());
    const git_oid* target = git_reference_target(ref.get());
    if (id == kMemoryPlan || target == nullptr || id.find('/') != std::string_view::npos) continue;
    refs.push_back({std::string(id), *target});
  }
  if (code != GIT_ITEROVER) return libgit2_error("cannot read refs/plans", code);
  const auto by_id = [](const PlanRef& a, const PlanRef& b) { return a.id < b.id; };
  if (!std::is_sorted(refs.begin(), refs.end(), by_id)) std::sort(refs.begin(), refs.end(), by_id);
  return refs;
}

// libgit2 reads the packed refs and then the loose ones: a ref that `git pack-refs` moves in
// between is in neither.
Result<std::vector<PlanRef>> plan_refs(git_repository* raw) {
  constexpr int kLooks = 100;  // only somebody who packs all the time gets so far
  for (int look = 1;; ++look) {
    const PackedRefs before = PackedRefs::of(raw);
    auto refs = refs_at_one_look(raw);
    if (look == kLooks || PackedRefs::of(raw) == before) return refs;
  }
}

// Makes the summaries one by one; reads an object only where the cache of tips has not its message.
class Lister {
 public:
  Lister(Store::State& state, std::size_t count)
      : state_(state), at_work_(plans_at_work(state.local_dir)) {
    plans_.reserve(count);
    if (count >= kMany) cache_.emplace(state.local_dir);
  }

  Status add(const PlanRef& ref) {
    Summary& summary = plans_.emplace_back();
    std::string_view message;
    GITPLAN_TRY(open_objects());
    if (cache_) message = cache_->find(ref.id, ref.tip);
    // What the cache says of a commit that is gone must not look like a healthy plan. A look into
    // the packs' indexes is enough; where that does not find it, reading looks everywhere.
    if (!message.empty() &&
        git_odb_exists_ext(odb_.get(), &ref.tip, GIT_ODB_LOOKUP_NO_REFRESH) == 0)
      message = {};
    Handle<git_odb_object> object;
    if (message.empty()) {
      if (git_odb_read(object.out(), odb_.get(), &ref.tip) != 0)
        return fault(summary, ref,
                     libgit2_error("cannot read refs/plans/" + ref.id, GIT_ERROR).message);
      if (git_odb_object_type(object.get()) != GIT_OBJECT_COMMIT)
        return fault(summary, ref, "refs/plans/" + ref.id + " is not a commit");
      message = message_of({static_cast<const char*>(git_odb_object_data(object.get())),
                            git_odb_object_size(object.get())});
      ++missed_;
    }
    auto facts = parse_message(message);
    if (facts && !at_work(facts->identity, ref)) {
      summary = std::move(facts->summary);
      if (cache_) remember(ref, message, object.get() != nullptr);
    } else {  // events wait to be flushed, or a commit made by hand
      auto view = state_.view(ref.id);
      if (!view.ok()) return fault(summary, ref, std::move(view).error().message);
      summary = summary_of(ref.id, view->plan, view->ledger, view->ledger.state);
    }
    summary.id = ref.id;
    summary.tip = hex(ref.tip);
    return {};
  }

  std::vector<Summary> finish() {
    if (cache_ && missed_ > plans_.size() / kTolerated) cache_->write(entries_);
    return std::move(plans_);
  }

 private:
  static constexpr std::size_t kMany = 500;  // fewer are read faster than the cache
  static constexpr std::size_t kTolerated =
      20;  // one in so many may miss before it is written anew

  Status open_objects() {
    if (odb_.get() != nullptr) return {};
    if (const int code = git_repository_odb(odb_.out(), state_.repository.raw()); code != 0)
      return libgit2_error("cannot read the repository's objects", code);
    return {};
  }

  bool at_work(const std::string& identity, const PlanRef& ref) const {
    return !at_work_.empty() &&
           at_work_.contains((identity.empty() ? hex(ref.tip) : identity).substr(0, 16));
  }

  // What came from an object goes with it, what came from the cache's file stays there.
  void remember(const PlanRef& ref, std::string_view message, bool keep) {
    if (keep) message = kept_.emplace_back(message);
    entries_.push_back({ref.id, ref.tip, message});
  }

  static Status fault(Summary& summary, const PlanRef& ref, std::string why) {
    summary.id = summary.title = ref.id;
    summary.tip = hex(ref.tip);
    summary.fault = std::move(why);
    return {};
  }

  Store::State& state_;
  std::set<std::string> at_work_;
  std::vector<Summary> plans_;
  Handle<git_odb> odb_;
  std::optional<TipCache> cache_;
  std::vector<TipCache::Entry> entries_;
  std::deque<std::string> kept_;
  std::size_t missed_ = 0;
};

}  // namespace

Result<std::vector<Summary>> Store::list(std::string_view except) const {
  State& state = *state_;
  const PlainReading plain;
  GITPLAN_TRY_ASSIGN(const std::vector<PlanRef> refs, plan_refs(state.repository.raw()));
  Lister lister(state, refs.size());
  for (const PlanRef& ref : refs)
    if (ref.id != except) GITPLAN_TRY(lister.add(ref));
  return lister.finish();
}

Result<std::string> Store::resolve(std::string_view name) const {
  if (name.starts_with(kPlanRefs)) name.remove_prefix(kPlanRefs.size());
  if (!plan_id_fault(name) && state_->trees.ref_target(name).ok()) return std::string(name);

  GITPLAN_TRY_ASSIGN(std::vector<Summary> all, list());
  std::erase_if(all, [](const Summary& plan) { return plan.state == PlanState::kDeleted; });
  if (name.empty()) return none(name, all);
  const std::string wanted = lower(name);
  // The first way that fits any plan decides.
  using Way = bool (*)(const Summary&, const std::string&);
  constexpr Way kWays[] = {
      [](const Summary& plan, const std::string& word) { return lower(plan.id) == word; },
      [](const Summary& plan, const std::string& word) {
        return lower(without_date(plan.id)) == word;
      },
      // What another clone's plan of the same name took from it.
      [](const Summary& plan, const std::string& word) {
        return std::ranges::any_of(plan.former_names,
                                   [&](const std::string& was) { return lower(was) == word; });
      },
      [](const Summary& plan, const std::string& word) { return lower(plan.id).starts_with(word); },
      [](const Summary& plan, const std::string& word) {
        return lower(plan.title).find(word) != std::string::npos;
      }};
  for (const Way way : kWays) {
    std::vector<const Summary*> fitting;
    for (const Summary& plan : all)
      if (way(plan, wanted)) fitting.push_back(&plan);
    if (fitting.size() == 1) return fitting.front()->id;
    if (fitting.size() > 1) return several(name, fitting);
  }
  GITPLAN_TRY_ASSIGN(const std::vector<Lost> gone, lost());
  for (const Lost& plan : gone)
    if (plan.id == name) return ref_is_gone(plan.id, plan.tip);
  return none(name, all);
}

}  // namespace gitplan
