// libgit2's objects with an owner, its start, and small conversions.
//
// Only .cc files of refs/ include this.
#pragma once

#include <git2.h>

#include <string>
#include <string_view>
#include <utility>

namespace gitplan {

// Starts libgit2 once a process, with the repository extensions that do not concern it allowed.
void start_libgit2();

template <typename T>
struct Free;
#define GITPLAN_FREE(type)                                       \
  template <>                                                    \
  struct Free<type> {                                            \
    void operator()(type* object) const { type##_free(object); } \
  }
GITPLAN_FREE(git_repository);
GITPLAN_FREE(git_reference);
GITPLAN_FREE(git_reference_iterator);
GITPLAN_FREE(git_object);
GITPLAN_FREE(git_commit);
GITPLAN_FREE(git_tree);
GITPLAN_FREE(git_tree_entry);
GITPLAN_FREE(git_blob);
GITPLAN_FREE(git_odb);
GITPLAN_FREE(git_revwalk);
GITPLAN_FREE(git_odb_object);
GITPLAN_FREE(git_config);
GITPLAN_FREE(git_config_iterator);
GITPLAN_FREE(git_signature);
GITPLAN_FREE(git_treebuilder);
GITPLAN_FREE(git_refdb);
GITPLAN_FREE(git_transaction);
GITPLAN_FREE(git_diff);
GITPLAN_FREE(git_index);
#undef GITPLAN_FREE

template <typename T>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() { reset(); }
  T* get() const { return object_; }
  // For functions that return an object by their first argument.
  T** out() {
    reset();
    return &object_;
  }

 private:
  void reset() {
    if (object_ != nullptr) Free<T>()(object_);
    object_ = nullptr;
  }
  T* object_ = nullptr;
};

bool parse_oid(std::string_view text, git_oid& id);  // 40 lower-case hex digits
std::string hex(const git_oid& id);

}  // namespace gitplan
