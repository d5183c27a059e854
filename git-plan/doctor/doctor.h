// What can be wrong with an installation, a repository and its plans, looked at one by one.
//
// `git plan doctor` prints it. Nothing is changed.
#pragma once

#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "git-plan/command/context.h"

namespace gitplan {

// A line of what is there, good or bad: "git", "2.39.5".
struct Fact {
  std::string name, text;
};

struct Examination {
  std::vector<Fact> facts;
  std::vector<Diagnostic> found;

  void fact(std::string name, std::string text) {
    facts.push_back({std::move(name), std::move(text)});
  }
  void add(Severity severity, std::string code, std::string message, std::string target,
           std::string fix) {
    found.push_back({severity, std::move(code), std::move(message), "", 0, 0, std::move(target),
                     std::move(fix)});
  }
};

// Each adds what it saw. An error only where looking itself is not possible.
Status examine_repository(Context& context, Examination& seen);  // repository.cc
Status examine_hooks(Context& context, Examination& seen);
Status examine_remotes(Context& context, Examination& seen);
Status examine_configuration(Context& context, Examination& seen);  // agents.cc
Status examine_agents(Context& context, Examination& seen);
Status examine_plans(Context& context, Examination& seen);  // leftovers.cc
Status examine_leftovers(Context& context, Examination& seen);
Status examine_disk(Context& context, Examination& seen);

}  // namespace gitplan
