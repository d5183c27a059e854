// A repository with a store, and plans to put into it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/plan/plan_file.h"
#include "refs/store/store.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {

inline std::string plan_text(const std::string& title, int tasks = 2) {
  std::string text = "---\ntitle: " + title + "\ntags: [one, two]\nttl_days: 9\n";
  if (tasks > 0) text += "orchestration:\n  tasks:\n";
  for (int i = 1; i <= tasks; ++i)
    text += "    - name: task" + std::to_string(i) + "\n      run: \"true\"\n";
  return text + "---\n# " + title + "\n\nBody.\n";
}

template <typename T>
T good(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

inline void good(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.error().message);
}

// A change that only says something.
inline Store::Change note(const std::string& text) {
  Store::Change change;
  change.bodies.push_back(Remark{"", text});
  return change;
}

// What another process of the same clone would open.
struct Opened {
  explicit Opened(const std::filesystem::path& path)
      : repository(good(Repository::open_at(path))), store(good(Store::open(repository))) {}
  Repository repository;
  Store store;
};

class PlanFixture : public ::testing::Test {
 protected:
  PlanFixture() : opened(std::make_unique<Opened>(repo.path())) {}

  Store& store() { return opened->store; }
  void reopen() { opened = std::make_unique<Opened>(repo.path()); }

  PlanView create(const std::string& id, const std::string& text) {
    const ParsedPlan parsed = good(parse_plan(text));
    PlanCreated created;
    created.plan = id;
    created.title = parsed.plan.title;
    created.definition = Store::blob_id(text);
    return good(store().create(id, text, parsed.plan, {created}, "Create it"));
  }
  PlanView create(const std::string& id) { return create(id, plan_text("The " + id)); }

  PlanView say(const std::string& id, const std::string& text, bool flush = true) {
    return good(store().change(
        id, [&](const PlanView&) -> Result<Store::Change> { return note(text); }, flush));
  }

  std::string local(const std::string& path) { return ".git/git-plan/" + path; }
  std::string wal(const PlanView& view) { return local("wal/" + view.identity.substr(0, 16)); }

  TempRepo repo;
  std::unique_ptr<Opened> opened;
};

}  // namespace gitplan::test
