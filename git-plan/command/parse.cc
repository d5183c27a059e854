// A command's arguments, read by CLI11 from the command's own declaration. Nothing else includes
// CLI11.
#include <CLI/CLI.hpp>
#include <deque>

#include "core/base/edit_distance.h"
#include "git-plan/command/command.h"

namespace gitplan {
namespace {

Error usage_error(const CommandInfo& command, std::string message, const std::string& suggestion) {
  std::string hint = suggestion.empty() ? "" : "did you mean '" + suggestion + "'?\n";
  return error(ErrorCode::kUsage, std::move(message),
               hint + "usage: " + std::string(command.usage));
}

// What CLI11 leaves open: a long option may be cut short where that is unambiguous (as in git), and
// "--name=" gives the empty value. Values are passed over, so that they are never taken for
// options.
class Words {
 public:
  Words(const CommandInfo& command, const std::vector<std::string>& argv)
      : command_(command), options_(options_of(command)) {
    names_.reserve(options_.size());
    for (const OptionInfo& option : options_) names_.emplace_back(option.name);
    for (std::size_t at = 0; at < argv.size() && !fault_; ++at) at += take(argv, at);
  }

  bool help() const { return help_; }
  const std::optional<Error>& fault() const { return fault_; }
  const std::vector<std::string>& words() const { return words_; }
  int positionals() const { return positionals_; }

 private:
  // The number of words beyond argv[at] that were taken.
  std::size_t take(const std::vector<std::string>& argv, std::size_t at) {
    const std::string& word = argv[at];
    if (!options_ended_ && word == "--") {
      options_ended_ = true;
    } else if (!options_ended_ && word.starts_with("--")) {
      return take_long(argv, at);
    } else if (!options_ended_ && word.size() > 1 && word[0] == '-') {
      return take_letters(argv, at);
    } else {
      ++positionals_;
    }
    words_.push_back(word);
    return 0;
  }

  std::size_t take_long(const std::vector<std::string>& argv, std::size_t at) {
    const std::string& word = argv[at];
    const std::size_t equals = word.find('=');
    const OptionInfo* option = find(word.substr(0, equals));
    if (option == nullptr) return 0;
    const std::string name(option->name);
    if (name == "--help") help_ = true;
    words_.push_back(name);
    if (option->argument.empty()) {
      if (equals != std::string::npos)
        fault_ = usage_error(command_, "option '" + name + "' takes no value", "");
      return 0;
    }
    if (equals != std::string::npos) {
      words_.push_back(word.substr(equals + 1));
      return 0;
    }
    return take_value(name, argv, at);
  }

  // "-af", "-Ffile", "-F file".
  std::size_t take_letters(const std::vector<std::string>& argv, std::size_t at) {
    const std::string& word = argv[at];
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string letter{'-', word[i]};
      const OptionInfo* option = nullptr;
      for (const OptionInfo& candidate : options_)
        if (candidate.letter == letter) option = &candidate;
      if (option == nullptr) {
        const bool alone = word.size() == 2;
        fault_ = usage_error(command_,
                             alone ? "unknown option '" + word + "'"
                                   : "unknown option '" + letter + "' in '" + word + "'",
                             alone ? "" : nearest("-" + word, names_).value_or(""));
        return 0;
      }
      if (letter == "-h") help_ = true;
      words_.emplace_back(option->name);
      if (option->argument.empty()) continue;
      if (i + 1 == word.size()) return take_value(letter, argv, at);
      words_.push_back(word.substr(i + 1));
      return 0;
    }
    return 0;
  }

  std::size_t take_value(const std::string& name, const std::vector<std::string>& argv,
                         std::size_t at) {
    if (at + 1 == argv.size()) {
      fault_ = usage_error(command_, "option '" + name + "' needs a value", "");
      return 0;
    }
    words_.push_back(argv[at + 1]);
    return 1;
  }

  const OptionInfo* find(const std::string& name) {
    std::vector<const OptionInfo*> beginning;
    for (const OptionInfo& option : options_) {
      if (option.name == name) return &option;
      if (option.name.starts_with(name)) beginning.push_back(&option);
    }
    if (beginning.size() == 1) return beginning.front();
    if (beginning.empty()) {
      fault_ = usage_error(command_, "unknown option '" + name + "'",
                           nearest(name, names_).value_or(""));
    } else {
      fault_ = usage_error(command_,
                           "ambiguous option '" + name + "': could be '" +
                               std::string(beginning[0]->name) + "' or '" +
                               std::string(beginning[1]->name) + "'",
                           "");
    }
    return nullptr;
  }

  const CommandInfo& command_;
  std::vector<OptionInfo> options_;
  std::vector<std::string> names_;
  std::vector<std::string> words_;
  int positionals_ = 0;
  bool options_ended_ = false;
  bool help_ = false;
  std::optional<Error> fault_;
};

Status check_words(const CommandInfo& command, const OptionInfo& option, const std::string& value) {
  if (option.completes != Completes::kWords || option.words.empty()) return {};
  std::vector<std::string> words = CLI::detail::split(std::string(option.words), '|');
  for (const std::string& word : words)
    if (word == value) return {};
  std::string list;
  for (const std::string& word : words)
    list += (list.empty() ? "" : &word == &words.back() ? " or " : ", ") + word;
  return usage_error(
      command, "option '" + std::string(option.name) + "' takes " + list + ", not '" + value + "'",
      nearest(value, words).value_or(""));
}

Status check_positionals(const CommandInfo& command, const std::vector<std::string>& given) {
  for (std::size_t i = given.size(); i < command.positionals.size(); ++i)
    if (command.positionals[i].required)
      return usage_error(command,
                         "'git plan " + std::string(command.name) + "' needs " +
                             std::string(command.positionals[i].name),
                         "");
  const bool open_ended = !command.positionals.empty() && command.positionals.back().repeatable;
  if (given.size() > command.positionals.size() && !open_ended)
    return usage_error(command,
                       "'git plan " + std::string(command.name) + "' does not take '" +
                           given[command.positionals.size()] + "'",
                       "");
  return {};
}

}  // namespace

std::vector<OptionInfo> options_of(const CommandInfo& command) {
  std::vector<OptionInfo> options = command.options;
  if (command.json) options.push_back({"--json", "", "", "print JSON for programs"});
  options.push_back({"--help", "-h", "", "print this help; '--help' opens the manual page"});
  return options;
}

Result<Arguments> parse_arguments(const CommandInfo& command,
                                  const std::vector<std::string>& argv) {
  const Words words(command, argv);
  Arguments arguments;
  if (words.help()) {
    arguments.options["--help"] = {""};
    return arguments;
  }
  if (words.fault()) return *words.fault();

  CLI::App app;
  app.set_help_flag();
  const std::vector<OptionInfo> options = options_of(command);
  // A deque: CLI11 keeps the addresses.
  std::deque<std::vector<std::string>> values;
  std::vector<CLI::Option*> made;
  for (const OptionInfo& option : options) {
    const std::string name(option.name);
    if (option.argument.empty()) {
      made.push_back(app.add_flag(name));
    } else {
      made.push_back(app.add_option(name, values.emplace_back()));
      made.back()->expected(1)->allow_extra_args(false)->multi_option_policy(
          CLI::MultiOptionPolicy::TakeAll);
    }
  }
  // CLI11 splits "[a,b]" where the number of words is left open, so it is told how many there are.
  if (words.positionals() > 0)
    app.add_option("arguments", arguments.rest)
        ->expected(words.positionals())
        ->allow_extra_args(false);

  std::vector<std::string> reversed(words.words().rbegin(), words.words().rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& fault) {
    return usage_error(command, fault.what(), "");
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (made[i]->count() == 0) continue;
    std::vector<std::string> given = {""};
    if (!options[i].argument.empty()) given = made[i]->results();
    for (const std::string& value : given) GITPLAN_TRY(check_words(command, options[i], value));
    arguments.options.emplace(options[i].name, std::move(given));
  }
  GITPLAN_TRY(check_positionals(command, arguments.rest));
  return arguments;
}

std::string short_help(const CommandInfo& command) {
  std::string text =
      "usage: " + std::string(command.usage) + "\n\n" + std::string(command.summary) + "\n\n";
  std::vector<std::pair<std::string, std::string>> rows;
  std::size_t width = 0;
  for (const OptionInfo& option : options_of(command)) {
    std::string left = option.letter.empty() ? "" : std::string(option.letter) + ", ";
    left += option.name;
    if (!option.argument.empty()) left += " " + std::string(option.argument);
    std::string right(option.help);
    if (option.repeatable) right += " (may be repeated)";
    width = std::max(width, left.size());
    rows.emplace_back(std::move(left), std::move(right));
  }
  for (const auto& [left, right] : rows)
    text += "    " + left + std::string(width - left.size() + 3, ' ') + right + "\n";
  return text;
}

}  // namespace gitplan
