// Author and committer as `git var GIT_AUTHOR_IDENT` and GIT_COMMITTER_IDENT would give them.
//
// The store asks when it writes a commit. Git itself is asked only where its answer is not plain:
// an identity that is not configured, a date in words, a name that git would clean.
#pragma once

#include "core/base/error.h"
#include "refs/git/libgit2.h"
#include "refs/git/repository.h"

namespace gitplan {

struct Signatures {
  Handle<git_signature> author, committer;
};

Result<Signatures> signatures(const Repository& repository);

}  // namespace gitplan
