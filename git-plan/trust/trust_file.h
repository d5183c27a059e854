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
  // Nothing is trusted any more; that it was is remembered. False: nothing was.
  Result<bool> revoke(Millis now) const;
  // When trust was revoked, where nothing was trusted since; 0: it was not.
  Millis revoked() const { return revoked_; }

 private:
  std::string path_, actor_;
  std::vector<TrustLine> lines_;
  Millis revoked_ = 0;
};

}  // namespace gitplan
