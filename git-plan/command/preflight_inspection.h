// The checks of preflight.h, one function each, in the order of the report.
//
// Private to git-plan/command/preflight*.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git-plan/command/preflight.h"

namespace gitplan {

class Inspection {
 public:
  Inspection(Context& context, const PlanView& view, const PlanFacts& facts,
             const ExecuteOptions& options, std::optional<Mode> mode)
      : context_(context), view_(view), facts_(facts), options_(options), mode_(mode) {}

  Result<Preflight> make();

 private:
  // ---- preflight.cc ----
  void good(std::string name, std::string text);
  void warn(std::string name, std::string text, std::vector<std::string> details = {});
  void bad(std::string name, Error fault);
  Status trust();
  bool exists(std::string_view path) const;
  bool has_scope() const;
  Status overlap();
  Status references();
  Status configuration();
  Status agents();

  // ---- preflight_plan.cc ----
  Status definition();
  bool asked_for(const std::string& task) const;
  bool would_run(int at) const;
  std::vector<bool> running(const std::vector<int>& levels) const;
  void levels();
  void refuse(std::string why, std::string hint, ErrorCode code = ErrorCode::kRefused);
  void state();
  void decisions();
  void nothing_left();

  // ---- preflight_repository.cc ----
  Status repository();
  std::optional<Error> working_tree_fault(const Repository& repository) const;
  std::optional<std::string> foreign_integration() const;
  std::string where_it_starts(const Repository& repository) const;

  Context& context_;
  const PlanView& view_;
  const PlanFacts& facts_;
  const ExecuteOptions& options_;
  std::optional<Mode> mode_;
  Preflight report_;
};

}  // namespace gitplan
