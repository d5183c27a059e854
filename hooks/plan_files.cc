#include "hooks/plan_files.h"

#include "core/plan/plan_file.h"
#include "core/plan/plan_text.h"
#include "refs/git/libgit2.h"
#include "refs/git/raw_changes.h"

namespace gitplan {
namespace {

constexpr std::size_t kFiles = 50;  // of one commit; a hook has no time for more
constexpr std::size_t kBytes = 1u << 20;
constexpr const char* kEmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";  // git knows it

// The front matter is there and has the key that only plans have.
bool says_it_is_a_plan(std::string_view text) {
  constexpr std::string_view kKey = "orchestration:";
  const PlanText parts = split_plan(text);
  for (std::size_t at = parts.yaml.find(kKey); at != std::string_view::npos;
       at = parts.yaml.find(kKey, at + 1))
    if (at == 0 || parts.yaml[at - 1] == '\n') return true;
  return false;
}

std::string text_of(const Repository& repository, const std::string& id) {
  git_oid oid;
  Handle<git_blob> blob;
  if (!parse_oid(id, oid) || git_blob_lookup(blob.out(), repository.raw(), &oid) != 0 ||
      static_cast<std::size_t>(git_blob_rawsize(blob.get())) > kBytes)
    return {};
  return {static_cast<const char*>(git_blob_rawcontent(blob.get())),
          static_cast<std::size_t>(git_blob_rawsize(blob.get()))};
}

}  // namespace

Result<std::vector<Diagnostic>> plan_file_faults(const Repository& repository,
                                                 const std::string& index) {
  std::vector<Diagnostic> faults;
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, repository.head_commit());
  GitCall call;
  const std::string base = head.value_or(kEmptyTree);
  call.args = {"diff-index",  "--cached",         "--raw", "-z", "--no-renames",
               "--no-abbrev", "--diff-filter=AM", base,    "--", "*.md"};
  if (!index.empty()) call.environment.emplace_back("GIT_INDEX_FILE", index);
  GITPLAN_TRY_ASSIGN(const Outcome outcome, repository.git().call(call));
  if (!outcome.ok()) return faults;
  std::vector<RawChange> changes = raw_changes(outcome.output);
  if (changes.size() > kFiles) changes.resize(kFiles);
  for (const RawChange& change : changes) {
    const std::string text = text_of(repository, change.id());
    if (!says_it_is_a_plan(text)) continue;
    const Result<ParsedPlan> parsed = parse_plan(text, change.path);
    if (parsed.ok()) continue;
    const auto& all = parsed.error().diagnostics;
    faults.insert(faults.end(), all.begin(), all.end());
  }
  return faults;
}

}  // namespace gitplan
