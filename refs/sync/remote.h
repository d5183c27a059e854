// A remote as plans see it: where they lie there, where this clone notes what it has seen of them,
// and the calls of git that ask it.
//
// pull.h and push.h use this. Everything that goes over the network is git's own (git ls-remote,
// fetch, push), with its credentials, proxies, ssh and rewriting of addresses.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "refs/git/repository.h"
#include "refs/git/settings.h"

namespace gitplan {

struct Remote {
  std::string name;         // as `git remote` has it
  std::string plans, kept;  // prefixes of refs there: "refs/plans/", "refs/plan-keep/"

  // What was there when it was last looked at: refs here.
  std::string seen_plans() const { return "refs/plan-remotes/" + name + "/"; }
  std::string seen_kept() const { return "refs/plan-keep-remotes/" + name + "/"; }
};

// The one that is named; else that of the branch that is checked out, "origin", or the only one.
// kNotFound where there is none, kAmbiguous where there are several.
Result<Remote> remote_of(const Repository& repository, const Settings& settings,
                         const std::optional<std::string>& name);

// What is there now, by name without the prefix: commit ids.
struct RemoteRefs {
  std::map<std::string, std::string> plans, kept;
};
Result<RemoteRefs> refs_of(const Repository& repository, const Remote& remote);

// Brings what is there to seen_plans() and seen_kept(), and takes away from these what is gone.
Status fetch_refs(const Repository& repository, const Remote& remote);

// git's own words about a call that failed, for people: its last lines, without "fatal: ".
Error remote_error(const Remote& remote, const std::string& doing, const Outcome& outcome);

}  // namespace gitplan
