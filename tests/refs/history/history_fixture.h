// A repository whose history a test writes, and where a path of it went.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "refs/git/repository.h"
#include "refs/history/trace.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {

class History {
 public:
  // Lines that no other tag or number has.
  static std::string lines(const std::string& tag, int first, int last) {
    std::string text;
    for (int i = first; i <= last; ++i)
      text += tag + " says in its line " + std::to_string(i * 7919) + " what nobody else says\n";
    return text;
  }

  TempRepo repo;

  void move(const std::string& from, const std::string& to) const {
    const std::filesystem::path folder = (repo.path() / to).parent_path();
    std::filesystem::create_directories(folder);
    repo.git({"mv", "-f", from, to});
  }

  TraceResult trace_all(const std::string& from, const TraceTarget& target,
                        const std::vector<NotedPath>& noted) const {
    const auto opened = Repository::open_at(repo.path());
    if (!opened.ok()) throw std::runtime_error(opened.error().message);
    auto traced = trace(*opened, from, target, noted);
    if (!traced.ok()) throw std::runtime_error(traced.error().message);
    return std::move(traced).value();
  }
  // To HEAD.
  Traced trace_one(const std::string& from, const NotedPath& noted) const {
    TraceTarget target;
    target.commit = repo.git({"rev-parse", "HEAD"});
    return trace_all(from, target, {noted}).places.front();
  }
};

}  // namespace gitplan::test
