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

std::string fault_of(const Outcome& outcome) {
  std::string words = outcome.error;
  while (words.ends_with('\n')) words.pop_back();
  if (words.empty()) words = "git merge-tree ended with " + std::to_string(outcome.exit_status);
  return words;
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

Result<MergeRun> merge_trees_singly(const Git& git,
                                    const std::vector<std::pair<std::string, std::string>>& pairs) {
  MergeRun result;
  for (const auto& [ours, theirs] : pairs) {
    GitCall call;
    call.args = {"merge-tree", "--write-tree", "-z", "--messages", ours, theirs};
    GITPLAN_TRY_ASSIGN(const Outcome outcome, git.call(call));
    std::vector<MergeOutcome> one;
    if (outcome.exit_status <= 1) {  // the same record, but for its first and last field
      const char clean[] = {outcome.exit_status == 0 ? '1' : '0', '\0'};
      one = parse_merge_tree(std::string(clean, 2) + outcome.output + '\0');
    }
    if (one.size() != 1) {
      result.fault = fault_of(outcome);
      break;
    }
    result.outcomes.push_back(std::move(one.front()));
  }
  return result;
}

Result<MergeRun> merge_trees(const Git& git,
                             const std::vector<std::pair<std::string, std::string>>& pairs) {
  GitCall call;
  call.args = {"merge-tree", "--write-tree", "--stdin", "--messages"};
  for (const auto& [ours, theirs] : pairs) call.input += ours + " " + theirs + "\n";
  GITPLAN_TRY_ASSIGN(const Outcome outcome, git.call(call));
  constexpr int kUsage = 129;
  if (outcome.exit_status == kUsage) return merge_trees_singly(git, pairs);
  MergeRun result;
  result.outcomes = parse_merge_tree(outcome.output);
  if (result.outcomes.size() < pairs.size()) result.fault = fault_of(outcome);
  return result;
}

}  // namespace gitplan
