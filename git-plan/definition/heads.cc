#include "git-plan/definition/heads.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace gitplan {
namespace {

// What a head was made from: the text that both sides changed.
std::string origin_of(const std::vector<Event>& events, const std::string& head) {
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const auto* changed = std::get_if<DefinitionChanged>(&event->body);
    if (changed != nullptr && changed->definition == head && !changed->replaces.empty())
      return changed->replaces.front();
  }
  return {};
}

}  // namespace

Result<std::string> text_of_heads(Context& context, const PlanView& view) {
  const std::vector<std::string>& heads = view.ledger.heads;
  if (view.ledger.state != PlanState::kConflicted) return view.text;
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::vector<Event> events, store->journal(view.id));
  GITPLAN_TRY_ASSIGN(std::string merged, store->blob(heads.front()));
  const std::filesystem::path folder =
      std::filesystem::path(repository->local_dir()) / "edit" / context.random_hex(8);
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  std::optional<Error> failure;
  for (std::size_t i = 1; i < heads.size() && !failure; ++i) {
    GITPLAN_TRY_ASSIGN(const std::string other, store->blob(heads[i]));
    std::string base;
    if (const std::string origin = origin_of(events, heads[i]); !origin.empty()) {
      GITPLAN_TRY_ASSIGN(base, store->blob(origin));
    }
    std::ofstream(folder / "ours", std::ios::binary) << merged;
    std::ofstream(folder / "base", std::ios::binary) << base;
    std::ofstream(folder / "theirs", std::ios::binary) << other;
    const GitCall call{.args = {"merge-file", "-p", "-L", "one change", "-L", "before", "-L",
                                "another change", "ours", "base", "theirs"},
                       .directory = folder,
                       .environment = {},
                       .input = {},
                       .deadline = {}};
    const Result<Outcome> outcome = repository->git().call(call);
    if (!outcome)
      failure = outcome.error();
    else if (outcome->exit_status > 127)
      failure = failed("git merge-file failed: " + outcome->error);
    else
      merged = outcome->output;
  }
  std::filesystem::remove_all(folder, fault);
  if (failure) return *failure;
  return merged;
}

Status check_markers(std::string_view text, std::string_view file) {
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("<<<<<<< ") && !line.starts_with(">>>>>>> ")) continue;
    Diagnostic d;
    d.code = "conflict-marker";
    d.message = "a conflict marker is left";
    d.file = std::string(file);
    d.line = number;
    d.column = 1;
    d.fix = "keep one side, or write what both mean, and remove the marker";
    Error e = error(ErrorCode::kInvalid, std::string(file) + " has 1 error");
    e.diagnostics.push_back(std::move(d));
    return e;
  }
  return {};
}

}  // namespace gitplan
