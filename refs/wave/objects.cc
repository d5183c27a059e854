#include "refs/wave/objects.h"

#include <vector>

#include "refs/git/libgit2.h"

namespace gitplan {

std::optional<TreeEntry> entry_at(const Repository& repository, const std::string& tree,
                                  const std::string& path) {
  git_oid id;
  Handle<git_tree> found;
  Handle<git_tree_entry> entry;
  if (!parse_oid(tree, id) || git_tree_lookup(found.out(), repository.raw(), &id) != 0 ||
      git_tree_entry_bypath(entry.out(), found.get(), path.c_str()) != 0)
    return std::nullopt;
  return TreeEntry{hex(*git_tree_entry_id(entry.get())),
                   static_cast<unsigned>(git_tree_entry_filemode(entry.get()))};
}

Result<std::string> tree_of_commit(const Repository& repository, const std::string& commit) {
  git_oid id;
  Handle<git_commit> found;
  if (!parse_oid(commit, id))
    return error(ErrorCode::kNotFound, "'" + commit + "' is not the id of a commit");
  if (const int code = git_commit_lookup(found.out(), repository.raw(), &id); code != 0)
    return libgit2_error("cannot read commit " + commit, code);
  return hex(*git_commit_tree_id(found.get()));
}

std::optional<std::string> blob_text(const Repository& repository, const std::string& id) {
  git_oid oid;
  Handle<git_blob> blob;
  if (!parse_oid(id, oid) || git_blob_lookup(blob.out(), repository.raw(), &oid) != 0)
    return std::nullopt;
  return std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())),
                     static_cast<std::size_t>(git_blob_rawsize(blob.get())));
}

Result<std::string> write_blob(const Repository& repository, std::string_view text) {
  git_oid id;
  if (const int code = git_blob_create_from_buffer(&id, repository.raw(), text.data(), text.size());
      code != 0)
    return libgit2_error("cannot write a blob", code);
  return hex(id);
}

std::optional<std::string> updated_tree(const Repository& repository, const std::string& tree,
                                        const TreeUpdates& updates) {
  git_oid id;
  Handle<git_tree> start;
  if (!parse_oid(tree, id) || git_tree_lookup(start.out(), repository.raw(), &id) != 0)
    return std::nullopt;
  std::vector<git_tree_update> list;
  for (const auto& [path, entry] : updates) {
    if (!entry && !entry_at(repository, tree, path)) continue;
    git_tree_update update{};
    update.action = entry ? GIT_TREE_UPDATE_UPSERT : GIT_TREE_UPDATE_REMOVE;
    if (entry && !parse_oid(entry->id, update.id)) return std::nullopt;
    update.filemode = static_cast<git_filemode_t>(entry ? entry->mode : 0);
    update.path = path.c_str();
    list.push_back(update);
  }
  if (list.empty()) return tree;
  if (git_tree_create_updated(&id, repository.raw(), start.get(), list.size(), list.data()) != 0)
    return std::nullopt;
  return hex(id);
}

bool looks_binary(std::string_view text) {
  return text.substr(0, 8000).find('\0') != std::string_view::npos;
}

}  // namespace gitplan
