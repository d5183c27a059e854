#include "refs/wave/merge_tree.h"

#include <cstdlib>
#include <optional>

namespace gitplan {
namespace {

class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}
  bool at_end() const { return text_.empty(); }
  // Nothing: the output was cut off.
  std::optional<std::string> next() {
    const std::size_t end = text_.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    std::string field(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return field;
  }

 private:
  std::string_view text_;
};

// "<mode> <id> <stage>\t<path>"
MergeStage stage_of(const std::string& field) {
  MergeStage stage;
  const std::size_t tab = field.find('\t');
  stage.mode = field.substr(0, 6);
  stage.id = field.substr(7, field.find(' ', 7) - 7);
  stage.stage = field[tab - 1] - '0';
  stage.path = field.substr(tab + 1);
  return stage;
}

bool read_messages(Fields& fields, MergeOutcome& outcome) {
  while (true) {
    const auto count = fields.next();
    if (!count) return false;
    if (count->empty()) return true;
    MergeMessage message;
    for (int i = std::atoi(count->c_str()); i > 0; --i) {
      auto path = fields.next();
      if (!path) return false;
      message.paths.push_back(std::move(*path));
    }
    auto type = fields.next();
    auto text = fields.next();
    if (!type || !text) return false;
    message.type = std::move(*type);
    message.text = std::move(*text);
    outcome.messages.push_back(std::move(message));
  }
}

bool read_outcome(Fields& fields, MergeOutcome& outcome) {
  const auto clean = fields.next();
  auto tree = fields.next();
  if (!clean || !tree) return false;
  outcome.clean = *clean == "1";
  outcome.tree = std::move(*tree);
  while (true) {
    const auto field = fields.next();
    if (!field) return false;
    if (field->empty()) return read_messages(fields, outcome);
    if (field->find('\t') == std::string::npos || field->size() < 12) return false;
    outcome.stages.push_back(stage_of(*field));
  }
}

}  // namespace

std::vector<MergeOutcome> parse_merge_tree(std::string_view output) {
  std::vector<MergeOutcome> result;
  Fields fields(output);
  while (!fields.at_end()) {
    MergeOutcome outcome;
    if (!read_outcome(fields, outcome)) break;
    result.push_back(std::move(outcome));
  }
  return result;
}

Result<MergeRun> merge_trees(const Git& git,
                             const std::vector<std::pair<std::string, std::string>>& pairs) {
  GitCall call;
  call.args = {"merge-tree", "--write-tree", "--stdin", "--messages"};
  for (const auto& [ours, theirs] : pairs) call.input += ours + " " + theirs + "\n";
  GITPLAN_TRY_ASSIGN(const Outcome outcome, git.call(call));
  MergeRun result;
  result.outcomes = parse_merge_tree(outcome.output);
  if (result.outcomes.size() < pairs.size()) {
    result.fault = outcome.error;
    while (result.fault.ends_with('\n')) result.fault.pop_back();
    if (result.fault.empty())
      result.fault = "git merge-tree ended with " + std::to_string(outcome.exit_status);
  }
  return result;
}

}  // namespace gitplan
