#include "refs/sync/remote.h"

#include <algorithm>

namespace gitplan {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_one_of(const std::vector<std::string>& all, std::string_view name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

Result<std::string> choose(const Repository& repository, const std::vector<std::string>& all,
                           const std::optional<std::string>& name) {
  if (name) {
    if (is_one_of(all, *name)) return *name;
    return error(ErrorCode::kNotFound, "no remote is called '" + *name + "'",
                 all.empty() ? "'git remote add " + *name + " <address>' makes one"
                             : "'git remote' lists those that are there");
  }
  if (all.empty())
    return error(ErrorCode::kNotFound, "this repository has no remote to share plans with",
                 "'git remote add origin <address>' makes one");
  GITPLAN_TRY_ASSIGN(const auto branch, repository.head_branch());
  if (branch && branch->starts_with("refs/heads/")) {
    GITPLAN_TRY_ASSIGN(
        const Outcome asked,
        repository.git().call({.args = {"config", "branch." + branch->substr(11) + ".remote"}}));
    std::string remote = asked.output.substr(0, asked.output.find('\n'));
    if (asked.ok() && is_one_of(all, remote)) return remote;
  }
  if (is_one_of(all, "origin")) return std::string("origin");
  if (all.size() == 1) return all.front();
  return error(ErrorCode::kAmbiguous, "there are several remotes", "name the one that is meant");
}

void take(const std::string& prefix, const std::string& oid, const std::string& ref,
          std::map<std::string, std::string>& into) {
  if (ref.starts_with(prefix)) into[ref.substr(prefix.size())] = oid;
}

}  // namespace

Result<Remote> remote_of(const Repository& repository, const Settings& settings,
                         const std::optional<std::string>& name) {
  GITPLAN_TRY_ASSIGN(const std::string listed, repository.git().read({"remote"}));
  Remote remote;
  GITPLAN_TRY_ASSIGN(remote.name, choose(repository, lines_of(listed), name));
  GITPLAN_TRY_ASSIGN(remote.plans, settings.text("plan.refPrefix"));
  while (remote.plans.ends_with('/')) remote.plans.pop_back();
  if (!remote.plans.starts_with("refs/") || remote.plans.size() < 6 ||
      remote.plans.find_first_of(" ~^:?*[\\") != std::string::npos ||
      remote.plans.find("..") != std::string::npos)
    return error(ErrorCode::kInvalid,
                 "plan.refPrefix is '" + remote.plans + "', which is no folder of refs",
                 "such as refs/plans/, or refs/heads/plans/ where a host takes only branches");
  remote.kept = remote.plans == "refs/plans" ? "refs/plan-keep/" : remote.plans + "-keep/";
  remote.plans += '/';
  return remote;
}

Error remote_error(const Remote& remote, const std::string& doing, const Outcome& outcome) {
  std::string words;
  for (const std::string& line : lines_of(outcome.error)) {
    std::string_view text = line;
    for (const std::string_view mark : {"fatal: ", "error: ", "remote: "})
      if (text.starts_with(mark)) text.remove_prefix(mark.size());
    if (!text.empty()) words += (words.empty() ? "" : "; ") + std::string(text);
  }
  if (words.empty()) words = "git ended with " + std::to_string(outcome.exit_status);
  return error(ErrorCode::kFailed, "cannot " + doing + " '" + remote.name + "': " + words,
               "'git ls-remote " + remote.name + "' shows whether it can be reached");
}

Result<RemoteRefs> refs_of(const Repository& repository, const Remote& remote) {
  GITPLAN_TRY_ASSIGN(const Outcome listed,
                     repository.git().call({.args = {"ls-remote", "--refs", remote.name,
                                                     remote.plans + "*", remote.kept + "*"},
                                            .foreground = true}));
  if (!listed.ok()) return remote_error(remote, "ask", listed);
  RemoteRefs refs;
  for (const std::string& line : lines_of(listed.output)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    take(remote.plans, line.substr(0, tab), line.substr(tab + 1), refs.plans);
    take(remote.kept, line.substr(0, tab), line.substr(tab + 1), refs.kept);
  }
  return refs;
}

Status fetch_refs(const Repository& repository, const Remote& remote) {
  // What arrives is looked at for what git itself calls broken or hostile. A partial clone wants
  // whole plans: they are small, and every command reads them.
  GITPLAN_TRY_ASSIGN(
      const Outcome fetched,
      repository.git().call({.args = {"-c", "fetch.fsckObjects=true", "fetch", "--quiet", "--prune",
                                      "--no-tags", "--no-filter", "--no-recurse-submodules",
                                      "--no-write-fetch-head", "--no-auto-maintenance", remote.name,
                                      "+" + remote.plans + "*:" + remote.seen_plans() + "*",
                                      "+" + remote.kept + "*:" + remote.seen_kept() + "*"},
                             .foreground = true}));
  if (!fetched.ok()) return remote_error(remote, "fetch from", fetched);
  return {};
}

}  // namespace gitplan
