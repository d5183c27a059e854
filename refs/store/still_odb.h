// An object database that does not look for new packs while it lives.
//
// Store::State::build() alone uses it. Before each write of an object that is not there yet,
// libgit2 reads objects/pack and the alternates again, in case that another process brought it:
// a fifth of the calls of a small change, which writes nine. Objects that git packed in the
// meantime are not found until the end; who meets that repeats the work without this.
#pragma once

#include <git2.h>
#include <git2/sys/odb_backend.h>

#include <utility>
#include <vector>

#include "refs/git/libgit2.h"

namespace gitplan {

class StillOdb {
 public:
  explicit StillOdb(git_repository* repository) {
    if (git_repository_odb(odb_.out(), repository) != 0) return;
    for (std::size_t i = 0; i < git_odb_num_backends(odb_.get()); ++i) {
      git_odb_backend* backend = nullptr;
      if (git_odb_get_backend(&backend, odb_.get(), i) != 0 || backend->refresh == nullptr)
        continue;
      refresh_.emplace_back(backend, backend->refresh);
      backend->refresh = nullptr;
    }
  }
  ~StillOdb() {
    for (const auto& [backend, refresh] : refresh_) backend->refresh = refresh;
  }
  StillOdb(const StillOdb&) = delete;
  StillOdb& operator=(const StillOdb&) = delete;

 private:
  Handle<git_odb> odb_;
  std::vector<std::pair<git_odb_backend*, int (*)(git_odb_backend*)>> refresh_;
};

}  // namespace gitplan
