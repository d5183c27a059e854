// Named locks (`locks` of a task): tasks that share a name never run together, in whatever plan of
// the clone they are.
//
// On disk: <common>/git-plan/locks, an empty file. A name is one byte of it, at the name's hash,
// locked for the open file description (fcntl, F_OFD_SETLK): so one descriptor holds all names of
// a task, the attempt's shim inherits it, and the kernel drops the locks with the last process
// that has it. Names whose hashes met would wait for each other, no more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/store/local_file.h"

namespace gitplan {

class NamedLocks {
 public:
  // All of them or none. Nothing: one is held; `held` names it.
  static Result<std::optional<NamedLocks>> take(const std::string& local_dir,
                                                const std::vector<std::string>& names,
                                                std::string& held);
  int fd() const { return file_.get(); }  // close-on-exec; the spawner hands it to the shim

 private:
  explicit NamedLocks(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

}  // namespace gitplan
