// One commit on a plan's chain: segment, definition, ledger, attachments, summary; then the ref.
#include <git2/sys/commit.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>

#include "core/journal/event_codec.h"
#include "core/ledger/ledger_codec.h"
#include "refs/git/signature.h"
#include "refs/store/durable.h"
#include "refs/store/left_lock.h"
#include "refs/store/lock_wait.h"
#include "refs/store/message.h"
#include "refs/store/still_odb.h"
#include "refs/store/store_state.h"

namespace gitplan {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr std::chrono::seconds kPatienceWithStale{2};
constexpr int kStaleLock = 30;  // seconds: no git holds the lock of a ref for so long

// A lock of git's that a killed process left: waiting does not help.
bool stale(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && std::time(nullptr) - info.st_mtime > kStaleLock;
}

std::vector<std::string> definitions_named(const std::vector<Event>& events) {
  std::vector<std::string> names;
  for (const Event& event : events) {
    if (const auto* created = std::get_if<PlanCreated>(&event.body))
      names.push_back(created->definition);
    if (const auto* changed = std::get_if<DefinitionChanged>(&event.body))
      names.push_back(changed->definition);
  }
  std::erase(names, "");  // of a purge
  return names;
}

std::string definition_path(const std::string& oid) {
  return "definitions/" + oid.substr(0, 2) + "/" + oid;
}

// outputs/<task>.md: what the task's latest finished attempt left, for those that depend on it.
std::optional<std::string> rendered_output(const std::string& path, const Ledger& ledger) {
  constexpr std::string_view kFolder = "outputs/";
  const std::size_t slash = path.rfind('/');
  if (!path.starts_with(kFolder) || slash <= kFolder.size() || !path.ends_with(".md"))
    return std::nullopt;
  const std::string task = path.substr(kFolder.size(), slash - kFolder.size());
  const std::string attempt = path.substr(slash + 1, path.size() - slash - 4);
  if (ledger.tasks.contains(task + ".md")) return std::nullopt;  // whose folder has that name
  const auto& attempts = ledger.task(task).attempts;
  const auto last = std::find_if(attempts.rbegin(), attempts.rend(), [](const Attempt& one) {
    return one.output && one.outcome == "finished";
  });
  if (last == attempts.rend() || last->id != attempt) return std::nullopt;
  return std::string(kFolder) + task + ".md";
}

}  // namespace

Status Store::State::check_writable(std::string_view id, const Tip& tip) const {
  if (tip.format <= kStoreFormat) return {};
  return error(ErrorCode::kUnsupported,
               "plan '" + std::string(id) + "' is written in format " + std::to_string(tip.format) +
                   ", and this git plan writes format " + std::to_string(kStoreFormat),
               "install a newer git plan to change it; reading works");
}

Result<std::vector<TreeFile>> Store::State::files_of(const Tip* tip, const Addition& addition,
                                                     const Ledger& ledger,
                                                     const Settled* definition) {
  std::vector<TreeFile> files;
  const auto add = [&](std::string path, std::string_view text) -> Status {
    TreeFile file;
    GITPLAN_TRY_ASSIGN(file.blob, trees.write_blob(text));
    file.path = std::move(path);
    files.push_back(std::move(file));
    return {};
  };
  if (tip == nullptr) GITPLAN_TRY(add("format", std::to_string(kStoreFormat) + "\n"));

  std::map<std::string, std::string> segments;  // by actor
  for (const Event& event : addition.events) segments[event.actor] += to_line(event) + "\n";
  for (const auto& [writer, text] : segments) {
    GITPLAN_TRY_ASSIGN(std::string path,
                       trees.next_segment(tip == nullptr ? nullptr : &tip->commit.tree, writer));
    GITPLAN_TRY(add(std::move(path), text));
  }

  const std::string identity = tip == nullptr ? std::string() : tip->identity;
  for (const std::string& oid : definitions_named(addition.events)) {
    const auto given = addition.definitions.find(oid);
    if (given != addition.definitions.end()) {
      GITPLAN_TRY(add(definition_path(oid), given->second));
    } else {
      GITPLAN_TRY_ASSIGN(const std::string text, definition_text(oid, identity));
      GITPLAN_TRY(add(definition_path(oid), text));
    }
    if (hex(files.back().blob) != oid)
      return error(ErrorCode::kInvalid,
                   "the text of definition " + oid + " has another id, " + hex(files.back().blob));
  }
  if (definition != nullptr) {
    if (ledger.heads.size() > 1) {
      GITPLAN_TRY(add("plan.md", definition->definition->text));
    } else {
      TreeFile plan{"plan.md", {}};
      if (!parse_oid(ledger.heads.front(), plan.blob))
        return error(ErrorCode::kInvalid, "'" + ledger.heads.front() + "' names no definition");
      files.push_back(std::move(plan));
    }
  }
  for (const Attachment& attachment : addition.attachments) {
    if (const std::string fault = attachment_fault(attachment.path); !fault.empty())
      return error(ErrorCode::kInvalid, "the path '" + attachment.path + "' " + fault);
    GITPLAN_TRY(add(attachment.path, attachment.content));
    if (auto rendered = rendered_output(attachment.path, ledger))
      files.push_back({std::move(*rendered), files.back().blob});
  }
  GITPLAN_TRY(add("ledger.json", ledger_to_json(ledger)));
  // A file that is given twice counts as given last; libgit2 takes a path once only.
  std::stable_sort(files.begin(), files.end(),
                   [](const TreeFile& a, const TreeFile& b) { return a.path < b.path; });
  const auto first =
      std::unique(files.rbegin(), files.rend(),
                  [](const TreeFile& a, const TreeFile& b) { return a.path == b.path; });
  files.erase(files.begin(), first.base());
  return files;
}

Result<Store::State::Built> Store::State::build(std::string_view id, const Tip* tip,
                                                const Addition& addition, const Ledger& ledger) {
  {
    const StillOdb still(repository.raw());
    if (auto built = build_now(id, tip, addition, ledger); built.ok()) return built;
  }
  return build_now(id, tip, addition, ledger);
}

Result<Store::State::Built> Store::State::build_now(std::string_view id, const Tip* tip,
                                                    const Addition& addition,
                                                    const Ledger& ledger) {
  Built built;
  std::optional<Settled> definition;
  if (!ledger.heads.empty()) {
    GITPLAN_TRY_ASSIGN(definition,
                       settled(ledger, tip == nullptr ? "" : tip->identity, addition.definitions));
  }
  GITPLAN_TRY_ASSIGN(const auto files,
                     files_of(tip, addition, ledger, definition ? &*definition : nullptr));
  const git_oid* base = tip == nullptr ? nullptr : &tip->commit.tree;
  GITPLAN_TRY_ASSIGN(built.commit.tree, trees.write_tree(base, files, built.objects));
  if (tip != nullptr && git_oid_equal(&built.commit.tree, &tip->commit.tree)) {
    built.commit = tip->commit;
    return built;
  }
  const Plan nothing;
  const Plan& plan = definition ? definition->definition->plan : nothing;
  const PlanState state = shown_state(ledger, definition && definition->conflicted);
  std::string subject = addition.subject.empty() ? subject_of(addition.events) : addition.subject;
  if (subject.empty()) subject = "Attach files";
  built.commit.message = compose_message(subject, summary_of(id, plan, ledger, state),
                                         tip == nullptr ? "" : tip->identity);
  if (!addition.purged.empty())
    built.commit.message += std::string(kPurgedTrailer) + ": " + addition.purged + "\n";
  GITPLAN_TRY_ASSIGN(const Signatures who, signatures(repository));
  const git_oid* parent = tip == nullptr ? nullptr : &tip->commit.id;
  // git_commit_create_from_ids does not check what was written a moment ago.
  if (const int code =
          git_commit_create_from_ids(&built.commit.id, repository.raw(), nullptr, who.author.get(),
                                     who.committer.get(), nullptr, built.commit.message.c_str(),
                                     &built.commit.tree, parent == nullptr ? 0 : 1, &parent);
      code != 0)
    return libgit2_error("cannot write a commit of plan '" + std::string(id) + "'", code);
  if (parent != nullptr) built.commit.parents.push_back(*parent);
  built.objects.push_back(built.commit.id);
  GITPLAN_TRY(write_out_objects(repository.common_dir(), built.objects));
  return built;
}

// One try a call. Not moved and no error: somebody was faster, or holds a lock.
Status Store::State::move_ref(std::string_view id, const Tip* tip, const git_oid& commit,
                              bool& moved) {
  const std::string ref = std::string(kPlanRefs) + std::string(id);
  const git_oid nothing{};
  Handle<git_reference> result;
  const int code =
      git_reference_create_matching(result.out(), repository.raw(), ref.c_str(), &commit, 1,
                                    tip == nullptr ? &nothing : &tip->commit.id, "git plan");
  moved = code == 0;
  if (moved) return flush_ref(repository.common_dir(), ref);
  switch (code) {
    case GIT_ELOCKED:
    case GIT_EMODIFIED:
    case GIT_EEXISTS:
    case GIT_ENOTFOUND: return {};
    default: break;
  }
  // `git pack-refs` removes the folder refs/plans when it has packed the last ref in it, also
  // between libgit2's look at it and its lock there.
  const git_error* why = git_error_last();
  if (why != nullptr && why->klass == GIT_ERROR_OS && why->message != nullptr &&
      std::string_view(why->message).find("No such file or directory") != std::string_view::npos)
    return {};
  return libgit2_error("cannot move " + ref, code);
}

Result<Tip> Store::State::commit(std::string_view id, Tip tip, Addition addition,
                                 std::optional<Ledger> folded) {
  const std::vector<Event> events = addition.events;
  const std::string lock =
      repository.common_dir() + "/" + std::string(kPlanRefs) + std::string(id) + ".lock";
  const std::string packed_lock = repository.common_dir() + "/packed-refs.lock";
  LockWait patience(stale(packed_lock) ? kPatienceWithStale : kPatience);
  while (true) {
    GITPLAN_TRY(check_writable(id, tip));
    if (!folded) {
      GITPLAN_TRY_ASSIGN(addition.events, not_at(tip, events));
      GITPLAN_TRY_ASSIGN(Folded all, fold_with(tip, addition.events, Keep::kTaken));
      if (!all.damage.empty())
        return error(ErrorCode::kInvalid,
                     "the journal of plan '" + std::string(id) +
                         "' is damaged: " + all.damage.front().message,
                     all.damage.front().fix);
      folded = std::move(all.ledger);
    }
    GITPLAN_TRY_ASSIGN(Built built, build(id, &tip, addition, *folded));
    if (git_oid_equal(&built.commit.id, &tip.commit.id)) {
      // Taken out above, and nothing else comes in its place.
      if (!memory_) remember(tip.identity, hex(tip.commit.id), std::move(*folded), Saved::kNo);
      return tip;
    }
    while (true) {
      bool moved = false;
      GITPLAN_TRY(move_ref(id, &tip, built.commit.id, moved));
      if (moved) {
        remember(tip.identity, hex(built.commit.id), std::move(*folded), Saved::kNo);
        tip.commit = std::move(built.commit);
        return tip;
      }
      if (remove_left_lock(lock)) continue;
      if (!patience.wait())
        return error(ErrorCode::kBusy,
                     "cannot move refs/plans/" + std::string(id) + ": " +
                         (stale(packed_lock) ? packed_lock : lock) + " is held",
                     "another git process is at work here; where none is, remove the file");
      GITPLAN_TRY_ASSIGN(const git_oid now, trees.ref_target(id));
      if (git_oid_equal(&now, &tip.commit.id)) continue;
      GITPLAN_TRY_ASSIGN(tip, trees.at(id, now));
      folded.reset();
      break;
    }
  }
}

Result<Tip> Store::State::commit_root(std::string_view id, const Addition& addition,
                                      const Ledger& ledger) {
  GITPLAN_TRY_ASSIGN(Built built, build(id, nullptr, addition, ledger));
  LockWait patience(kPatience);
  bool moved = false;
  while (true) {
    GITPLAN_TRY(move_ref(id, nullptr, built.commit.id, moved));
    if (moved) break;
    if (trees.ref_target(id).ok())
      return error(ErrorCode::kRefused, "a plan '" + std::string(id) + "' exists already");
    if (remove_left_lock(repository.common_dir() + "/" + std::string(kPlanRefs) + std::string(id) +
                         ".lock"))
      continue;
    if (!patience.wait())
      return error(
          ErrorCode::kBusy,
          "cannot make refs/plans/" + std::string(id) + ": its lock or packed-refs.lock is held",
          "another git process is at work here; where none is, remove the lock file in " +
              repository.common_dir());
  }
  remember(hex(built.commit.id), hex(built.commit.id), ledger, Saved::kNo);
  return trees.tip(id);
}

Result<git_oid> Store::State::purged_root_of(std::string_view id, const Tip& old,
                                             const Addition& addition, const Ledger& ledger) {
  Addition root = addition;
  root.purged = old.identity;
  GITPLAN_TRY_ASSIGN(const Built built, build(id, nullptr, root, ledger));
  return built.commit.id;
}

}  // namespace gitplan
