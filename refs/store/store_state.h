// What the store's parts share: one plan read as it is now, and one commit made on its chain.
//
// Private to refs/store/: store_*.cc, appender.cc, listing.cc, lost.cc and fsck.cc.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/plan_file.h"
#include "refs/store/actor.h"
#include "refs/store/packed_cache.h"
#include "refs/store/pending.h"
#include "refs/store/plan_tree.h"
#include "refs/store/store.h"
#include "refs/store/write_ahead.h"

namespace gitplan {

struct Folded {
  Ledger ledger;
  std::vector<Diagnostic> damage;
};

// What a commit adds to a plan's chain.
struct Addition {
  std::vector<Event> events;
  std::map<std::string, std::string, std::less<>> definitions;  // by blob id; others are looked for
  std::vector<Attachment> attachments;
  std::string subject;
  std::string purged = {};  // of a new root: the one whose place it takes
};

struct ParsedDefinition {
  std::string oid, text;
  Plan plan;
  std::vector<Diagnostic> warnings;
};
void each_field(Is<ParsedDefinition> auto& x, auto&& field) {
  field("oid", x.oid);
  field("text", x.text);
  field("plan", x.plan);
  field("warnings", x.warnings);
}

struct Store::State {
  explicit State(Repository& repository_of_plans);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Repository& repository;
  std::string local_dir;
  PlanTrees trees;
  PackedCache<Ledger> ledgers;                // by tip
  PackedCache<ParsedDefinition> definitions;  // by blob id; large ones only
  Actor actor;                                // empty: not asked yet

  // Mints one where there is none. In a copy of a repository the records that were copied become
  // the copy's own: the original will flush them too, and a segment is written by one clone.
  Status need_actor();
  // The actor of this clone, "-" where it has written nothing yet.
  const std::string& self();
  std::string plan_dir(std::string_view identity) const;
  WriteAhead write_ahead(std::string_view identity) const;

  // Whether what was read is kept in memory: a change asks again for what it began with, and to
  // copy a large plan for a single reader takes longer than all else. kTaken: what is in memory is
  // taken out, by a commit whose own result comes in its place; the ledger of a run is large.
  enum class Keep { kNo, kYes, kTaken };

  // The ledger at a tip: from memory, from the cache and what came since, or from the whole
  // journal.
  Result<Folded> fold_at(const Tip& tip, Keep keep = Keep::kYes);
  // The same and events that are perhaps not yet in it, in the order of the journal.
  Result<Folded> fold_with(const Tip& tip, const std::vector<Event>& records,
                           Keep keep = Keep::kYes);
  // Those of `records` that the journal at a tip has not.
  Result<std::vector<Event>> not_at(const Tip& tip, const std::vector<Event>& records);
  // Those of `records` that a ledger has not.
  static std::vector<Event> not_in(const Ledger& ledger, const std::vector<Event>& records);

  Result<std::string> definition_text(std::string_view oid, std::string_view identity) const;
  // The definition as its heads have it.
  using Texts = std::map<std::string, std::string, std::less<>>;  // by blob id
  struct Settled {
    const ParsedDefinition* definition;
    bool conflicted;       // several that do not merge: it is the first
    std::string conflict;  // what they do not agree about
  };
  // `given`: texts that are not written yet.
  Result<Settled> settled(const Ledger& ledger, std::string_view identity, const Texts& given);
  // Fills in text, plan and warnings from the heads; damage comes first.
  Status complete(PlanView& view, Keep keep = Keep::kYes);
  // `folded_state`: what the events say where the view says conflicted.
  Result<PlanView> view_of(std::string_view id, const Tip& tip, const std::vector<Event>& records,
                           PlanState* folded_state = nullptr, Keep keep = Keep::kYes);
  // Tip and records read in an order that loses nothing to a flush in between.
  Result<PlanView> view(std::string_view id);

  Status check_writable(std::string_view id, const Tip& tip) const;
  // Commits the addition on the plan's chain, whatever else moves it meanwhile. Nothing new: no
  // commit. `folded`: of `tip` and the events, where that is known already.
  Result<Tip> commit(std::string_view id, Tip tip, Addition addition, std::optional<Ledger> folded);
  // A new chain.
  Result<Tip> commit_root(std::string_view id, const Addition& addition, const Ledger& ledger);
  // The root of a chain that takes the place of `old`; no ref moves.
  Result<git_oid> purged_root_of(std::string_view id, const Tip& old, const Addition& addition,
                                 const Ledger& ledger);
  // A commit that unites two (store_merge.cc); no ref moves.
  Result<git_oid> unite(std::string_view id, const Tip& ours, const Tip& theirs);
  Status mint_if_restored(const Tip& ours, const Tip& theirs);
  Status move_ref(std::string_view id, const Tip* tip, const git_oid& commit, bool& moved);

  Result<ParsedDefinition> read_definition(std::string_view oid, std::string_view identity,
                                           const std::string* text) const;
  // The same, kept.
  Result<const ParsedDefinition*> parsed(std::string_view oid, std::string_view identity,
                                         const std::string* text = nullptr);

 private:
  struct Built {
    RawCommit commit;
    std::vector<git_oid> objects;  // that the commit before has not
  };
  Result<Built> build(std::string_view id, const Tip* tip, const Addition& addition,
                      const Ledger& ledger);
  Result<Built> build_now(std::string_view id, const Tip* tip, const Addition& addition,
                          const Ledger& ledger);
  Result<std::vector<TreeFile>> files_of(const Tip* tip, const Addition& addition,
                                         const Ledger& ledger, const Settled* definition);
  Result<ParsedDefinition> merge_heads(const Ledger& ledger, std::string_view identity,
                                       const Texts& given, std::string& conflict) const;
  // Whether the cache has it.
  enum class Saved { kNo, kYes };
  void remember(const std::string& identity, const std::string& tip, Ledger ledger, Saved saved);

  // One plan's ledger. The cache gets it when another takes its place or the store closes: a run
  // would otherwise write the whole ledger at each flush.
  struct Memory {
    std::string identity, tip;
    Ledger ledger;
    Saved saved = Saved::kYes;
  };
  void save() const;
  std::optional<Memory> memory_;
  std::string self_;
  std::optional<ParsedDefinition> parsed_;
  struct Merged {
    std::string heads;
    ParsedDefinition definition;
    std::string conflict;
  };
  std::optional<Merged> merged_;
};

// `state`: as people see it; of a definition that did not merge, conflicted.
Summary summary_of(std::string_view id, const Plan& plan, const Ledger& ledger, PlanState state);
PlanState shown_state(const Ledger& ledger, bool conflicted);
Millis current_time();
Error no_such_plan(std::string_view id, const std::string& fault);
// `tip`: the newest commit of it that is known; empty: none.
Error ref_is_gone(std::string_view id, const std::string& tip);

}  // namespace gitplan
