// One plan in every kind of repository: it runs, lands and leaves nothing, or is refused in words
// that say what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

struct Kind {
  const char* name;
  // Run in the repository, "$ROOT" is the folder above it. Prints the directory to work in.
  const char* make;
  const char* refused = "";     // empty: it runs
  const char* afterwards = "";  // a check in that directory, which must succeed
  const char* result = "HEAD";  // where the work is in the end
};

std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }

// Each task looks at the tree that it gets before it changes it.
constexpr const char* kPlan = R"(---
title: p
orchestration:
  default_mode: forked
  verify: ["test -e src/a.txt"]
  tasks:
    - name: top
      run: test -e src/a.txt && sed -i 's/^2\r*$/two/' src/a.txt
    - name: bottom
      run: test -e src/a.txt && sed -i 's/^19\r*$/nineteen/' src/a.txt
    - name: count
      run: grep -c . src/a.txt >src/count.txt
      depends_on: [top, bottom]
---
x
)";

class AnyRepository : public ::testing::TestWithParam<Kind> {
 protected:
  WorkRepo repo_;
};

TEST_P(AnyRepository, APlanRunsThereOrIsRefused) {
  const Kind& kind = GetParam();
  const RunOptions in_root{.env = {{"ROOT", repo_.root().string()}}};
  const ProcessResult made = repo_.run({"bash", "-ec", kind.make}, in_root);
  ASSERT_EQ(made.exit_status, 0) << made.err;
  const std::string directory = made.out.substr(0, made.out.find_last_not_of('\n') + 1);
  RunOptions there{.cwd = directory};
  const auto in = [&](const std::string& command) {
    return repo_.run({"bash", "-c", command}, {.cwd = directory});
  };
  const std::string status = in("git status --porcelain").out;
  RunOptions with_plan = there;
  with_plan.stdin_text = kPlan;
  const ProcessResult created = repo_.plan({"create", "-F", "-", "--naming", "{title}"}, with_plan);
  const ProcessResult run =
      created.exit_status == 0 ? repo_.plan({"execute", "p"}, there) : created;
  if (*kind.refused != '\0') {
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, HasSubstr(kind.refused));
    EXPECT_EQ(in("git status --porcelain").out, status);
    EXPECT_EQ(in("git for-each-ref refs/heads/plan").out, "");
    return;
  }
  ASSERT_EQ(run.exit_status, 0) << run.out << run.err;
  EXPECT_EQ(in(std::string("git show ") + kind.result + ":src/count.txt").out, "20\n");
  EXPECT_THAT(in(std::string("git show ") + kind.result + ":src/a.txt").out,
              ::testing::ContainsRegex("\ntwo(.|\n)*nineteen"));
  EXPECT_EQ(in(std::string("git log -4 ") + kind.result +
               " --format='%(trailers:key=Wave,valueonly,separator=)'")
                .out.substr(0, 8),
            "002\n001\n");
  EXPECT_EQ(in("git status --porcelain").out, status);
  EXPECT_EQ(in("git for-each-ref refs/heads/plan | grep -v integration; git worktree list | grep "
               "'\\.plan/'")
                .out,
            "");
  const bool landed = kind.result == std::string("HEAD");
  EXPECT_EQ(in("git for-each-ref refs/heads/plan").out.empty(), landed);
  EXPECT_EQ(in("git fsck --connectivity-only --no-dangling").exit_status, 0);
  const ProcessResult after = in(*kind.afterwards == '\0' ? "true" : kind.afterwards);
  EXPECT_EQ(after.exit_status, 0) << after.out << after.err;
}

const Kind kKinds[] = {
    {"plain", "pwd"},
    {"linked_worktree", "git worktree add -q -b side \"$ROOT/linked\"; echo \"$ROOT/linked\""},
    {"bare_with_a_linked_worktree",
     "git clone -q --bare . \"$ROOT/bare.git\"; cd \"$ROOT/bare.git\"; "
     "git worktree add -q \"$ROOT/tree\" main; echo \"$ROOT/tree\""},
    {"bare", "git clone -q --bare . \"$ROOT/bare.git\"; echo \"$ROOT/bare.git\"", ""},
    {"unborn_branch", "git checkout -q --orphan new; git rm -rfq .; pwd",
     "git commit --allow-empty -m 'Start'"},
    {"shallow_clone",
     "git commit -q --allow-empty -m Two; git clone -q --depth 1 \"file://$PWD\" \"$ROOT/s\"; "
     "echo \"$ROOT/s\""},
    {"partial_clone_with_a_sparse_checkout",
     "git config uploadpack.allowFilter true; mkdir big; echo b >big/b.txt; git add .; "
     "git commit -qm Big; "
     "git clone -q --filter=blob:none --sparse \"file://$PWD\" \"$ROOT/s\"; cd \"$ROOT/s\"; "
     "git sparse-checkout set src; echo \"$ROOT/s\"",
     "", "test ! -e big"},
    {"sparse_checkout_without_cones",
     "mkdir big; echo b >big/b.txt; git add .; git commit -qm Big; "
     "git sparse-checkout set --no-cone '/src/'; pwd",
     "", "test ! -e big"},
    {"sparse_index",
     "mkdir -p big/deep; echo b >big/deep/b.txt; git add .; git commit -qm Big; "
     "git sparse-checkout set --cone --sparse-index src; pwd",
     "", "test ! -e big"},
    {"split_index", "git update-index --split-index; pwd"},
    {"submodule",
     "git init -q \"$ROOT/sub\"; git -C \"$ROOT/sub\" commit -q --allow-empty -m S; "
     "git -c protocol.file.allow=always submodule --quiet add \"$ROOT/sub\" sub; "
     "git commit -qm Sub; pwd"},
    {"inside_a_submodule",
     "git init -q \"$ROOT/super\"; cd \"$ROOT/super\"; "
     "git -c protocol.file.allow=always submodule --quiet add \"$ROOT/repo\" sub; "
     "git commit -qm Sub; cd sub; git checkout -q main; pwd"},
    {"nested_submodules",
     "git init -q \"$ROOT/in\"; git -C \"$ROOT/in\" commit -q --allow-empty -m I; "
     "git init -q \"$ROOT/mid\"; cd \"$ROOT/mid\"; "
     "git -c protocol.file.allow=always submodule --quiet add \"$ROOT/in\" in; git commit -qm M; "
     "cd \"$ROOT/repo\"; "
     "git -c protocol.file.allow=always submodule --quiet add \"$ROOT/mid\" mid; "
     "git -c protocol.file.allow=always submodule --quiet update --init --recursive; "
     "git config protocol.file.allow always; git commit -qm Mid; pwd",
     "", "test -e mid/in/.git"},
    // What git-lfs is to git: a filter, whose pointers are what is committed.
    {"filter_as_of_lfs",
     "git config filter.store.clean 'tr a-z A-Z'; git config filter.store.smudge 'tr A-Z a-z'; "
     "git config filter.store.required true; echo '*.bin filter=store' >.gitattributes; "
     "echo content >big.bin; git add .; git commit -qm Bin; pwd",
     "", "test \"$(git show HEAD:big.bin)\" = CONTENT && test \"$(cat big.bin)\" = content"},
    {"crlf", "git config core.autocrlf true; rm src/a.txt; git checkout -q -- src/a.txt; pwd", "",
     "test $(git show HEAD:src/a.txt | grep -c $'\\r') = 0"},
    {"eol_attributes",
     "echo '*.txt text eol=crlf' >.gitattributes; git add .; git commit -qm Eol; rm src/a.txt; "
     "git checkout -q -- src/a.txt; pwd",
     "", "test $(git show HEAD:src/a.txt | grep -c $'\\r') = 0"},
    {"strange_paths",
     "printf x >$'new\\nline'; printf x >'quote\"s'; printf x >'sp ace'; printf x >ünï; "
     "printf x >$'\\377bytes'; ln -s src link; git add .; git commit -qm Paths; "
     "mv \"$ROOT/repo\" \"$ROOT/a ré'po\"; ln -s \"$ROOT/a ré'po\" \"$ROOT/repo\"; "
     "echo \"$ROOT/a ré'po\""},
    {"long_paths",
     "d=$(printf 'd%.0s' $(seq 120)); mkdir -p $d/$d; echo x >$d/$d/f; git add .; "
     "git commit -qm Long; pwd"},
    {"alternates", "git clone -q --shared . \"$ROOT/shared\"; echo \"$ROOT/shared\""},
    {"detached_head", "git checkout -q --detach; pwd", "", "", "plan/p/integration"},
    {"hooks_elsewhere",
     "mkdir .hooks; printf '#!/bin/sh\\ntouch \"$(git rev-parse --git-common-dir)/hook-ran\"\\n' "
     ">.hooks/pre-commit; chmod +x .hooks/pre-commit; echo .hooks >.git/info/exclude; "
     "git config core.hooksPath .hooks; pwd",
     "", "test -e .git/hook-ran"},
    {"in_the_middle_of_a_merge",
     "git checkout -q -b side; echo s >src/a.txt; git commit -qam s; git checkout -q main; "
     "echo t >src/a.txt; git commit -qam t; git merge -q side >&2 || true; pwd",
     "this work tree is in the middle of a merge"},
    {"sha256",
     "git init -q --object-format=sha256 \"$ROOT/h\"; cd \"$ROOT/h\"; "
     "git commit -q --allow-empty -m S; pwd",
     "git plan reads only SHA-1 repositories"},
};

INSTANTIATE_TEST_SUITE_P(Each, AnyRepository, ::testing::ValuesIn(kKinds),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace gitplan::test
