// What the heads of a definition come to: the one text, or several merged in their order.
#include <git2/merge.h>

#include <algorithm>
#include <set>

#include "core/plan/definition_merge.h"
#include "refs/store/store_state.h"

namespace gitplan {
namespace {

git_merge_file_input input_of(std::string_view text) {
  git_merge_file_input input = GIT_MERGE_FILE_INPUT_INIT;
  input.ptr = text.data();
  input.size = text.size();
  return input;
}

std::optional<std::string> merge_lines(std::string_view base, std::string_view ours,
                                       std::string_view theirs) {
  if (ours == theirs || theirs == base) return std::string(ours);
  if (ours == base) return std::string(theirs);
  const git_merge_file_input inputs[] = {input_of(base), input_of(ours), input_of(theirs)};
  git_merge_file_result result{};
  const int code = git_merge_file(&result, &inputs[0], &inputs[1], &inputs[2], nullptr);
  std::optional<std::string> merged;
  if (code == 0 && result.automergeable != 0 && result.ptr != nullptr)
    merged = std::string(result.ptr, result.len);
  git_merge_file_result_free(&result);
  return merged;
}

const DefinitionStep* step_to(const Ledger& ledger, const std::string& definition) {
  const auto found =
      std::find_if(ledger.lineage.rbegin(), ledger.lineage.rend(),
                   [&](const DefinitionStep& step) { return step.definition == definition; });
  return found == ledger.lineage.rend() ? nullptr : &*found;
}

// A text and all that it was made from, nearest first.
std::vector<std::string> ancestors(const Ledger& ledger, const std::string& definition) {
  std::vector<std::string> found{definition};
  std::set<std::string> seen{definition};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const DefinitionStep* step = step_to(ledger, found[i]);
    if (step == nullptr) continue;
    for (const std::string& before : step->replaces)
      if (seen.insert(before).second) found.push_back(before);
  }
  return found;
}

// The nearest text that a head and one of those before it were both made from; empty: unknown.
std::string base_of(const Ledger& ledger, std::size_t head) {
  std::set<std::string> before;
  for (std::size_t i = 0; i < head; ++i)
    for (std::string& one : ancestors(ledger, ledger.heads[i])) before.insert(std::move(one));
  for (const std::string& one : ancestors(ledger, ledger.heads[head]))
    if (before.contains(one)) return one;
  return {};
}

}  // namespace

Result<ParsedDefinition> Store::State::merge_heads(const Ledger& ledger, std::string_view identity,
                                                   const Texts& given,
                                                   std::string& conflict) const {
  const auto text_of = [&](const std::string& oid) -> Result<std::string> {
    const auto found = given.find(oid);
    return found == given.end() ? definition_text(oid, identity)
                                : Result<std::string>(found->second);
  };
  GITPLAN_TRY_ASSIGN(std::string first, text_of(ledger.heads.front()));
  std::string merged = first;
  for (std::size_t i = 1; i < ledger.heads.size() && conflict.empty(); ++i) {
    std::string base;
    if (const std::string oid = base_of(ledger, i); !oid.empty()) {
      GITPLAN_TRY_ASSIGN(base, text_of(oid));
    }
    GITPLAN_TRY_ASSIGN(const std::string other, text_of(ledger.heads[i]));
    MergedText both = merge_definitions(base, merged, other, merge_lines);
    merged = std::move(both.text);
    conflict = std::move(both.conflict);
  }
  if (conflict.empty()) {
    auto plan = parse_plan(merged);
    if (plan.ok())
      return ParsedDefinition{blob_id(merged), std::move(merged), std::move(plan->plan),
                              std::move(plan->warnings)};
    conflict = "together they are no plan: " + (plan.error().diagnostics.empty()
                                                    ? plan.error().message
                                                    : plan.error().diagnostics.front().message);
  }
  return read_definition(ledger.heads.front(), identity, &first);
}

Result<Store::State::Settled> Store::State::settled(const Ledger& ledger, std::string_view identity,
                                                    const Texts& given) {
  if (ledger.heads.size() == 1) {
    const auto text = given.find(ledger.heads.front());
    GITPLAN_TRY_ASSIGN(
        const ParsedDefinition* definition,
        parsed(ledger.heads.front(), identity, text == given.end() ? nullptr : &text->second));
    return Settled{definition, false, {}};
  }
  std::string key;
  for (const std::string& head : ledger.heads) key += head + " ";
  if (!merged_ || merged_->heads != key) {
    Merged merged;
    merged.heads = key;
    GITPLAN_TRY_ASSIGN(merged.definition, merge_heads(ledger, identity, given, merged.conflict));
    merged_ = std::move(merged);
  }
  return Settled{&merged_->definition, !merged_->conflict.empty(), merged_->conflict};
}

}  // namespace gitplan
