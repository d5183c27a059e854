// Makes what libgit2 wrote survive a power failure: never a ref without the objects that it names.
//
// A commit on a plan's chain calls this: write_out_objects, then it moves the ref, then flush_ref.
// libgit2's own fsync costs one flush of the disk an object. Where the file system's journal keeps
// the order of what it commits (ext4, XFS), it is enough that the objects' bytes have left for the
// disk before the ref moves: the one flush of the ref then commits all of it, and a power failure
// before that takes the ref back with the objects (git's core.fsyncMethod=batch relies on the
// same). Elsewhere, and where objects and refs lie on different file systems, each object is
// flushed.
// An ext4 that was made without a journal cannot be told from one with it: there this is as good as
// git's batch method, which is more than git does where core.fsync is not set.
#pragma once

#include <span>
#include <string>

#include "core/base/error.h"
#include "refs/git/libgit2.h"

namespace gitplan {

// Loose objects of <common>/objects; one that is in a pack has been there before.
Status write_out_objects(const std::string& common_dir, std::span<const git_oid> objects);
// Returns when the ref and what came before it are on the disk.
Status flush_ref(const std::string& common_dir, const std::string& name);

}  // namespace gitplan
