// Repositories for worker threads: an open one belongs to one thread at a time.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

class RepositoryPool {
 public:
  // `like` lives longer; of it only what never changes is read.
  explicit RepositoryPool(const Repository& like) : like_(like) {}

  class Lease {
   public:
    Lease(RepositoryPool& pool, std::unique_ptr<Repository> repository)
        : pool_(&pool), repository_(std::move(repository)) {}
    Lease(Lease&&) = default;
    ~Lease() {
      if (repository_) pool_->give_back(std::move(repository_));
    }
    Repository& operator*() { return *repository_; }
    Repository* operator->() { return repository_.get(); }

   private:
    RepositoryPool* pool_;
    std::unique_ptr<Repository> repository_;
  };
  Result<Lease> take();

 private:
  void give_back(std::unique_ptr<Repository> repository);

  const Repository& like_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Repository>> free_;
};

}  // namespace gitplan
