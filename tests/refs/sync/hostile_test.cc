// What somebody with push rights may put into a plan's chain: named, and not taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/journal/event_codec.h"
#include "core/plan/path_rules.h"
#include "tests/refs/sync/clones.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

// A commit on a plan's chain, made by hand in a clone.
class Forge {
 public:
  explicit Forge(CloneOfPlans& clone, std::string plan)
      : clone_(clone), plan_(std::move(plan)), view_(clone.load(plan_)) {
    message =
        "Forge\n\nPlan-Id: p\nPlan-Title: t\nPlan-State: active\nPlan-Progress: 0/2\n"
        "Plan-Created: 2026-03-03T10:00:00Z\nPlan-Activity: 2026-03-03T10:00:00Z\n"
        "Plan-Format: 1\nPlan-Root: " +
        view_.identity + "\n";
    git({"read-tree", view_.tip});
  }

  std::string git(const Words& words, const std::string& input = {}) const {
    Words all = words;
    return clone_.repo.git(
        all, {.env = {{"GIT_INDEX_FILE", (clone_.repo.root() / "forged-index").string()}},
              .stdin_text = input});
  }
  void add(const std::string& path, const std::string& text, const std::string& mode = "100644") {
    const std::string blob = git({"hash-object", "-w", "--stdin"}, text);
    git({"update-index", "--add", "--cacheinfo", mode + "," + blob + "," + path});
  }
  void remove(const std::string& path) { git({"update-index", "--force-remove", path}); }

  // The next segment of the clone's own actor, with an event as it would have written it.
  const ActorRecord& me() const { return view_.ledger.actors.at(clone_.store().actor()); }
  std::string segment(int number = 1) const {
    char name[32];
    std::snprintf(name, sizeof name, "/00/00/%06x.jsonl", number);
    return "journal/" + clone_.store().actor() + name;
  }
  Event event(EventBody body, std::uint64_t clock = 0) const {
    return stamp(std::move(body), clone_.store().actor(), me().last_id,
                 clock == 0 ? view_.ledger.clock + 1 : clock, 1772532000000);
  }

  void commit(const Words& parents) {
    Words words{"commit-tree", git({"write-tree"}), "-m", message};
    for (const std::string& parent : parents) words.insert(words.end(), {"-p", parent});
    clone_.repo.git({"push", "-q", "--force", "origin", git(words) + ":refs/plans/" + plan_});
  }
  void commit() { commit({view_.tip}); }

  std::string message;
  const PlanView& view() const { return view_; }

 private:
  CloneOfPlans& clone_;
  std::string plan_;
  PlanView view_;
};

struct Attack {
  const char* name;
  const char* why;
  std::function<void(Forge&)> make;
};

class Hostile : public testing::TestWithParam<Attack> {
 protected:
  TempRepo server{Words{"--bare"}};
  CloneOfPlans a{server.path()}, b{server.path()};
};

TEST_P(Hostile, IsNamedAndNotTaken) {
  a.create("p", plan_text("The p"));
  a.create("q", plan_text("The q"));
  a.push();
  b.pull();
  const std::string before = b.load("p").tip;
  Forge forge(a, "p");
  GetParam().make(forge);
  good(a.write("q", {Remark{"", "honest"}}));
  PushOptions only;
  only.plans = {"q"};
  a.push(only);
  const Pulled pulled = b.pull();
  ASSERT_EQ(2u, pulled.plans.size());
  EXPECT_EQ(PulledPlan::What::kRefused, pulled.plans[0].what);
  EXPECT_THAT(pulled.plans[0].why, HasSubstr(GetParam().why));
  EXPECT_EQ(PulledPlan::What::kForward, pulled.plans[1].what);
  EXPECT_EQ(before, b.load("p").tip);
  // Nor by somebody who has nothing of the plan yet.
  CloneOfPlans c{server.path()};
  const Pulled fresh = c.pull();
  ASSERT_EQ(2u, fresh.plans.size());
  EXPECT_EQ(PulledPlan::What::kRefused, fresh.plans[0].what);
}

void forge_event(Forge& forge, const Event& event) {
  forge.add(forge.segment(), to_line(event) + "\n");
  forge.commit();
}

AttemptStarted attempt(const std::string& id) {
  AttemptStarted started;
  started.run = "r";
  started.task = "task1";
  started.attempt = id;
  return started;
}

INSTANTIATE_TEST_SUITE_P(
    Each, Hostile,
    testing::Values(
        Attack{"ASymbolicLink", "is neither a file nor a folder",
               [](Forge& f) {
                 f.add("outputs/task1.md", "/etc/passwd", "120000");
                 f.commit();
               }},
        Attack{"AnExecutable", "is neither a file nor a folder",
               [](Forge& f) {
                 f.add("outputs/run.sh", "true", "100755");
                 f.commit();
               }},
        Attack{"AHiddenName", "is no name here",
               [](Forge& f) {
                 f.add("outputs/.hidden", "x");
                 f.commit();
               }},
        Attack{"AnEventTakenAway", "which never changes",
               [](Forge& f) {
                 f.remove(f.segment(0));
                 f.add(f.segment(1), to_line(f.event(Remark{"", "x"})) + "\n");
                 f.commit();
               }},
        Attack{"AnEventChanged", "which never changes",
               [](Forge& f) {
                 f.add(f.segment(0), to_line(f.event(Remark{"", "x"})) + "\n");
                 f.commit();
               }},
        Attack{"AnIdThatDoesNotFollow", "does not have the id that follows",
               [](Forge& f) {
                 Event event = f.event(Remark{"", "x"});
                 event.id[0] = event.id[0] == '0' ? '1' : '0';
                 forge_event(f, event);
               }},
        Attack{"AClockOfTheFuture", "and it has only",
               [](Forge& f) {
                 forge_event(f, f.event(Remark{"", "x"}, 1'000'000));
               }},
        Attack{"NoEvent", "is no event",
               [](Forge& f) {
                 f.add(f.segment(), "{}\n");
                 f.commit();
               }},
        Attack{"ASegmentWithoutActor", "is not the path of a segment",
               [](Forge& f) {
                 f.add("journal/everyone/00/00/000000.jsonl", to_line(f.event(Remark{"", "x"})));
                 f.commit();
               }},
        Attack{"AnAttemptThatIsAPath", "names the attempt '../../x'",
               [](Forge& f) { forge_event(f, f.event(attempt("../../x"))); }},
        Attack{"ATaskThatIsAnOption", "names the task '--exec=x'",
               [](Forge& f) {
                 forge_event(f, f.event(TaskSet{"--exec=x", "skipped", ""}));
               }},
        Attack{"ABranchThatIsAnOption", "names the branch",
               [](Forge& f) {
                 RunStarted started;
                 started.run = "r";
                 started.target = "--upload-pack=x";
                 forge_event(f, f.event(started));
               }},
        Attack{"APathOutside", "names the path '../../etc/passwd'",
               [](Forge& f) {
                 forge_event(f, f.event(SnapshotTaken{"", {{"../../etc/passwd", ""}}, {}}));
               }},
        Attack{"ADefinitionThatIsNotThere", "names a definition that is not there",
               [](Forge& f) {
                 forge_event(f, f.event(DefinitionChanged{std::string(40, 'a'),
                                                          f.view().ledger.heads, "", "edit"}));
               }},
        Attack{"ADefinitionUnderAnotherName", "is not the text that its name says",
               [](Forge& f) {
                 f.add("definitions/aa/" + std::string(40, 'a'), "text");
                 f.commit();
               }},
        Attack{"AnotherRoot", "begins another plan",
               [](Forge& f) {
                 const std::string other = f.git({"commit-tree", f.git({"write-tree"}), "-m", "x"});
                 f.add("outputs/x.md", "x");
                 f.commit({f.view().tip, other});
               }},
        Attack{"AMessageWithoutItsRoot", "does not name the plan's root",
               [](Forge& f) {
                 f.add(f.segment(), to_line(f.event(Remark{"", "x"})) + "\n");
                 f.message = "Plan-Root: " + std::string(40, '0');
                 f.commit();
               }}),
    [](const testing::TestParamInfo<Attack>& one) { return one.param.name; });

}  // namespace
}  // namespace gitplan::test
