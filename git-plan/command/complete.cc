// `git plan complete`: what can come next on a command line, for the shells' completion scripts.
//
// Hidden. Takes the words after `git plan`, the last one unfinished, and prints a line a candidate:
// the word, a tab, what it is. ":file" alone asks the shell for names of files. It never fails:
// where it knows nothing it prints nothing.
#include <algorithm>

#include "git-plan/command/context.h"
#include "git-plan/command/table.h"

namespace gitplan {
namespace {

struct Candidate {
  std::string word, what;
};
using Candidates = std::vector<Candidate>;

constexpr std::string_view kFiles = ":file";

Candidates commands() {
  Candidates found;
  for (const CommandInfo* command : all_commands())
    if (command->group != Group::kHidden)
      found.push_back({std::string(command->name), std::string(command->summary)});
  return found;
}

// The line up to the unfinished word, as the command's declaration reads it.
class Line {
 public:
  Line(const CommandInfo& command, const std::vector<std::string>& words)
      : options_(options_of(command)), command_(command) {
    for (std::size_t i = 1; i + 1 < words.size(); ++i) take(words[i]);
    current = words.back();
    // Bash breaks "--status=act" into three words.
    if (current == "=" && waiting_ != nullptr) current.clear();
  }

  std::string current;
  const std::vector<std::string>& positionals() const { return positionals_; }
  const std::vector<OptionInfo>& options() const { return options_; }

  // The option whose value is being written; `current` is its beginning then.
  const OptionInfo* value_of() {
    if (waiting_ != nullptr) return waiting_;
    const std::size_t equals = current.find('=');
    if (ended_ || !current.starts_with("--") || equals == std::string::npos) return nullptr;
    const OptionInfo* option = find(current.substr(0, equals));
    if (option == nullptr || option->argument.empty()) return nullptr;
    before = current.substr(0, equals + 1);
    current.erase(0, equals + 1);
    return option;
  }
  bool wants_option() const { return !ended_ && current.starts_with('-'); }
  PositionalInfo next_positional() const {
    const std::size_t at = positionals_.size();
    const auto& declared = command_.positionals;
    if (at < declared.size()) return declared[at];
    return !declared.empty() && declared.back().repeatable ? declared.back() : PositionalInfo{};
  }

  std::string before;  // "--status=", of a value that is written in one word with its option

 private:
  void take(const std::string& word) {
    if (waiting_ != nullptr) {
      if (word != "=") waiting_ = nullptr;
    } else if (ended_ || !word.starts_with('-') || word == "-") {
      positionals_.push_back(word);
    } else if (word == "--") {
      ended_ = true;
    } else if (const OptionInfo* option = find(word);
               option != nullptr && !option->argument.empty()) {
      waiting_ = option;
    }
  }

  const OptionInfo* find(const std::string& word) const {
    for (const OptionInfo& option : options_)
      if (option.name == word || option.letter == word) return &option;
    return nullptr;
  }

  std::vector<OptionInfo> options_;
  const CommandInfo& command_;
  std::vector<std::string> positionals_;
  const OptionInfo* waiting_ = nullptr;
  bool ended_ = false;
};

Candidates words_of(std::string_view words) {
  Candidates found;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    found.push_back({std::string(words.substr(0, end)), ""});
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return found;
}

Candidates plans(Context& context) {
  Candidates found;
  const auto store = context.store();
  if (!store) return found;
  if (const auto all = (*store)->list())
    for (const Summary& summary : *all)
      if (summary.fault.empty() && summary.state != PlanState::kDeleted)
        found.push_back({summary.id, summary.title});
  return found;
}

Candidates remotes(Context& context) {
  Candidates found;
  const auto repository = context.repository();
  const auto names = repository ? (*repository)->git().read({"remote"}) : Result<std::string>("");
  for (std::size_t at = 0; names.ok() && at < names->size();) {
    const std::size_t end = std::min(names->find('\n', at), names->size());
    found.push_back({names->substr(at, end - at), ""});
    at = end + 1;
  }
  return found;
}

// Of the plan that the line names.
Candidates things(Context& context, const Line& line, Completes kind) {
  Candidates found;
  if (line.positionals().empty()) return found;
  const Result<PlanView> view = context.plan(line.positionals().front());
  if (!view) return found;
  if (kind == Completes::kTask)
    for (const Task& task : view->plan.tasks()) found.push_back({task.name, task.description});
  if (kind == Completes::kDecision)
    for (const Decision& decision : view->ledger.decisions)
      if (decision.open()) {
        found.push_back({decision.asked.decision, decision.asked.what});
        if (!decision.asked.task.empty())
          found.push_back({decision.asked.task, decision.asked.what});
      }
  if (kind == Completes::kAttempt)
    for (const auto& [task, record] : view->ledger.tasks)
      for (const Attempt& attempt : record.attempts) found.push_back({attempt.id, task});
  return found;
}

Candidates of_kind(Context& context, const Line& line, Completes kind, std::string_view words) {
  switch (kind) {
    case Completes::kNothing: return {};
    case Completes::kFile: return {{std::string(kFiles), ""}};
    case Completes::kWords: return words_of(words);
    case Completes::kPlan: return plans(context);
    case Completes::kAgent: {
      Candidates found;
      if (const auto settings = context.settings())
        for (const std::string& name : (*settings)->names("agent")) found.push_back({name, ""});
      return found;
    }
    case Completes::kRemote: return remotes(context);
    case Completes::kTask:
    case Completes::kDecision:
    case Completes::kAttempt: return things(context, line, kind);
  }
  return {};
}

Candidates next_words(Context& context, Line& line) {
  if (const OptionInfo* option = line.value_of())
    return of_kind(context, line, option->completes, option->words);
  if (!line.wants_option()) {
    const PositionalInfo next = line.next_positional();
    return of_kind(context, line, next.completes, next.words);
  }
  Candidates found;
  for (const OptionInfo& option : line.options())
    found.push_back({std::string(option.name), std::string(option.help)});
  return found;
}

void print(Output& out, const Candidates& candidates, const std::string& before,
           const std::string& current) {
  for (const Candidate& candidate : candidates) {
    if (candidate.word != kFiles && !candidate.word.starts_with(current)) continue;
    const std::string what = one_line(candidate.what, 60);
    out.line((candidate.word == kFiles ? "" : before) + printable(candidate.word) +
             (what.empty() ? "" : "\t" + what));
  }
}

Result<int> complete(Context& context, const Arguments& arguments) {
  const std::vector<std::string> words = arguments.positionals();
  if (words.empty()) return 0;
  if (words.size() == 1) {
    print(context.out(), commands(), "", words.front());
    return 0;
  }
  const CommandInfo* command = find_command(words.front());
  if (command == nullptr) return 0;
  Line line(*command, words);
  const Candidates found = next_words(context, line);
  print(context.out(), found, line.before, line.current);
  return 0;
}

}  // namespace

const CommandInfo kCompleteCommand{
    .name = "complete",
    .summary = "Say what can come next on a command line",
    .usage = "git plan complete -- <word>...",
    .group = Group::kHidden,
    .needs = Needs::kNothing,
    .positionals = {{"<word>", false, true}},
    .run = complete,
};

}  // namespace gitplan
