#include "hooks/quick/decide.h"

#include <algorithm>
#include <cstdlib>

#include "hooks/quick/git_state.h"
#include "hooks/quick/head_log.h"
#include "hooks/quick/watch.h"

namespace gitplan {
namespace {

bool set(const char* name, std::string_view value = {}) {
  const char* text = std::getenv(name);
  return text != nullptr && (value.empty() ? *text != '\0' : text == value);
}

bool zeros(const std::string& id) { return id.find_first_not_of('0') == std::string::npos; }

// By its arguments alone.
bool may_matter(const HookCall& call) {
  const auto& words = call.arguments;
  if (call.hook == "post-checkout")  // files only, no move, or no tree there before
    return words.size() >= 3 && words[2] == "1" && words[0] != words[1] && !zeros(words[0]) &&
           !zeros(words[1]);
  if (call.hook == "post-merge") return words.empty() || words[0] != "1";  // --squash: not yet
  if (call.hook == "post-rewrite") return !words.empty();
  if (call.hook == "commit-msg") return !words.empty();
  return call.hook == "pre-commit";
}

// What happens in the middle of these is undone, or told at their end. A bisection moves about on
// purpose.
bool waits_for_the_end(const HookCall& call, const GitPlace& place) {
  const std::string operation = operation_of(place);
  if (operation.empty()) return false;
  if (call.hook == "post-rewrite") return !call.arguments.empty() && call.arguments[0] != "rebase";
  if (call.hook == "pre-commit" || call.hook == "commit-msg") return operation != "bisect";
  if (call.hook == "post-checkout" && operation == "rebase")
    return !rebase_is_checkout_only(place.git_dir);
  return true;
}

char low(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool has_wave_line(const std::string& file) {
  const auto text = read_whole(file);
  if (!text) return false;
  constexpr std::string_view kWave = "wave:";
  for (std::size_t at = 0; at < text->size();) {
    if (text->size() - at >= kWave.size() &&
        std::equal(kWave.begin(), kWave.end(), text->begin() + static_cast<std::ptrdiff_t>(at),
                   [](char wanted, char c) { return wanted == low(c); }))
      return true;
    const std::size_t end = text->find('\n', at);
    at = end == std::string::npos ? text->size() : end + 1;
  }
  return false;
}

bool watch_says_nothing(const HookCall& call, const std::string& common_dir) {
  if (call.hook == "pre-commit") return false;  // a plan file may be in the commit
  const WatchHead watch = read_watch_head(common_dir);
  if (!watch.current) return false;
  if (call.hook != "post-rewrite") return watch.paths == 0;
  const bool moved = call.arguments[0] == "rebase" && watch.paths > 0;
  return !moved && (watch.waves == 0 || !watch.has_wave(old_ids(call.input)));
}

}  // namespace

std::vector<std::string> old_ids(std::string_view input) {
  std::vector<std::string> ids;
  while (!input.empty()) {
    const std::string_view line = input.substr(0, input.find('\n'));
    if (const std::size_t blank = line.find(' '); blank != std::string_view::npos)
      ids.emplace_back(line.substr(0, blank));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
  }
  return ids;
}

bool has_work(HookCall& call) {
  // Switched off; called by what one of ours has started; at work on a task.
  if (set("GIT_PLAN_HOOKS", "0") || set("PLAN_TASK") || !may_matter(call)) return false;
  const auto place = find_git();
  if (!place || is_task_tree(*place) || waits_for_the_end(call, *place)) return false;
  if (!may_have_plans(*place)) return false;
  if (call.hook == "post-rewrite" && call.input.empty())
    call.input = rewritten_lines(place->git_dir, call.arguments[0]);
  if (call.hook == "post-rewrite" && call.input.empty()) return false;
  if (call.hook == "commit-msg") return has_wave_line(call.arguments[0]);
  return !watch_says_nothing(call, place->common_dir);
}

}  // namespace gitplan
