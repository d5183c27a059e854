#include "hooks/status.h"

#include <unistd.h>

#include <array>

#include "hooks/hook_file.h"
#include "hooks/join.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

constexpr std::array<std::string_view, 8> kNames{
    "active", "chained", "joined", "missing", "foreign", "shadowed", "not executable", "outdated"};
static_assert(kNames.size() == static_cast<std::size_t>(HookState::kOutdated) + 1);

constexpr const char* kInstall = "git plan hooks install";
constexpr const char* kLines = "'git plan hooks install --print' has the lines to add";

HookStatus with(HookStatus status, HookState state, std::string why = {}, std::string fix = {}) {
  status.state = state;
  status.why = std::move(why);
  status.fix = std::move(fix);
  return status;
}

// Of a file of ours at `status.path`.
HookStatus ours(HookStatus status, const HookFile& file, const std::string& directory,
                const std::string& program) {
  if (!file.executable)
    return with(std::move(status), HookState::kNotExecutable,
                "git passes over a hook that is not executable", kInstall);
  if (file.text != hook_text(status.hook, program))
    return with(std::move(status), HookState::kOutdated,
                file.version == current_version() ? "records another program"
                                                  : "was written by another version",
                kInstall);
  const std::string before = directory + "/" + status.hook + std::string(kBeforeUs);
  if (!exists(before)) return with(std::move(status), HookState::kActive);
  const HookFile first = read_hook(before);
  status.before = before;
  std::string why;
  if (first.kind == HookKind::kOurs)
    why = "what was there before is a copy of ours, and is not run";
  else if (!first.executable)
    why = "what was there before is not executable, and is not run, as before";
  return with(std::move(status), HookState::kChained, why);
}

std::string foreign_why(const HookFile& file) {
  if (file.kind == HookKind::kDirectory) return "a folder is in its place, and git fails there";
  if (file.crlf) return "its first line ends with CR LF, and git fails there";
  std::string who = file.manager.empty() ? "somebody else's" : file.manager + "'s";
  if (!file.executable) who += ", not executable";
  return "the hook there is " + who;
}

HookStatus status_of(const HooksPlace& place, const std::string& hook, const std::string& program) {
  HookStatus status;
  status.hook = hook;
  const std::string& directory = place.path.directory;
  status.path = directory + "/" + hook;
  if (place.kind == PlaceKind::kOff)
    return with(std::move(status), HookState::kShadowed,
                "hooks are switched off: " + place.set_by());
  if (std::string file = joined_in(place, hook); !file.empty()) {
    status.before = std::move(file);
    return with(std::move(status), HookState::kJoined);
  }
  const HookFile file = read_hook(status.path);
  if (file.kind == HookKind::kOurs) return ours(std::move(status), file, directory, program);
  if (file.manager == "pre-commit" && file.executable) {
    const HookFile legacy = read_hook(status.path + ".legacy");
    if (legacy.kind == HookKind::kOurs) {
      HookStatus found = status;
      found.path += ".legacy";
      found = ours(std::move(found), legacy, directory, program);
      if (found.state != HookState::kActive) return found;
      found.before = status.path;
      return with(std::move(found), HookState::kJoined);
    }
  }
  if (directory != place.default_dir &&
      read_hook(place.default_dir + "/" + hook).kind == HookKind::kOurs) {
    status.path = place.default_dir + "/" + hook;
    return with(std::move(status), HookState::kShadowed, "git looks elsewhere: " + place.set_by(),
                place.kind == PlaceKind::kOwn ? kInstall : kLines);
  }
  if (place.kind == PlaceKind::kHusky)
    return with(std::move(status), HookState::kMissing, "husky runs '.husky/" + hook + "'", kLines);
  if (file.kind == HookKind::kNone)
    return with(std::move(status), HookState::kMissing, "", kInstall);
  return with(std::move(status), HookState::kForeign, foreign_why(file),
              file.manager == "lefthook" ? kLines : kInstall);
}

}  // namespace

bool HookStatus::active() const {
  return state == HookState::kActive || state == HookState::kChained ||
         state == HookState::kJoined || state == HookState::kOutdated;
}

std::string_view name(HookState state) { return kNames[static_cast<std::size_t>(state)]; }

std::vector<HookStatus> hooks_status(const HooksPlace& place, const std::string& program) {
  std::vector<HookStatus> all;
  for (const std::string& hook : hook_names()) all.push_back(status_of(place, hook, program));
  return all;
}

}  // namespace gitplan
