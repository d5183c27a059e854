// The user's ignored files (secrets, local settings) must not enter a commit, under whatever name.
//
// Forks::collect asks which new blobs have the content of a file that the user's work tree ignores.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

struct Planted {
  std::string path;  // in the commit
  std::string from;  // the ignored file
};

// Blobs of `base`..`work` with more than 16 bytes that are not in `base`. `work`: a commit or a
// tree.
Result<std::vector<Planted>> planted_in(const Repository& repository, const std::string& base,
                                        const std::string& work);

// ".env", or "config.txt (the content of .env)".
std::string to_string(const Planted& planted);

}  // namespace gitplan
