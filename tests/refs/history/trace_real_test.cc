// Renames of a real history, where GITPLAN_TRACE_REPOSITORY names a repository: each must be found
// from the commit before it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <sstream>

#include "refs/git/repository.h"
#include "refs/history/trace.h"

namespace gitplan::test {
namespace {

TEST(TraceReal, FindsTheRenamesThatGitFinds) {
  const char* path = std::getenv("GITPLAN_TRACE_REPOSITORY");
  if (path == nullptr) GTEST_SKIP() << "GITPLAN_TRACE_REPOSITORY names no repository";
  const auto repository = Repository::open_at(path);
  ASSERT_TRUE(repository.ok());
  const auto listed =
      repository->git().read({"log", "--no-merges", "-M50%", "-l0", "--diff-filter=R", "--raw",
                              "--no-abbrev", "--format=commit %H %P", "-n", "150"});
  ASSERT_TRUE(listed.ok());
  std::istringstream lines(*listed);
  std::string line, commit, parent;
  int renames = 0, found = 0, wrong_but_certain = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with("commit ")) {
      commit = line.substr(7, 40);
      parent = line.size() > 88 ? std::string() : line.substr(48);
    }
    const std::size_t tab = line.find('\t'), last = line.rfind('\t');
    if (!line.starts_with(':') || tab == last || renames == 200) continue;
    const std::string from = line.substr(tab + 1, last - tab - 1), to = line.substr(last + 1);
    TraceTarget target;
    target.commit = commit;
    const auto traced = trace(*repository, parent, target, {{from}});
    ASSERT_TRUE(traced.ok()) << traced.error().message;
    const Traced& place = traced->places.front();
    ++renames;
    if (place.path == to && place.fate == Fate::Moved) {
      ++found;
      continue;
    }
    if (place.certain && place.fate == Fate::Moved) ++wrong_but_certain;
    std::cout << commit << " " << from << "\n  git: " << to << " " << line.substr(line.find('R'), 4)
              << "\n  here: " << (place.fate == Fate::Gone ? "gone" : place.path) << " "
              << place.similarity << (place.certain ? " certain" : "") << "\n";
  }
  std::cout << found << " of " << renames << " renames found, " << wrong_but_certain
            << " others certain\n";
  EXPECT_GE(found * 100, renames * 95);
}

}  // namespace
}  // namespace gitplan::test
