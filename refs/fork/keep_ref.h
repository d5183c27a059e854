// refs/plan-keep/<id>--<actor>: what keeps the work of attempts alive when branch and tree are
// gone.
//
// One chain: each commit has an empty tree, the previous tip as its first parent and the kept
// commits as the others. `git log refs/plan-keep/<id>--<actor>` shows all kept work; moved by
// compare-and-swap only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

std::string keep_ref(std::string_view plan, std::string_view actor);

// Those already reachable from it are left out; none left: nothing is written.
Status keep_commits(const Repository& repository, std::string_view plan, std::string_view actor,
                    const std::vector<std::string>& commits);

bool is_kept(const Repository& repository, std::string_view plan, std::string_view actor,
             std::string_view commit);

// A commit object of ours with these parents, its identity and date fixed where `date` is 0.
Result<std::string> write_commit(const Repository& repository, const std::string& tree,
                                 const std::vector<std::string>& parents,
                                 const std::string& message, long long date);

}  // namespace gitplan
