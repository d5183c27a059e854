#include "refs/history/looked_at.h"

#include <filesystem>
#include <map>

#include "refs/fork/index_copy.h"
#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"

namespace gitplan::history {
namespace {

// Settings of the user's that would make `git add` fail or run something.
const std::vector<std::string> kQuiet{
    "-c", "core.hooksPath=/dev/null", "-c", "core.safecrlf=false",
    "-c", "core.fsmonitor=false",     "-c", "advice.addEmbeddedRepo=false"};

Error failure(const std::string& what, Outcome outcome) {
  while (outcome.error.ends_with('\n')) outcome.error.pop_back();
  return failed("git " + what + ": " + outcome.error);
}

}  // namespace

Result<LookedAt> LookedAt::make(const Repository& repository, const TraceTarget& target) {
  std::error_code code;
  const std::string directory = std::filesystem::temp_directory_path(code);
  GITPLAN_TRY_ASSIGN(Quarantine objects,
                     Quarantine::make(repository, code ? std::string("/tmp") : directory));
  return LookedAt(repository, target, std::move(objects));
}

Result<Outcome> LookedAt::call(const std::string& index, std::vector<std::string> words,
                               const std::string& input) const {
  GitCall call;
  call.args = kQuiet;
  call.args.insert(call.args.end(), words.begin(), words.end());
  call.input = input;
  call.directory = outside_.work_tree();
  call.environment.emplace_back("GIT_INDEX_FILE", index);
  // A partial clone: what is missing stays so.
  call.environment.emplace_back("GIT_ALLOW_PROTOCOL", "none");
  return objects_.git(outside_.git()).call(call);
}

// A path in conflict has the content of our side, or of theirs where ours has none.
Status LookedAt::settle(const std::string& index) const {
  GITPLAN_TRY_ASSIGN(Outcome listed, call(index, {"ls-files", "-u", "-z"}));
  if (!listed.ok()) return failure("ls-files", std::move(listed));
  std::map<std::string, std::string> sides;  // "<mode> <id>"
  for (const std::string& entry : split_nul(listed.output)) {
    const std::size_t tab = entry.find('\t');
    if (tab == std::string::npos || tab < 2) continue;
    std::string& side = sides[entry.substr(tab + 1)];
    const char stage = entry[tab - 1];
    if (stage == '2' || (stage == '3' && side.empty())) side = entry.substr(0, tab - 2);
  }
  if (sides.empty()) return {};
  std::string input;
  for (const auto& [path, side] : sides) {
    input += "0 " + std::string(40, '0') + "\t" + path + '\0';
    if (!side.empty()) input += side + " 0\t" + path + '\0';
  }
  GITPLAN_TRY_ASSIGN(Outcome settled, call(index, {"update-index", "-z", "--index-info"}, input));
  return settled.ok() ? Status() : Status(failure("update-index", std::move(settled)));
}

Result<std::string> LookedAt::tree(bool untracked) const {
  const std::string original =
      target_.index.empty() ? outside_.git_dir() + "/index" : target_.index;

  const std::string index = objects_.directory() + "/index";  // and gone with it
  if (exists(original)) GITPLAN_TRY(copy_index(original, index));
  if (target_.kind == TraceTarget::Kind::WorkTree) {
    GITPLAN_TRY_ASSIGN(Outcome added, call(index, {"add", untracked ? "-A" : "-u",
                                                   "--ignore-errors", "--", ":/"}));
    // With 1 it added all but what it cannot read.
    if (added.exit_status > 1) return failure("add", std::move(added));
  }
  GITPLAN_TRY(settle(index));
  GITPLAN_TRY_ASSIGN(Outcome written, call(index, {"write-tree", "--missing-ok"}));
  if (!written.ok()) return failure("write-tree", std::move(written));
  return written.output.substr(0, written.output.find('\n'));
}

}  // namespace gitplan::history
