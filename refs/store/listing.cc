// Store: listing plans from their tip commits alone, and finding the one that a user means.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/edit_distance.h"
#include "core/plan/names.h"
#include "refs/store/message.h"
#include "refs/store/store_state.h"

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

Summary faulty(std::string_view id, const git_oid& tip, std::string fault) {
  Summary summary;
  summary.id = id;
  summary.title = id;
  summary.tip = hex(tip);
  summary.fault = std::move(fault);
  return summary;
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

}  // namespace

Result<std::vector<Summary>> Store::list() const {
  State& state = *state_;
  git_repository* raw = state.repository.raw();
  const PlainReading plain;
  Handle<git_odb> odb;
  Handle<git_reference_iterator> all;
  int code = git_repository_odb(odb.out(), raw);
  if (code == 0) code = git_reference_iterator_glob_new(all.out(), raw, "refs/plans/*");
  if (code != 0) return libgit2_error("cannot read refs/plans", code);
  const std::set<std::string> at_work = plans_at_work(state.local_dir);

  std::vector<Summary> plans;
  while (true) {
    Handle<git_reference> ref;
    code = git_reference_next(ref.out(), all.get());
    if (code == GIT_ITEROVER) break;
    if (code != 0) return libgit2_error("cannot read refs/plans", code);
    const std::string id = git_reference_name(ref.get()) + kPlanRefs.size();
    const git_oid* target = git_reference_target(ref.get());
    if (id == kMemoryPlan || target == nullptr || id.find('/') != std::string::npos) continue;
    Handle<git_odb_object> object;
    if (git_odb_read(object.out(), odb.get(), target) != 0) {
      plans.push_back(
          faulty(id, *target, libgit2_error("cannot read refs/plans/" + id, GIT_ERROR).message));
      continue;
    }
    if (git_odb_object_type(object.get()) != GIT_OBJECT_COMMIT) {
      plans.push_back(faulty(id, *target, "refs/plans/" + id + " is not a commit"));
      continue;
    }
    const std::string_view text(static_cast<const char*>(git_odb_object_data(object.get())),
                                git_odb_object_size(object.get()));
    auto facts = parse_message(message_of(text));
    const bool pending =
        !at_work.empty() && facts &&
        at_work.contains((facts->identity.empty() ? hex(*target) : facts->identity).substr(0, 16));
    if (facts && !pending) {
      facts->summary.id = id;
      facts->summary.tip = hex(*target);
      plans.push_back(std::move(facts->summary));
      continue;
    }
    auto view = state.view(id);  // a plan at work, or a commit made by hand
    if (!view.ok()) {
      plans.push_back(faulty(id, *target, view.error().message));
      continue;
    }
    Summary summary = summary_of(id, view->plan, view->ledger);
    summary.tip = view->tip;
    plans.push_back(std::move(summary));
  }
  if (!std::is_sorted(plans.begin(), plans.end(),
                      [](const Summary& a, const Summary& b) { return a.id < b.id; }))
    std::sort(plans.begin(), plans.end(),
              [](const Summary& a, const Summary& b) { return a.id < b.id; });
  return plans;
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
  return none(name, all);
}

}  // namespace gitplan
