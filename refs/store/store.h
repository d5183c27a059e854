// The plans of a repository: refs/plans/<id>, read and written through libgit2.
//
// Every command goes through this. Reading takes no lock and sees what plain git did a moment ago;
// writing is one compare-and-swap of the ref, tried again with the intent applied to the new tip.
// What the tree of a plan's commit holds, the commit message and the local files are described in
// refs/store/FORMAT.md.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/journal/event.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"
#include "refs/git/repository.h"

namespace gitplan {

inline constexpr int kStoreFormat = 1;

// What `list` prints, from the tip commit's trailers (and the write-ahead file of a plan at work).
struct Summary {
  std::string id, title;
  PlanState state = PlanState::kActive;
  int done = 0, total = 0;
  std::vector<std::string> tags;
  Millis created = 0, last_activity = 0;
  int ttl_days = 0;  // 0: plan.ttlDays
  std::vector<std::string> former_names;
  std::string tip;    // commit id
  std::string fault;  // why this ref cannot be read as a plan; the rest is empty then
};

// One plan as it is now: journal and write-ahead file folded together, and its definition.
struct PlanView {
  std::string id;
  std::string identity;  // root commit id
  std::string tip;
  int format = kStoreFormat;
  std::string text;        // plan.md: of the head, of several merged, or of the first of them
  std::string definition;  // its blob id
  std::string conflict;    // what several heads do not agree about; empty: nothing
  Plan plan;
  Ledger ledger;
  std::vector<Diagnostic> warnings;  // of the definition
};

// Files of a plan's tree that come with events: outputs/…, waves/…
struct Attachment {
  std::string path;  // relative, no "..", checked
  std::string content;
};

class Store {
 public:
  static Result<Store> open(Repository& repository);
  Store(Store&&) noexcept;
  ~Store();

  // ---- reading ----
  // Every plan but `except`, deleted ones too; sorted by id.
  Result<std::vector<Summary>> list(std::string_view except = {}) const;
  // A plan by id, unique prefix, slug without its date, or a unique part of the title. kNotFound
  // with "did you mean", kAmbiguous with the candidates. Deleted plans are found by their whole id
  // only.
  Result<std::string> resolve(std::string_view name) const;
  Result<PlanView> load(std::string_view id) const;
  Result<PlanView> load_at(std::string_view id,
                           std::string_view change) const;  // a commit of its chain, or event id
  Result<std::vector<Event>> journal(std::string_view id) const;  // all events, folded order
  Result<std::optional<std::string>> file(std::string_view id, std::string_view path) const;
  Result<std::string> blob(std::string_view oid) const;

  // Plans that have files here, but no ref: somebody deleted refs/plans/<id>.
  struct Lost {
    std::string id, dir;  // its plan_dir()
    std::string tip;      // the newest commit of it that is known and there; empty: none
  };
  Result<std::vector<Lost>> lost() const;

  // ---- writing ----
  // A new plan with plan_created and more bodies. kRefused where the id is taken.
  Result<PlanView> create(std::string_view id, std::string_view text, const Plan& plan,
                          std::vector<EventBody> bodies, std::string_view subject);
  // `decide` sees the plan as it is and says what happens to it (an error: nothing is written; no
  // bodies: nothing either). It is called once, under the plan's lock: quick, no questions, no
  // change() in it. Bodies that do not fit are refused with the reason. Appended to the write-ahead
  // file, and flushed at once unless a run is at work on the plan or `flush` is false. Returns the
  // plan afterwards.
  struct Change {
    std::vector<EventBody> bodies;
    std::vector<std::string> definitions;  // texts that definition_changed names, by their blob id
    std::vector<Attachment> attachments;
    std::string subject;  // of the commit; empty: from the events
  };
  Result<PlanView> change(std::string_view id,
                          const std::function<Result<Change>(const PlanView&)>& decide,
                          bool flush = true);
  // A new chain in the place of a deleted plan's, for what must not be kept: a tombstone that holds
  // nothing of it but its name, and names its root. The old chain is still there; its ref is not.
  Status purge(std::string_view id);
  // Moves the write-ahead file into the plan's chain: a segment, the ledger, plan.md, attachments.
  // No commit where nothing is pending.
  Status flush(std::string_view id, std::vector<Attachment> attachments = {},
               std::string_view subject = {});

  // What another clone did up to `commit`, which is of the same plan and was found good
  // (refs/sync/validate.h): the ref moves to it, or to a commit that unites it with ours. That
  // commit is the same in every clone that unites the same two.
  struct Taken {
    enum class What { kNothing, kNew, kForward, kUnited } what = What::kNothing;
    std::string tip;  // where the plan stands now
  };
  Result<Taken> take_in(std::string_view id, std::string_view commit);

  // The blob id a text will have.
  static std::string blob_id(std::string_view text);

  const std::string& actor() const;
  bool actor_is_new_copy() const;
  // <common>/git-plan/plans/<identity>: run lock, attempts, logs of this plan.
  Result<std::string> plan_dir(std::string_view id) const;

  // ---- the run's side ----
  // One append of the engine: stamps the bodies, writes them ahead (durable before it returns), and
  // returns every event that is new since `seen` events of the plan's write-ahead history, others'
  // first as they lie.
  class Appender;
  Result<std::unique_ptr<Appender>> appender(std::string_view id) const;

  // Every plan folded again from its journal and compared with what is stored; object and segment
  // checks.
  Result<std::vector<Diagnostic>> fsck() const;

  struct State;  // refs/store/store_state.h

 private:
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The engine's way into the journal; lives as long as a run and holds the run lock.
class Store::Appender {
 public:
  virtual ~Appender() = default;
  // The plan when the appender was made; once.
  virtual PlanView take_view() = 0;
  // Called where others appended something that the caller has not seen, before anything is
  // written: takes away what that has overtaken.
  using Revise =
      std::function<void(const std::vector<Event>& others, std::vector<EventBody>& bodies)>;
  // Returns the events, stamped, in file order, including those that others appended since the last
  // call. Durable before it returns, or, where `durable` is false, after the next sync().
  virtual Result<std::vector<Event>> append(std::vector<EventBody> bodies, bool durable = true,
                                            const Revise& revise = {}) = 0;
  virtual Status sync() = 0;
  // Only what others appended.
  virtual Result<std::vector<Event>> poll() = 0;
  // What a pull brought is held back from the above: it belongs between events that the caller has
  // seen. Nothing: none came since the last call. The ledger has all of it, and what the file holds
  // but the caller has not seen yet.
  virtual Result<std::optional<PlanView>> arrived() = 0;
};

}  // namespace gitplan
