#include "refs/wave/quarantine.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "refs/git/libgit2.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

Status copy(git_odb* from, git_odb* to, const Repository& inside, const git_oid& id) {
  if (git_odb_exists(to, &id) != 0) return {};
  Handle<git_odb_object> object;
  if (const int code = git_odb_read(object.out(), from, &id); code != 0)
    return libgit2_error("cannot read object " + hex(id), code);
  const git_object_t type = git_odb_object_type(object.get());
  if (type == GIT_OBJECT_TREE) {
    Handle<git_tree> tree;
    if (const int code = git_tree_lookup(tree.out(), inside.raw(), &id); code != 0)
      return libgit2_error("cannot read tree " + hex(id), code);
    // What is in it first: a tree that is there is taken to be whole.
    for (std::size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
      if (git_tree_entry_type(entry) == GIT_OBJECT_COMMIT) continue;  // of a submodule
      GITPLAN_TRY(copy(from, to, inside, *git_tree_entry_id(entry)));
    }
  }
  git_oid written;
  if (const int code = git_odb_write(&written, to, git_odb_object_data(object.get()),
                                     git_odb_object_size(object.get()), type);
      code != 0)
    return libgit2_error("cannot write object " + hex(id), code);
  return {};
}

}  // namespace

Result<Quarantine> Quarantine::make(const Repository& repository, const std::string& directory) {
  std::string path = directory + "/plan-objects-XXXXXX";
  if (mkdtemp(path.data()) == nullptr)
    return failed("cannot make a directory in " + directory + ": " + std::strerror(errno));
  const auto open = [&]() -> Result<Repository> {
    GITPLAN_TRY(
        replace_file(path + "/info/alternates", repository.common_dir() + "/objects\n", false));
    return repository.writing_to(path);
  };
  Result<Repository> inside = open();
  if (inside) return Quarantine(repository, std::move(path), *std::move(inside));
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
  return std::move(inside).error();
}

Quarantine::Quarantine(Quarantine&& other) noexcept
    : outside_(other.outside_),
      directory_(std::exchange(other.directory_, {})),
      inside_(std::move(other.inside_)) {}

Quarantine::~Quarantine() {
  if (directory_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

Git Quarantine::git(const Git& outside) const {
  return outside.with("GIT_OBJECT_DIRECTORY", directory_);
}

Status Quarantine::keep(const std::string& tree) const {
  git_oid id;
  Handle<git_odb> from, to;
  if (!parse_oid(tree, id)) return error(ErrorCode::kNotFound, "'" + tree + "' is no id");
  int code = git_repository_odb(from.out(), inside_.raw());
  if (code == 0) code = git_repository_odb(to.out(), outside_->raw());
  if (code != 0) return libgit2_error("cannot open the object database", code);
  return copy(from.get(), to.get(), inside_, id);
}

}  // namespace gitplan
