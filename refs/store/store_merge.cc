// Store: what another clone did to a plan, taken in: its newer commit, or one that unites both.
#include <git2/merge.h>
#include <git2/sys/commit.h>

#include <algorithm>

#include "core/ledger/fold.h"
#include "core/ledger/ledger_codec.h"
#include "core/plan/names.h"
#include "refs/store/durable.h"
#include "refs/store/left_lock.h"
#include "refs/store/lock_wait.h"
#include "refs/store/message.h"
#include "refs/store/run_lock.h"
#include "refs/store/store_state.h"
#include "refs/store/tree_union.h"

namespace gitplan {
namespace {

constexpr std::chrono::seconds kPatience{30};

// The same in every clone, so that two that unite the same have the same commit.
Result<Handle<git_signature>> nobody(git_time_t date) {
  Handle<git_signature> who;
  if (const int code = git_signature_new(who.out(), "git plan", "git-plan@localhost", date, 0);
      code != 0)
    return libgit2_error("cannot name the author of a merge", code);
  return who;
}

Result<git_time_t> date_of_commit(git_repository* repository, const git_oid& id) {
  Handle<git_commit> commit;
  if (const int code = git_commit_lookup(commit.out(), repository, &id); code != 0)
    return libgit2_error("cannot read the commit " + hex(id), code);
  return git_commit_time(commit.get());
}

// The trees of the newest commits that both come from.
Result<std::vector<git_oid>> bases_of(const PlanTrees& trees, git_repository* repository,
                                      const git_oid& a, const git_oid& b) {
  git_oidarray found{};
  const int code = git_merge_bases(&found, repository, &a, &b);
  std::vector<git_oid> commits;
  if (code == 0) commits.assign(found.ids, found.ids + found.count);
  git_oidarray_dispose(&found);
  if (code != 0 && code != GIT_ENOTFOUND)
    return libgit2_error("cannot find what two versions of a plan have in common", code);
  std::vector<git_oid> result;
  for (const git_oid& id : commits) {
    GITPLAN_TRY_ASSIGN(const RawCommit commit, trees.commit(id));
    result.push_back(commit.tree);
  }
  return result;
}

// outputs/<task>.md of each task: what its latest finished attempt left, as the fold has it.
Status render_outputs(const PlanTrees& trees, const git_oid& tree, const Ledger& ledger,
                      std::vector<TreeFile>& files) {
  for (const auto& [name, task] : ledger.tasks) {
    const auto last =
        std::find_if(task.attempts.rbegin(), task.attempts.rend(),
                     [](const Attempt& one) { return one.output && one.outcome == "finished"; });
    if (last == task.attempts.rend() || task_name_fault(name)) continue;
    GITPLAN_TRY_ASSIGN(const auto output,
                       trees.entry(tree, "outputs/" + name + "/" + last->id + ".md"));
    GITPLAN_TRY_ASSIGN(const auto rendered, trees.entry(tree, "outputs/" + name + ".md"));
    if (output && (!rendered || !git_oid_equal(&*output, &*rendered)))
      files.push_back({"outputs/" + name + ".md", *output});
  }
  return {};
}

}  // namespace

Result<git_oid> Store::State::unite(std::string_view id, const Tip& ours, const Tip& theirs) {
  std::vector<git_oid> made;
  GITPLAN_TRY_ASSIGN(const std::vector<git_oid> bases,
                     bases_of(trees, repository.raw(), ours.commit.id, theirs.commit.id));
  GITPLAN_TRY_ASSIGN(const git_oid united, unite_trees(repository.raw(), bases, ours.commit.tree,
                                                       theirs.commit.tree, made));
  std::vector<Diagnostic> damage;
  GITPLAN_TRY_ASSIGN(const auto segments, trees.segments(united));
  GITPLAN_TRY_ASSIGN(auto events, trees.events(segments, damage));
  if (!damage.empty())
    return error(
        ErrorCode::kInvalid,
        "the journal of plan '" + std::string(id) + "' is damaged: " + damage.front().message,
        damage.front().fix);
  Ledger ledger = fold(std::move(events));

  std::vector<TreeFile> files;
  const auto add = [&](const char* path, std::string_view text) -> Status {
    GITPLAN_TRY_ASSIGN(const git_oid blob, trees.write_blob(text));
    files.push_back({path, blob});
    made.push_back(blob);
    return {};
  };
  Summary summary;
  if (ledger.heads.empty()) {
    summary = summary_of(ledger.plan, Plan{}, ledger, ledger.state);
  } else {
    GITPLAN_TRY_ASSIGN(const Settled definition, settled(ledger, ours.identity, {}));
    GITPLAN_TRY(add("plan.md", definition.definition->text));
    summary = summary_of(ledger.plan, definition.definition->plan, ledger,
                         shown_state(ledger, definition.conflicted));
  }
  GITPLAN_TRY(add("ledger.json", ledger_to_json(ledger)));
  GITPLAN_TRY(render_outputs(trees, united, ledger, files));
  std::sort(files.begin(), files.end(),
            [](const TreeFile& a, const TreeFile& b) { return a.path < b.path; });
  GITPLAN_TRY_ASSIGN(const git_oid tree, trees.write_tree(&united, files, made));

  GITPLAN_TRY_ASSIGN(const git_time_t one, date_of_commit(repository.raw(), ours.commit.id));
  GITPLAN_TRY_ASSIGN(const git_time_t other, date_of_commit(repository.raw(), theirs.commit.id));
  GITPLAN_TRY_ASSIGN(const Handle<git_signature> who, nobody(std::max(one, other)));
  const git_oid* parents[] = {&ours.commit.id, &theirs.commit.id};
  if (git_oid_cmp(parents[0], parents[1]) > 0) std::swap(parents[0], parents[1]);
  const std::string message = compose_message("Unite what two clones did", summary, ours.identity);
  git_oid commit;
  if (const int code =
          git_commit_create_from_ids(&commit, repository.raw(), nullptr, who.get(), who.get(),
                                     nullptr, message.c_str(), &tree, 2, parents);
      code != 0)
    return libgit2_error("cannot write a commit of plan '" + std::string(id) + "'", code);
  made.push_back(commit);
  GITPLAN_TRY(write_out_objects(repository.common_dir(), made));
  remember(ours.identity, hex(commit), std::move(ledger), Saved::kNo);
  return commit;
}

// Events of this clone's actor that it has never written: it is an older state of itself, put back.
Status Store::State::mint_if_restored(const Tip& ours, const Tip& theirs) {
  const std::string me = self();
  GITPLAN_TRY_ASSIGN(auto segments, trees.segments(theirs.commit.tree, &ours.commit.tree));
  std::erase_if(segments, [&me](const Segment& one) { return one.actor != me; });
  if (segments.empty()) return {};
  std::vector<Diagnostic> ignored;
  GITPLAN_TRY_ASSIGN(const auto events, trees.events(segments, ignored));
  GITPLAN_TRY_ASSIGN(const std::vector<Event> unknown, not_at(ours, events));
  if (unknown.empty()) return {};
  GITPLAN_TRY_ASSIGN(const auto records, write_ahead(ours.identity).read());
  const auto written = [&](const Event& event) {
    return std::any_of(records.begin(), records.end(),
                       [&](const Event& record) { return record.id == event.id; });
  };
  if (std::all_of(unknown.begin(), unknown.end(), written)) return {};
  GITPLAN_TRY(forget_actor(local_dir));
  actor = {};
  self_.clear();
  return need_actor();
}

Result<Store::Taken> Store::take_in(std::string_view id, std::string_view commit) {
  State& state = *state_;
  if (const auto fault = plan_id_fault(id)) return no_such_plan(id, *fault);
  git_oid wanted;
  if (!parse_oid(commit, wanted))
    return error(ErrorCode::kInvalid, "'" + std::string(commit) + "' is no commit id");
  GITPLAN_TRY_ASSIGN(const Tip theirs, state.trees.at(id, wanted));
  const std::string lock =
      state.repository.common_dir() + "/" + std::string(kPlanRefs) + std::string(id) + ".lock";
  for (LockWait patience(kPatience); true;) {
    const auto there = state.trees.ref_target(id);
    if (!there.ok() && there.error().code != ErrorCode::kNotFound) return there.error();
    Taken taken{Taken::What::kNew, hex(wanted)};
    std::optional<Tip> ours;
    git_oid next = wanted;
    if (there.ok()) {
      GITPLAN_TRY_ASSIGN(ours, state.trees.at(id, *there));
      if (ours->identity != theirs.identity)
        return error(ErrorCode::kRefused, "'" + std::string(id) + "' is another plan here");
      const auto has = [&](const git_oid& newer, const git_oid& older) {
        return git_oid_equal(&newer, &older) ||
               git_graph_descendant_of(state.repository.raw(), &newer, &older) == 1;
      };
      if (has(ours->commit.id, wanted)) return Taken{Taken::What::kNothing, hex(ours->commit.id)};
      GITPLAN_TRY(state.mint_if_restored(*ours, theirs));
      if (has(wanted, ours->commit.id)) {
        taken.what = Taken::What::kForward;
      } else {
        GITPLAN_TRY(state.check_writable(id, *ours));
        GITPLAN_TRY(state.check_writable(id, theirs));
        GITPLAN_TRY_ASSIGN(next, state.unite(id, *ours, theirs));
        taken = {Taken::What::kUnited, hex(next)};
      }
    }
    bool moved = false;
    GITPLAN_TRY(state.move_ref(id, ours ? &*ours : nullptr, next, moved));
    if (moved) return taken;
    if (remove_left_lock(lock)) continue;
    if (!patience.wait())
      return error(ErrorCode::kBusy,
                   "cannot move refs/plans/" + std::string(id) + ": " + lock + " is held",
                   "another git process is at work here; where none is, remove the file");
  }
}

}  // namespace gitplan
