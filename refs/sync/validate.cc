#include "refs/sync/validate.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>

#include "core/base/plain_text.h"
#include "core/journal/event_codec.h"
#include "core/ledger/arrival_rules.h"
#include "core/plan/plan_file.h"
#include "refs/store/message.h"
#include "refs/store/store.h"

namespace gitplan {
namespace {

constexpr std::size_t kMostCommits = 500'000;
constexpr std::size_t kMostBytes = 64u << 20;  // of one file
constexpr std::size_t kMostEntries = 100'000;  // of one folder
constexpr int kDeepest = 8;
constexpr std::size_t kLongestName = 255;

// How far a journal goes at a commit, by actor.
struct Chain {
  std::string last_id;
  std::uint64_t clock = 0, events = 0;
};
using Chains = std::map<std::string, Chain>;

// One actor's events are a chain, so whoever has more of it has all of it.
void unite(Chains& chains, const Chains& others) {
  for (const auto& [actor, other] : others)
    if (Chain& mine = chains[actor]; other.events > mine.events) mine = other;
}

std::uint64_t count_of(const Chains& chains) {
  std::uint64_t count = 0;
  for (const auto& [actor, chain] : chains) count += chain.events;
  return count;
}

bool is_hex(std::string_view text, std::size_t size) {
  return text.size() == size &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string segment_path_fault(const Segment& segment) {
  const std::string& path = segment.path;
  constexpr std::size_t kActorDigits = 12;
  const std::string_view rest = std::string_view(path).substr(8);  // after "journal/"
  const std::string fault = path + " is not the path of a segment";
  if (!is_hex(segment.actor, kActorDigits) || rest.size() != kActorDigits + 19) return fault;
  const std::string_view a = rest.substr(13, 2), b = rest.substr(16, 2), file = rest.substr(19, 6);
  if (rest[12] != '/' || rest[15] != '/' || rest[18] != '/' || !is_hex(file, 6) ||
      file.substr(0, 2) != a || file.substr(2, 2) != b || rest.substr(25) != ".jsonl")
    return fault;
  return {};
}

class Validation {
 public:
  Validation(const Repository& repository, std::string_view identity)
      : repository_(repository), trees_(repository), identity_(identity) {}

  Status run(const git_oid* known, const git_oid& theirs) {
    GITPLAN_TRY_ASSIGN(const std::vector<git_oid> order, new_commits(known, theirs));
    for (const git_oid& id : order) {
      GITPLAN_TRY_ASSIGN(const RawCommit commit, trees_.commit(id));
      Chains chains;
      if (Status status = check(commit, known, chains); !status.ok())
        return error(ErrorCode::kInvalid,
                     "commit " + hex(id).substr(0, 12) + ": " + status.error().message,
                     "whoever pushed it has to mend it; nothing of it was taken");
      chains_.emplace(hex(id), std::move(chains));
    }
    return {};
  }

 private:
  // Parents before children.
  Result<std::vector<git_oid>> new_commits(const git_oid* known, const git_oid& theirs) const {
    Handle<git_revwalk> walk;
    int code = git_revwalk_new(walk.out(), repository_.raw());
    if (code == 0) code = git_revwalk_sorting(walk.get(), GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
    if (code == 0) code = git_revwalk_push(walk.get(), &theirs);
    if (code == 0 && known != nullptr) code = git_revwalk_hide(walk.get(), known);
    std::vector<git_oid> order;
    git_oid id;
    while (code == 0 && (code = git_revwalk_next(&id, walk.get())) == 0) {
      if (order.size() == kMostCommits)
        return failed("it has more than " + std::to_string(kMostCommits) + " commits");
      order.push_back(id);
    }
    if (code != GIT_ITEROVER) return libgit2_error("cannot walk along the plan's commits", code);
    return order;
  }

  Result<const Chains*> chains_at(const git_oid& id) {
    const std::string key = hex(id);
    if (const auto found = chains_.find(key); found != chains_.end()) return &found->second;
    GITPLAN_TRY_ASSIGN(const RawCommit commit, trees_.commit(id));
    GITPLAN_TRY_ASSIGN(const auto segments, trees_.segments(commit.tree));
    std::vector<Diagnostic> ignored;
    GITPLAN_TRY_ASSIGN(const auto events, trees_.events(segments, ignored));
    Chains chains;
    for (const Event& event : events) {
      Chain& chain = chains[event.actor];
      chain = {event.id, event.clock, chain.events + 1};
    }
    return &chains_.emplace(key, std::move(chains)).first->second;
  }

  Status check(const RawCommit& commit, const git_oid* known, Chains& chains) {
    if (commit.parents.empty() && hex(commit.id) != identity_)
      return failed("it begins another plan");
    if (commit.parents.empty() && known != nullptr) return failed("it begins the plan once more");
    if (commit.parents.size() > 2) return failed("it has more than two parents");
    if (!commit.parents.empty()) {
      const auto facts = parse_message(commit.message);
      if (!facts || facts->identity != identity_)
        return failed("its message does not name the plan's root " + identity_);
    }
    std::vector<git_oid> before;
    for (const git_oid& parent : commit.parents) {
      GITPLAN_TRY_ASSIGN(const Chains* known_chains, chains_at(parent));
      unite(chains, *known_chains);
      GITPLAN_TRY_ASSIGN(const RawCommit raw, trees_.commit(parent));
      GITPLAN_TRY_ASSIGN(const auto lost, trees_.segments(raw.tree, &commit.tree));
      if (!lost.empty())
        return failed("it changed or removed " + lost.front().path + ", which never changes");
      before.push_back(raw.tree);
    }
    GITPLAN_TRY(folder(commit.tree, before, "", 0));
    return events(commit, before, chains);
  }

  // What the commit has that none of those before it has.
  Status folder(const git_oid& id, const std::vector<git_oid>& before, const std::string& path,
                int depth) {
    if (!seen_.insert(hex(id)).second) return {};
    if (depth > kDeepest) return failed(path + " is nested too deep");
    Handle<git_tree> tree;
    if (const int code = git_tree_lookup(tree.out(), repository_.raw(), &id); code != 0)
      return libgit2_error("cannot read the folder '" + path + "'", code);
    const std::size_t count = git_tree_entrycount(tree.get());
    if (count > kMostEntries) return failed("the folder '" + path + "' has too many entries");
    std::vector<Handle<git_tree>> olds;
    for (const git_oid& old : before)
      if (Handle<git_tree> one; git_tree_lookup(one.out(), repository_.raw(), &old) == 0)
        olds.push_back(std::move(one));
    for (std::size_t i = 0; i < count; ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
      const std::string name = git_tree_entry_name(entry);
      const git_oid& at = *git_tree_entry_id(entry);
      std::vector<git_oid> below;
      bool there = false;
      for (const auto& old : olds) {
        const git_tree_entry* same = git_tree_entry_byname(old.get(), name.c_str());
        if (same == nullptr) continue;
        there = there || git_oid_equal(git_tree_entry_id(same), &at);
        if (git_tree_entry_type(same) == GIT_OBJECT_TREE) below.push_back(*git_tree_entry_id(same));
      }
      if (there) continue;
      const std::string whole = path.empty() ? name : path + "/" + name;
      if (!good_name(name))
        return failed("'" + one_line(std::string_view(whole).substr(0, 120)) + "' is no name here");
      if (git_tree_entry_filemode(entry) == GIT_FILEMODE_TREE) {
        GITPLAN_TRY(folder(at, below, whole, depth + 1));
      } else if (git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB) {
        GITPLAN_TRY(file(at, whole));
      } else {
        return failed(whole + " is neither a file nor a folder");
      }
    }
    return {};
  }

  static bool good_name(std::string_view name) {
    return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
           std::none_of(name.begin(), name.end(), [](char c) {
             return static_cast<unsigned char>(c) < ' ' || c == 0x7F || c == '\\' || c == ':';
           });
  }

  Status file(const git_oid& id, const std::string& path) const {
    Handle<git_odb> odb;
    std::size_t size = 0;
    git_object_t type{};
    int code = git_repository_odb(odb.out(), repository_.raw());
    if (code == 0) code = git_odb_read_header(&size, &type, odb.get(), &id);
    if (code != 0) {
      // A partial clone: git fetches it.
      GITPLAN_TRY_ASSIGN(const std::string text, trees_.blob(id));
      size = text.size();
    }
    if (size > kMostBytes) return failed(path + " is larger than 64 MiB");
    if (!path.starts_with("definitions/")) return {};
    const std::string name = hex(id);
    if (path != "definitions/" + name.substr(0, 2) + "/" + name)
      return failed(path + " is not the text that its name says");
    if (size > kMaxPlanBytes) return failed("the definition " + name + " is larger than 4 MiB");
    return {};
  }

  Status events(const RawCommit& commit, const std::vector<git_oid>& before, Chains& chains) {
    std::vector<Segment> fresh;
    if (before.empty()) {
      GITPLAN_TRY_ASSIGN(fresh, trees_.segments(commit.tree));
    } else {
      GITPLAN_TRY_ASSIGN(fresh, trees_.segments(commit.tree, &before.front()));
      for (std::size_t i = 1; i < before.size(); ++i) {
        GITPLAN_TRY_ASSIGN(const auto others, trees_.segments(commit.tree, &before[i]));
        std::erase_if(fresh, [&](const Segment& one) {
          return std::none_of(others.begin(), others.end(),
                              [&](const Segment& other) { return other.path == one.path; });
        });
      }
    }
    std::uint64_t highest = 0;
    for (const Segment& segment : fresh) {
      if (std::string fault = segment_path_fault(segment); !fault.empty())
        return failed(std::move(fault));
      GITPLAN_TRY_ASSIGN(const std::string text, trees_.blob(segment.blob));
      GITPLAN_TRY(lines(segment, text, commit.tree, chains[segment.actor]));
    }
    for (const auto& [actor, chain] : chains) highest = std::max(highest, chain.clock);
    if (const std::uint64_t count = count_of(chains); highest > count)
      return failed("its clock is " + std::to_string(highest) + ", and it has only " +
                    std::to_string(count) + " events");
    return {};
  }

  Status lines(const Segment& segment, std::string_view text, const git_oid& tree,
               Chain& chain) const {
    for (int number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const auto event = from_line(line);
      const auto refused = [&](const std::string& why) {
        return failed(segment.path + " line " + std::to_string(number) + " " + why);
      };
      if (!event.ok()) return refused("is no event: " + event.error().message);
      if (event->actor != segment.actor) return refused("is of another actor");
      if (event->clock <= chain.clock && chain.events > 0)
        return refused("does not come after its actor's event before it");
      if (!id_fits(line, chain.last_id))
        return refused("does not have the id that follows from it");
      if (const std::string fault = arrival_fault(*event); !fault.empty()) return refused(fault);
      for (const std::string& oid : definitions_of(*event)) {
        GITPLAN_TRY_ASSIGN(const auto there,
                           trees_.entry(tree, "definitions/" + oid.substr(0, 2) + "/" + oid));
        if (!there) return refused("names a definition that is not there, " + oid);
      }
      chain = {event->id, event->clock, chain.events + 1};
    }
    return {};
  }

  static std::vector<std::string> definitions_of(const Event& event) {
    const auto* created = std::get_if<PlanCreated>(&event.body);
    const auto* changed = std::get_if<DefinitionChanged>(&event.body);
    if (created != nullptr && !created->definition.empty()) return {created->definition};
    if (changed != nullptr && !changed->definition.empty()) return {changed->definition};
    return {};
  }

  const Repository& repository_;
  PlanTrees trees_;
  std::string identity_;
  std::map<std::string, Chains> chains_;  // by commit
  std::set<std::string> seen_;            // folders
};

}  // namespace

Status validate_arrival(const Repository& repository, std::string_view identity,
                        const git_oid* known, const git_oid& theirs) {
  return Validation(repository, identity).run(known, theirs);
}

}  // namespace gitplan
