// pull, push and fetch as two people see them: words, JSON, exit statuses, and what one clone makes
// of the other's work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTasks =
    "    - {name: one, run: echo 1 > one}\n    - {name: two, run: echo 2 > two}\n";

class Share : public ::testing::Test {
 protected:
  Share() {
    for (WorkRepo* repo : {&ann, &ben}) {
      repo->git({"remote", "add", "origin", server.path()});
      repo->git({"config", "plan.allowHeadlessApproval", "true"});
      repo->git({"config", "plan.editMode", "apply"});
    }
  }
  // In Ann's clone, at the server, and in Ben's.
  void shared() {
    ann.make_plan("p", kTasks);
    ASSERT_EQ(ann.plan({"push"}).exit_status, 0);
    ASSERT_EQ(ben.plan({"pull"}).exit_status, 0);
    ASSERT_EQ(ben.plan({"trust", "p"}).exit_status, 0);
  }
  static std::string tip(const TempRepo& repo) { return repo.git({"rev-parse", "refs/plans/p"}); }
  static nlohmann::json json(const ProcessResult& result) {
    return nlohmann::json::parse(result.out);
  }
  void refuse_at_server(const std::string& script) const {
    server.write("hooks/update", "#!/bin/sh\n" + script);
    std::filesystem::permissions(server.path() / "hooks/update", std::filesystem::perms::owner_all);
  }

  TempRepo server{Words{"--bare"}};
  WorkRepo ann, ben;
};

TEST_F(Share, SaysWhatWentAndWhatCame) {
  EXPECT_EQ(ann.said({"pull"}), "0\n'origin' has no plans.\n");
  ann.make_plan("p", kTasks);
  EXPECT_EQ(ann.said({"push"}), "0\nTo origin\n  new  p\n");
  EXPECT_EQ(ann.said({"push"}), "0\n'origin' has everything: 1 plan.\n");
  EXPECT_EQ(ben.said({"fetch"}), "0\nAt origin\n  new  p\n'git plan pull origin' takes it in.\n");
  EXPECT_THAT(ben.said({"list"}), HasSubstr("'git plan pull origin' takes in those of others"));
  EXPECT_EQ(ben.said({"pull"}),
            "0\nFrom origin\n  new  p  active, 0/2\n"
            "hint: what came from elsewhere runs when it was read here: 'git plan trust p'\n");
  EXPECT_EQ(ben.said({"pull"}), "0\nEverything of 'origin' is here: 1 plan.\n");
  EXPECT_EQ(tip(ann), tip(ben));
}

TEST_F(Share, BothSidesOfWorkAreUnitedByPush) {
  shared();
  ann.plan({"update", "p", "--title", "New"});
  ben.plan({"update", "p", "--tag", "x"});
  EXPECT_THAT(ann.said({"push"}), HasSubstr("0\nTo origin\n  forward  p\n"));
  const std::string said = ben.said({"push"});
  EXPECT_THAT(said, HasSubstr("From origin\n  united  p"));
  EXPECT_THAT(said, HasSubstr("To origin\n  forward  p\n"));
  EXPECT_THAT(ann.said({"pull"}), HasSubstr("forward  p"));
  EXPECT_EQ(tip(ann), tip(ben));
}

TEST_F(Share, TheSameInJson) {
  shared();
  ann.plan({"update", "p", "--title", "New"});
  const auto pushed = json(ann.plan({"push", "--json"}));
  EXPECT_EQ(pushed["schema"], 1);
  EXPECT_EQ(pushed["remote"], "origin");
  EXPECT_EQ(pushed["refs"], nlohmann::json::parse(R"([{"id":"p","what":"forward"}])"));
  const auto seen = json(ben.plan({"fetch", "--json"}));
  EXPECT_EQ(seen["plans"], nlohmann::json::parse(R"([{"id":"p","what":"changed"}])"));
  const auto pulled = json(ben.plan({"pull", "--json"}));
  EXPECT_EQ(pulled["plans"], nlohmann::json::parse(
                                 R"([{"id":"p","what":"forward","state":"active",
                                      "trusted":false}])"));
  EXPECT_EQ(json(ben.plan({"pull", "--json"}))["plans"].size(), 0);
}

TEST_F(Share, OneRefusedRefHidesNoOther) {
  ann.make_plan("p", kTasks);
  ann.make_plan("q", kTasks);
  refuse_at_server("case $1 in */q) echo 'not q' >&2; exit 1;; esac\n");
  const ProcessResult result = ann.plan({"push"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.out, HasSubstr("new      p"));
  EXPECT_THAT(result.out, HasSubstr("refused  q"));
  EXPECT_THAT(result.out, HasSubstr("hook declined"));
  EXPECT_EQ(tip(server), tip(ann));
  const auto again = json(ann.plan({"push", "--json"}));
  EXPECT_EQ(again["refs"][0]["what"], "refused");
}

TEST_F(Share, TwoTextsThatDoNotMergeAreConflictedUntilEdited) {
  shared();
  ann.plan({"update", "p", "--title", "Ann's"});
  ben.plan({"update", "p", "--title", "Ben's"});
  ASSERT_EQ(ann.plan({"push"}).exit_status, 0);
  const ProcessResult result = ben.plan({"pull"});
  EXPECT_EQ(result.exit_status, 6) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("'git plan edit p' shows both"));
  EXPECT_THAT(ben.said({"execute", "p"}), HasSubstr("does not merge"));
  EXPECT_EQ(ben.plan({"push"}).exit_status, 0);  // the conflict travels
  EXPECT_EQ(ann.plan({"pull"}).exit_status, 6);
  EXPECT_EQ(tip(ann), tip(ben));
}

TEST_F(Share, APurgeElsewhereIsAskedFor) {
  shared();
  ASSERT_EQ(ann.plan({"delete", "p", "--purge", "--yes"}).exit_status, 0)
      << ann.said({"delete", "p", "--purge", "--yes"});
  ASSERT_EQ(ann.plan({"push"}).exit_status, 0);
  EXPECT_EQ(ben.plan({"pull"}).exit_status, 4);
  EXPECT_THAT(ben.plan({"list"}).out, HasSubstr("p"));
  EXPECT_EQ(ben.plan({"pull", "--yes"}).exit_status, 0);
  EXPECT_THAT(ben.plan({"list", "--status", "all"}).out, Not(HasSubstr("active")));
}

TEST_F(Share, ATaskTakenElsewhereIsLeftAloneAndTakesNoTrust) {
  shared();
  ASSERT_EQ(ben.plan({"next", "p", "--claim", "--task", "two"}).exit_status, 0);
  ASSERT_EQ(ben.plan({"push"}).exit_status, 0);
  EXPECT_THAT(ann.said({"pull"}), Not(HasSubstr("hint")));
  EXPECT_EQ(ann.plan({"next", "p", "--claim", "--task", "two"}).exit_status, 1);
  const ProcessResult run = ann.plan({"execute", "p"});
  EXPECT_THAT(run.out, HasSubstr("p: paused, 1 of 2 tasks done"));
  EXPECT_THAT(run.out, HasSubstr("'two' is worked on in another clone"));
  EXPECT_THAT(run.out, Not(HasSubstr("two: started")));
}

TEST_F(Share, APlanIsFoundByTheNameThatItHad) {
  ann.make_plan("p", kTasks);
  ben.make_plan("p", kTasks, "  max_forks: 2\n");
  ASSERT_EQ(ann.plan({"push"}).exit_status, 0);
  const auto pulled = json(ben.plan({"pull", "--json"}));
  const std::string renamed = pulled["plans"][0]["renamed"];
  EXPECT_EQ(tip(ann), tip(ben));
  EXPECT_THAT(ben.plan({"show", renamed}).out, HasSubstr("max_forks: 2"));
  ben.plan({"delete", "p"});
  ben.git({"update-ref", "-d", "refs/plans/p"});  // no plan has the name any more
  EXPECT_THAT(ben.plan({"show", "p"}).out, HasSubstr("max_forks: 2"));
}

TEST_F(Share, WithoutARemoteOrItsServerItSaysSo) {
  TempRepo alone;
  EXPECT_EQ(alone.plan({"pull"}).exit_status, 2);
  ann.make_plan("p", kTasks);
  ann.git({"remote", "set-url", "origin", (server.root() / "nowhere").string()});
  for (const char* command : {"pull", "push", "fetch"}) {
    const ProcessResult result = ann.plan({command});
    EXPECT_EQ(result.exit_status, 1) << command;
    EXPECT_THAT(result.err, HasSubstr("origin")) << command;
  }
}

}  // namespace
}  // namespace gitplan::test
