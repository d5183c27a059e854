// The file of trusted versions of one plan (trust.h says what a line holds).
#pragma once

#include <string>
#include <vector>

#include "git-plan/command/context.h"

namespace gitplan {

struct TrustLine {
  std::string hash, actor, definition;
  Millis time = 0;
};

class TrustFile {
 public:
  static Result<TrustFile> of(Context& context, const PlanView& view);

  // Those of this clone's actor, oldest first; a line that cannot be read is passed over.
  const std::vector<TrustLine>& lines() const { return lines_; }
  const std::string& actor() const { return actor_; }
  Status add(const TrustLine& line) const;
  Result<bool> remove() const;

 private:
  std::string path_, actor_;
  std::vector<TrustLine> lines_;
};

}  // namespace gitplan
