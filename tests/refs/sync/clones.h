// Clones of one repository and the server that they share plans by, all real.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ledger/apart.h"
#include "refs/sync/push.h"
#include "tests/refs/store/plan_fixture.h"

namespace gitplan::test {

class CloneOfPlans {
 public:
  explicit CloneOfPlans(const std::string& address) {
    repo.git({"remote", "add", "origin", address});
    reopen();
  }
  void reopen() {
    opened = std::make_unique<Opened>(repo.path());
    settings = std::make_unique<Settings>(good(Settings::read(opened->repository)));
  }

  Store& store() { return opened->store; }
  Remote remote() { return good(remote_of(opened->repository, *settings, std::nullopt)); }

  PlanView create(const std::string& id, const std::string& text) {
    const ParsedPlan parsed = good(parse_plan(text));
    PlanCreated created;
    created.plan = id;
    created.title = parsed.plan.title;
    created.definition = Store::blob_id(text);
    return good(store().create(id, text, parsed.plan, {created}, "Create it"));
  }
  Result<PlanView> write(const std::string& id, std::vector<EventBody> bodies) {
    return store().change(id, [&](const PlanView&) -> Result<Store::Change> {
      Store::Change change;
      change.bodies = bodies;
      return change;
    });
  }
  Result<PlanView> edit(const std::string& id, const std::string& text) {
    return store().change(id, [&](const PlanView& view) -> Result<Store::Change> {
      Store::Change change;
      change.bodies = {DefinitionChanged{Store::blob_id(text), view.ledger.heads, "", "edit"}};
      change.definitions = {text};
      return change;
    });
  }
  Pulled pull(PullOptions options = {}) {
    return good(pull_plans(opened->repository, store(), remote(), options));
  }
  Pushed push(PushOptions options = {}) {
    return good(push_plans(opened->repository, store(), remote(), options));
  }
  PlanView load(const std::string& id) { return good(store().load(id)); }
  std::string tree(const std::string& id) {
    return repo.git({"rev-parse", "refs/plans/" + id + "^{tree}"});
  }
  TempRepo repo;
  std::unique_ptr<Opened> opened;
  std::unique_ptr<Settings> settings;
};

}  // namespace gitplan::test
