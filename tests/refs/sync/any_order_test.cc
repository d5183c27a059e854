// Clones that edit, work, delete, undo, push and pull in any order over git's own servers: all end
// with the same plans, and no event is lost.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "refs/store/plan_tree.h"
#include "tests/refs/sync/clones.h"
#include "tests/refs/sync/server.h"

namespace gitplan::test {
namespace {

class World {
 public:
  World(unsigned seed, Transport transport) : random_(seed), server_(transport) {
    const int clones = 2 + pick(3);
    for (int i = 0; i < clones; ++i)
      clones_.push_back(std::make_unique<CloneOfPlans>(server_.address()));
    if (pick(3) == 0) copy_one();
  }

  void step() {
    CloneOfPlans& clone = *clones_[static_cast<std::size_t>(pick(size()))];
    const std::vector<std::string> ids = plans(clone);
    if (ids.empty() || pick(10) == 0) return create(clone);
    const std::string& id = ids[static_cast<std::size_t>(pick(static_cast<int>(ids.size())))];
    const PlanView view = clone.load(id);
    switch (pick(8)) {
      case 0: return void(clone.pull());
      case 1: return void(clone.push());
      case 2: return edit(clone, view);
      case 3: return keep(clone, clone.write(id, {deletion_of(view.ledger)}));
      case 4: return keep(clone, clone.write(id, {PlanStateSet{"active", "undo", {}}}));
      case 5: return complete(clone, view);
      default:
        return keep(clone, clone.write(id, {Remark{"", "note " + std::to_string(++notes_)}}));
    }
  }

  void all_meet() {
    for (int round = 0; round < 3; ++round)
      for (const auto& clone : clones_) {
        clone->pull();
        clone->push();
      }
    for (const auto& clone : clones_) clone->pull();
  }

  // By identity, the tree of each plan.
  std::map<std::string, std::string> trees(CloneOfPlans& clone) {
    const PlanTrees trees(clone.opened->repository);
    std::map<std::string, std::string> found;
    for (const std::string& id : plans(clone)) {
      const Tip tip = good(trees.tip(id));
      found[tip.identity] = hex(tip.commit.tree);
    }
    return found;
  }
  std::set<std::string> events(CloneOfPlans& clone) {
    std::set<std::string> ids;
    for (const std::string& id : plans(clone))
      for (const Event& event : good(clone.store().journal(id))) ids.insert(event.id);
    return ids;
  }

  std::vector<std::unique_ptr<CloneOfPlans>>& clones() { return clones_; }
  const Server& server() const { return server_; }
  const std::set<std::string>& written() const { return written_; }

 private:
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  int size() const { return static_cast<int>(clones_.size()); }

  std::vector<std::string> plans(CloneOfPlans& clone) {
    std::vector<std::string> ids;
    for (const Summary& one : good(clone.store().list())) ids.push_back(one.id);
    return ids;
  }

  // One clone is a copy of another, actor and all.
  void copy_one() {
    create(*clones_.front());
    namespace fs = std::filesystem;
    const fs::path from = clones_.front()->repo.path() / ".git";
    const fs::path to = clones_.back()->repo.path() / ".git";
    fs::remove_all(to);
    fs::copy(from, to, fs::copy_options::recursive);
    clones_.back()->reopen();
  }

  void keep(CloneOfPlans& clone, const Result<PlanView>& view) {
    if (!view.ok()) return;
    const auto& mine = view->ledger.actors.find(clone.store().actor());
    if (mine != view->ledger.actors.end()) written_.insert(mine->second.last_id);
  }
  void create(CloneOfPlans& clone) {
    const std::string id = "plan" + std::to_string(pick(3));
    for (const std::string& there : plans(clone))
      if (there == id) return;
    written_.insert(
        clone.create(id, plan_text("The " + id, 3)).ledger.actors.begin()->second.last_id);
  }
  void edit(CloneOfPlans& clone, const PlanView& view) {
    if (view.text.empty()) return;
    std::string text = view.text;
    const std::size_t at = text.find("run: ", static_cast<std::size_t>(pick(60)) + 40);
    if (at == std::string::npos) return;
    text.replace(at, text.find('\n', at) - at, "run: echo " + std::to_string(++notes_));
    if (parse_plan(text).ok()) keep(clone, clone.edit(view.id, text));
  }
  void complete(CloneOfPlans& clone, const PlanView& view) {
    const std::string task = "task" + std::to_string(1 + pick(3));
    const TaskStatus status = view.ledger.task(task).status;
    if (status == TaskStatus::kCompleted || status == TaskStatus::kRunning) return;
    const std::string number = std::to_string(++notes_), me = clone.store().actor();
    RunStarted run;
    run.run = "run-" + me + "-" + number;
    AttemptStarted started;
    started.run = run.run;
    started.task = task;
    started.attempt = me + "." + number;
    AttemptEnded ended;
    ended.run = run.run;
    ended.task = task;
    ended.attempt = started.attempt;
    ended.outcome = "finished";
    const int wave = static_cast<int>(view.ledger.waves.size()) + 1;
    char digits[41];
    std::snprintf(digits, sizeof digits, "%040x", notes_);
    keep(clone, clone.write(view.id, {run, started, ended, WaveStarted{run.run, wave, "", {task}},
                                      WaveMerged{run.run, wave, "", {task}, {}, {}},
                                      WaveCommitted{run.run, wave, digits},
                                      WaveCompleted{run.run, wave, digits, {task}, "clean", ""},
                                      RunEnded{run.run, "partial", ""}}));
  }

  std::mt19937 random_;
  Server server_;
  std::vector<std::unique_ptr<CloneOfPlans>> clones_;
  std::set<std::string> written_;
  int notes_ = 0;
};

class AnyOrder : public testing::TestWithParam<Transport> {};

TEST_P(AnyOrder, AllEndEqualAndNoEventIsLost) {
  // 201 worlds over the three of them in the long run.
  const unsigned worlds = std::getenv("GITPLAN_LONG") != nullptr ? 67 : 2;
  for (unsigned seed = 0; seed < worlds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(seed * 3 + static_cast<unsigned>(GetParam()), GetParam());
    for (int i = 0; i < 25; ++i) world.step();
    world.all_meet();
    const auto trees = world.trees(*world.clones().front());
    const auto events = world.events(*world.clones().front());
    for (const auto& clone : world.clones()) {
      ASSERT_EQ(trees, world.trees(*clone));
      ASSERT_EQ(events, world.events(*clone));
      clone->reopen();
      std::string found;
      for (const Diagnostic& one : good(clone->store().fsck())) found += one.message + "\n";
      ASSERT_EQ("", found);
      clone->repo.git({"fsck", "--strict", "--no-dangling"});
    }
    for (const std::string& id : world.written()) ASSERT_TRUE(events.contains(id)) << id;
    world.server().repo().git({"fsck", "--strict", "--no-dangling"});
  }
}

INSTANTIATE_TEST_SUITE_P(Over, AnyOrder,
                         testing::Values(Transport::kFile, Transport::kDaemon, Transport::kHttp),
                         [](const testing::TestParamInfo<Transport>& one) {
                           return std::string(one.param == Transport::kFile     ? "File"
                                              : one.param == Transport::kDaemon ? "Daemon"
                                                                                : "Http");
                         });

}  // namespace
}  // namespace gitplan::test
