// One durable change outside a run, against the bare objects by libgit2; and whether the 10,000th
// costs the same.
#include <git2.h>

#include <cstdlib>
#include <string>

#include "refs/git/repository.h"
#include "refs/store/store.h"
#include "tests/bench/ratio.h"
#include "tests/support/temp_repo.h"

namespace gitplan::bench {
namespace {

std::string plan_of(int tasks) {
  std::string text = "---\ntitle: Fifty\norchestration:\n  default_mode: forked\n  tasks:\n";
  for (int i = 0; i < tasks; ++i) text += "    - {name: t" + std::to_string(i) + ", run: 'true'}\n";
  return text + "---\n# Fifty\n\nBody.\n";
}

// Blob, tree, commit, compare-and-swap of a ref: what the least possible change writes.
void bare_change(git_repository* repository, int number) {
  const std::string text = "change " + std::to_string(number);
  git_oid blob, tree, commit, parent;
  git_blob_create_from_buffer(&blob, repository, text.data(), text.size());
  git_treebuilder* builder = nullptr;
  git_treebuilder_new(&builder, repository, nullptr);
  git_treebuilder_insert(nullptr, builder, "file", &blob, GIT_FILEMODE_BLOB);
  git_treebuilder_write(&tree, builder);
  git_treebuilder_free(builder);
  git_signature* who = nullptr;
  git_signature_now(&who, "A", "a@b.c");
  git_tree* made = nullptr;
  git_tree_lookup(&made, repository, &tree);
  const bool first = git_reference_name_to_id(&parent, repository, "refs/bench/one") != 0;
  git_commit* before = nullptr;
  if (!first) git_commit_lookup(&before, repository, &parent);
  const git_commit* parents[] = {before};
  if (git_commit_create(&commit, repository, nullptr, who, who, nullptr, "change", made,
                        first ? 0 : 1, first ? nullptr : parents) != 0)
    std::abort();
  git_reference* ref = nullptr;
  const git_oid zero = {};
  if (git_reference_create_matching(&ref, repository, "refs/bench/one", &commit, 1,
                                    first ? &zero : &parent, nullptr) != 0)
    std::abort();
  git_reference_free(ref);
  git_commit_free(before);
  git_tree_free(made);
  git_signature_free(who);
}

}  // namespace

void bench_durable_change() {
  test::TempRepo repo;
  repo.write("a.txt", "a\n");
  repo.commit("First");
  test::RunOptions options;
  options.stdin_text = plan_of(50);
  if (repo.plan({"create", "-F", "-", "--naming", "fifty"}, options).exit_status != 0) std::abort();
  auto repository = Repository::open_at(repo.path());
  if (!repository.ok()) std::abort();
  auto store = Store::open(*repository);
  if (!store.ok()) std::abort();
  int number = 0;
  const auto ours = [&] {
    const auto changed = store->change("fifty", [&](const PlanView&) -> Result<Store::Change> {
      Store::Change change;
      change.bodies = {Remark{"", "change " + std::to_string(++number)}};
      return change;
    });
    if (!changed.ok()) {
      std::fprintf(stderr, "bench: %s\n", changed.error().message.c_str());
      std::abort();
    }
  };
  const auto bare = [&] { bare_change(repository->raw(), ++number); };
  compare({"one durable change, 50 tasks", "blob, tree, commit and ref by libgit2", 3}, 200, ours,
          bare);
  while (number < 10000) ours();
  compare({"the 10,000th durable change", "blob, tree, commit and ref by libgit2", 3}, 200, ours,
          bare);
}

}  // namespace gitplan::bench
