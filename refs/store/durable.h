// Makes what libgit2 wrote survive a power failure: objects before the ref that names them.
//
// A flush calls this. libgit2's own fsync costs one flush of the disk an object; here all objects are written out
// together and one flush at the end commits them, on file systems whose journal keeps the order (as git's
// core.fsyncMethod=batch does), and one by one elsewhere.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/git/libgit2.h"

namespace gitplan {

// Loose objects of <common>/objects; one that is in a pack has been there before.
Status sync_objects(const std::string& common_dir, const std::vector<git_oid>& objects);
// A loose ref; one that was packed in the meantime is git's business.
Status sync_ref(const std::string& common_dir, const std::string& name);

}  // namespace gitplan
