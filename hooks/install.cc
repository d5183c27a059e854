#include "hooks/install.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "hooks/hook_file.h"
#include "hooks/join.h"
#include "refs/git/errno_error.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

HookResult left(HookResult result, std::string why, std::string fix) {
  result.change = HookChange::kLeft;
  result.why = std::move(why);
  result.fix = std::move(fix);
  return result;
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  return ::lstat(a.c_str(), &first) == 0 && ::lstat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// The file gets a second name, and ours then takes the first: there is no moment without a hook.
// Where the file system knows no second names, it is moved.
Status set_aside(const std::string& path, const std::string& before) {
  if (same_file(path, before)) return {};  // an installation was cut short here
  if (::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, before.c_str(), 0) == 0) return {};
  if (errno != EEXIST && std::rename(path.c_str(), before.c_str()) == 0) return {};
  return errno_error("move", path, errno);
}

// Why a file that is not ours stays as it is; empty: it can be moved aside.
std::string obstacle(const HookFile& file, bool chain) {
  switch (file.kind) {
    case HookKind::kDirectory: return "is a folder, and git fails when it runs it";
    case HookKind::kOther: return "is neither a file nor a link";
    case HookKind::kSymlink: return chain ? "" : "is a link, perhaps to a file that git tracks";
    case HookKind::kProgram: return chain ? "" : "is a program and no script";
    default: break;
  }
  if (file.crlf) return "ends its first line with CR LF, so git cannot run it and fails";
  return {};
}

std::string remedy(const HookFile& file, const std::string& path) {
  if (file.kind == HookKind::kSymlink || file.kind == HookKind::kProgram)
    return "--chain moves it aside and runs it before ours";
  if (file.crlf) return "take the CRs out of '" + path + "' and install again";
  return "move '" + path + "' away and install again";
}

class Installer {
 public:
  Installer(const HooksPlace& place, const InstallOptions& options)
      : place_(place), options_(options) {}

  Result<HookResult> install(const std::string& hook) const {
    const std::string path = place_.path.directory + "/" + hook;
    const HookFile there = read_hook(path);
    if (there.manager == "pre-commit" && there.executable)
      return put(hook, path + ".legacy", "pre-commit runs it");
    return put(hook, path, {});
  }

 private:
  Result<HookResult> put(const std::string& hook, const std::string& path, std::string why) const {
    HookResult result;
    result.hook = hook;
    result.path = path;
    result.why = std::move(why);
    const std::string before = place_.path.directory + "/" + hook + std::string(kBeforeUs);
    const HookFile there = read_hook(path);
    const std::string text = hook_text(hook, options_.program);
    if (const std::string file = joined_in(place_, hook); !file.empty()) {
      result.path = file;
      return result;
    }
    switch (there.kind) {
      case HookKind::kNone: result.change = HookChange::kInstalled; break;
      case HookKind::kOurs:
        result.change =
            there.text == text && there.executable ? HookChange::kNone : HookChange::kRenewed;
        break;
      default:
        if (there.manager == "lefthook")
          return left(std::move(result), "belongs to lefthook, which writes it anew",
                      "'git plan hooks install --print' has the lines for lefthook-local.yml");
        if (const std::string why_not = obstacle(there, options_.chain); !why_not.empty())
          return left(std::move(result), why_not, remedy(there, path));
        if (exists(before) && !same_file(path, before))
          return left(
              std::move(result),
              "is not ours, and what was there before ours is still kept as '" + before + "'",
              "take away the one of them that is not wanted, and install again");
        GITPLAN_TRY(set_aside(path, before));
        result.change = HookChange::kInstalled;
    }
    if (exists(before)) result.before = before;
    if (result.change != HookChange::kNone && !write_hook(path, text))
      return errno_error("write", path, errno);
    return result;
  }

  const HooksPlace& place_;
  const InstallOptions& options_;
};

// What stands behind ours comes back to its place, or ours goes away.
Result<HookResult> take_away(const std::string& directory, const std::string& hook) {
  HookResult result;
  result.hook = hook;
  const std::string before = directory + "/" + hook + std::string(kBeforeUs);
  for (const char* end : {"", ".legacy", ".old"}) {
    const std::string path = directory + "/" + hook + end;
    if (read_hook(path).kind != HookKind::kOurs) continue;
    const bool restores = exists(before);
    result.path = path;
    if (restores ? std::rename(before.c_str(), path.c_str()) != 0 : ::unlink(path.c_str()) != 0)
      return errno_error(restores ? "put back" : "remove", path, errno);
    result.change = restores || result.change == HookChange::kRestored ? HookChange::kRestored
                                                                       : HookChange::kRemoved;
  }
  if (result.change == HookChange::kNone && exists(before)) {
    result.path = directory + "/" + hook;
    return left(std::move(result),
                "is not ours any more; what was there before ours is kept as '" + before + "'",
                "look whether that is still wanted, and move or remove it");
  }
  return result;
}

}  // namespace

Result<std::vector<HookResult>> install_hooks(const HooksPlace& place,
                                              const InstallOptions& options) {
  GITPLAN_TRY(check_place(place, options.shared));
  std::vector<HookResult> results;
  if (place.kind == PlaceKind::kHusky) {
    for (const std::string& hook : hook_names()) {
      HookResult result;
      result.hook = hook;
      result.path = joined_in(place, hook);
      if (result.path.empty()) {
        result.path = place.top + "/.husky/" + hook;
        result = left(std::move(result), "is husky's, a tracked file",
                      "'git plan hooks install --print' has the line to add to it");
      }
      results.push_back(std::move(result));
    }
    return results;
  }
  GITPLAN_TRY(make_directories(place.path.directory));
  const Installer installer(place, options);
  for (const std::string& hook : hook_names()) {
    GITPLAN_TRY_ASSIGN(HookResult result, installer.install(hook));
    results.push_back(std::move(result));
  }
  return results;
}

Result<std::vector<HookResult>> uninstall_hooks(const HooksPlace& place) {
  std::vector<std::string> directories{place.path.directory};
  if (place.default_dir != place.path.directory) directories.push_back(place.default_dir);
  std::vector<HookResult> results;
  for (const std::string& directory : directories)
    for (const std::string& hook : hook_names()) {
      GITPLAN_TRY_ASSIGN(HookResult result, take_away(directory, hook));
      if (result.change != HookChange::kNone) results.push_back(std::move(result));
    }
  return results;
}

}  // namespace gitplan
