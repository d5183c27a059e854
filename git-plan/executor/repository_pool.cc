#include "git-plan/executor/repository_pool.h"

namespace gitplan {

Result<RepositoryPool::Lease> RepositoryPool::take() {
  {
    const std::lock_guard guard(mutex_);
    if (!free_.empty()) {
      Lease lease(*this, std::move(free_.back()));
      free_.pop_back();
      return lease;
    }
  }
  GITPLAN_TRY_ASSIGN(Repository opened, like_.again());
  return Lease(*this, std::make_unique<Repository>(std::move(opened)));
}

void RepositoryPool::give_back(std::unique_ptr<Repository> repository) {
  const std::lock_guard guard(mutex_);
  free_.push_back(std::move(repository));
}

}  // namespace gitplan
