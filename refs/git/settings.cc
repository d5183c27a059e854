#include "refs/git/settings.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "core/base/edit_distance.h"
#include "core/engine/wave_subject.h"
#include "core/plan/names.h"
#include "refs/git/config_files.h"

namespace gitplan {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// As git prints a key: all but the subsection in lower case.
std::string canonical(std::string_view key) {
  const std::size_t first = key.find('.');
  const std::size_t last = key.rfind('.');
  if (first == std::string_view::npos || first == last) return lower(key);
  return lower(key.substr(0, first)) + std::string(key.substr(first, last - first)) +
         lower(key.substr(last));
}

const SettingInfo* info_of(std::string_view canonical_key) {
  for (const SettingInfo& info : all_settings())
    if (lower(info.key) == canonical_key) return &info;
  return nullptr;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t factor = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': factor = std::int64_t{1} << 10; break;
      case 'm':
      case 'M': factor = std::int64_t{1} << 20; break;
      case 'g':
      case 'G': factor = std::int64_t{1} << 30; break;
      default: break;
    }
    if (factor > 1) text.remove_suffix(1);
  }
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (std::abs(value) > std::numeric_limits<std::int64_t>::max() / factor) return std::nullopt;
  return value * factor;
}

std::optional<bool> truth(std::string_view text) {
  const std::string word = lower(text);
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word.empty() || word == "false" || word == "no" || word == "off") return false;
  if (const auto value = number(word)) return *value != 0;
  return std::nullopt;
}

bool one_of(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(','), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

constexpr std::string_view kEnum = "enum:";

// Of a template: what it may have.
const std::vector<std::string>* tokens_of(const SettingInfo& info) {
  if (info.type == "naming") return &naming_tokens();
  return info.type == "subject" ? &subject_tokens() : nullptr;
}

// What would be right, as the end of "… must be".
std::string right_values(const SettingInfo& info) {
  if (info.type == "bool") return "true or false";
  if (info.type == "int")
    return "a whole number" +
           (info.least > 0 ? ", " + std::to_string(info.least) + " or more" : std::string());
  if (info.type == "size")
    return "a number of bytes, as 512k or 64m" +
           (info.least > 0 ? ", " + std::to_string(info.least) + " or more" : std::string());
  if (const std::vector<std::string>* tokens = tokens_of(info)) {
    std::string words = "a template with no tokens but";
    for (const std::string& token : *tokens) words += " " + token;
    return words;
  }
  std::string words = "one of ";
  for (const char c : info.type.substr(kEnum.size())) words += c == ',' ? ", " : std::string(1, c);
  return words;
}

bool fits(const SettingInfo& info, std::string_view value) {
  if (info.type == "bool") return truth(value).has_value();
  if (info.type == "int" || info.type == "size") {
    const auto parsed = number(value);
    return parsed && *parsed >= info.least &&
           (info.type == "size" || *parsed <= std::numeric_limits<int>::max());
  }
  if (const std::vector<std::string>* tokens = tokens_of(info))
    return unknown_tokens(value, *tokens).empty();
  return !info.type.starts_with(kEnum) || one_of(info.type.substr(kEnum.size()), value);
}

std::string wrong(const SettingInfo& info, std::string_view value) {
  return "configuration " + std::string(info.key) + " = '" + std::string(value) + "' must be " +
         right_values(info);
}

std::string remedy(const SettingInfo& info) {
  return "'git config --show-origin " + std::string(info.key) +
         "' shows where it stands; the default is '" + std::string(info.fallback) + "'";
}

std::string home_expanded(std::string path) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && (path == "~" || path.starts_with("~/"))) path.replace(0, 1, home);
  return path;
}

// plan.agent.<name>.command, plan.role.<role>.agent
bool known_with_name(std::string_view key) {
  return (key.starts_with("plan.agent.") && key.ends_with(".command")) ||
         (key.starts_with("plan.role.") && key.ends_with(".agent"));
}

}  // namespace

const std::vector<SettingInfo>& all_settings() {
  static const std::vector<SettingInfo> settings{
      {"plan.naming", "naming", "{date}-{title}",
       "how 'create' names a plan; tokens: date, time, datetime, title, id"},
      {"plan.editMode", "enum:apply,confirm,iterate", "confirm",
       "what 'edit' and 'update' do before they write: nothing, show the difference, ask again"},
      {"plan.bodyTemplate", "path", "default",
       "a file whose text a new plan's body starts with; 'default' is the built-in one"},
      {"plan.ttlDays", "int", "30", "days without a change after which a plan is shown as stale",
       1},
      {"plan.agent", "string", "", "the agent that plays tasks without 'run' and 'agent'"},
      {"plan.role.<role>.agent", "string", "", "the agent that plays the tasks of one role"},
      {"plan.agent.<name>.command", "string", "",
       "the shell command of an agent; it reads its brief on standard input, or in $PLAN_BRIEF "
       "where "
       "it has the terminal"},
      {"plan.maxForks", "int", "3", "forked attempts at once, over all runs of the clone", 1},
      {"plan.contentThreshold", "int", "30",
       "percent of a file's lines that must have changed before 'check' says so", 1},
      {"plan.adaptiveExecution", "bool", "true",
       "inside tmux, agents get windows of it where several may run at once; false: as the plan's "
       "'team' says"},
      {"plan.taskTimeout", "int", "30", "minutes that a task may take", 1},
      {"plan.lease", "int", "60",
       "minutes for which a task is taken by hand ('next --claim') before others may have it", 1},
      {"plan.maxLog", "size", "64m", "bytes of an attempt's log that are kept, head and tail",
       4096},
      {"plan.worktreeRoot", "path", "",
       "where the worktrees of forks lie; empty: <repository>.plan beside the repository"},
      {"plan.reuse", "enum:clean,ignored,never", "clean",
       "what stays in the worktree of a finished task that the next one gets: nothing, ignored "
       "files; or each gets a new one"},
      {"plan.scope", "enum:warn,enforce", "warn",
       "what happens when a task changes files outside of its scope"},
      {"plan.commitTimeout", "int", "120", "seconds that hooks and signing of a wave may take", 1},
      {"plan.subject", "subject", "",
       "the subject of wave commits; tokens: plan, title, wave, task, description; empty: the "
       "first "
       "task's description"},
      {"plan.squash", "bool", "true",
       "a wave is one commit with one parent; false: the tasks' tips are further parents"},
      {"plan.land", "enum:end,wave,never", "end", "when finished waves reach the target branch"},
      {"plan.refPrefix", "string", "refs/plans/",
       "where plans lie at a remote; a host that takes only branches needs refs/heads/plans/"},
      {"plan.allowHeadlessApproval", "bool", "false",
       "'trust' and 'approve' may be said without a terminal"},
      {"plan.hooks", "bool", "true",
       "git hooks of git plan say something; false: none of them does"},
      {"plan.hooks.strict", "bool", "false",
       "a commit is refused that takes away, renames or changes what an active plan refers to or a "
       "running task holds; false: a warning"},
      {"plan.gcAge", "int", "30", "days after which 'gc' takes what nothing needs"},
  };
  return settings;
}

Result<Settings> Settings::read(const Repository& repository) {
  Settings settings;
  GITPLAN_TRY_ASSIGN(settings.values_, read_config(repository));
  return settings;
}

std::optional<std::string> Settings::raw(std::string_view key) const {
  const auto found = values_.find(canonical(key));
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

Result<std::string> Settings::checked(std::string_view key) const {
  const SettingInfo* info = info_of(lower(key));
  if (info == nullptr) return failed("no setting is called '" + std::string(key) + "'");
  std::string value = raw(key).value_or(std::string(info->fallback));
  if (!fits(*info, value)) return error(ErrorCode::kInvalid, wrong(*info, value), remedy(*info));
  return info->type == "path" ? home_expanded(std::move(value)) : std::move(value);
}

Result<std::string> Settings::text(std::string_view key) const { return checked(key); }

Result<int> Settings::integer(std::string_view key) const {
  GITPLAN_TRY_ASSIGN(const std::string value, checked(key));
  return static_cast<int>(number(value).value_or(0));
}

Result<std::int64_t> Settings::size(std::string_view key) const {
  GITPLAN_TRY_ASSIGN(const std::string value, checked(key));
  return number(value).value_or(0);
}

Result<bool> Settings::boolean(std::string_view key) const {
  GITPLAN_TRY_ASSIGN(const std::string value, checked(key));
  return truth(value).value_or(false);
}

std::optional<std::string> Settings::value(std::string_view section, std::string_view name,
                                           std::string_view variable) const {
  std::string key = "plan.";
  for (const std::string_view part : {section, std::string_view("."), name, std::string_view(".")})
    key += part;
  return raw(key + std::string(variable));
}

std::vector<std::string> Settings::names(std::string_view section) const {
  const std::string start = "plan." + std::string(section) + ".";
  std::vector<std::string> result;
  for (auto entry = values_.lower_bound(start);
       entry != values_.end() && entry->first.starts_with(start); ++entry) {
    const std::size_t last = entry->first.rfind('.');
    if (last < start.size()) continue;
    std::string name = entry->first.substr(start.size(), last - start.size());
    if (result.empty() || result.back() != name) result.push_back(std::move(name));
  }
  return result;
}

std::vector<Diagnostic> Settings::check() const {
  std::vector<std::string> known;
  for (const SettingInfo& info : all_settings()) known.push_back(lower(info.key));
  std::vector<Diagnostic> found;
  for (const auto& [key, value] : values_) {
    if (!key.starts_with("plan.") || known_with_name(key)) continue;
    Diagnostic diagnostic;
    if (const SettingInfo* info = info_of(key)) {
      if (fits(*info, value)) continue;
      diagnostic.code = "wrong-setting";
      diagnostic.message = wrong(*info, value);
      diagnostic.target = info->key;
      diagnostic.fix = remedy(*info);
    } else {
      diagnostic.severity = Severity::kWarning;
      diagnostic.code = "unknown-setting";
      diagnostic.message = "configuration " + key + " is not a setting of git plan";
      diagnostic.target = key;
      if (const auto near = nearest(key, known))
        diagnostic.fix = "did you mean " + std::string(info_of(*near)->key) + "?";
    }
    found.push_back(std::move(diagnostic));
  }
  return found;
}

}  // namespace gitplan
