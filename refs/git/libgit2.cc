#include "refs/git/libgit2.h"

#include <array>

#include "refs/git/heap.h"
#include "refs/git/repository.h"

namespace gitplan {

void start_libgit2() {
  static const bool started = [] {
    tune_heap();
    git_libgit2_init();
    // Lower case: libgit2 compares with names that git's config reader has folded. objectformat and
    // refstorage stay out: with them it would open what it then misreads.
    std::array<const char*, 4> extensions{"worktreeconfig", "preciousobjects", "partialclone",
                                          "relativeworktrees"};
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions.data(), extensions.size());
    // Objects that are written here name only objects that were written just before.
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
    // A folder of a hundred files is already more than libgit2 remembers by itself, and following
    // the lines of a wave reads the same few trees thousands of times. All together stay small.
    constexpr std::size_t kTree = 1 << 20;
    constexpr ssize_t kAll = 64 << 20;
    git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, kTree);
    git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, kAll);
    return true;
  }();
  (void)started;
}

bool parse_oid(std::string_view text, git_oid& id) {
  return text.size() == GIT_OID_HEXSZ && git_oid_fromstrn(&id, text.data(), text.size()) == 0;
}

std::string hex(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '\0');
  git_oid_fmt(text.data(), &id);
  return text;
}

Error libgit2_error(std::string_view doing, int code) {
  const git_error* last = git_error_last();
  std::string message(doing);
  message += ": ";
  if (last != nullptr && last->message != nullptr)
    message += last->message;
  else
    message += "libgit2 error " + std::to_string(code);
  switch (code) {
    case GIT_ENOTFOUND: return error(ErrorCode::kNotFound, std::move(message));
    case GIT_ELOCKED: return error(ErrorCode::kBusy, std::move(message));
    case GIT_EINVALIDSPEC: return error(ErrorCode::kInvalid, std::move(message));
    default: return failed(std::move(message));
  }
}

}  // namespace gitplan
