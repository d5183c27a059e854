// A server of git's that plans are shared by: a path, `git daemon`, or `git http-backend`, each on
// this machine alone.
#pragma once

#include <sys/types.h>

#include <string>

#include "tests/support/temp_repo.h"

namespace gitplan::test {

enum class Transport { kFile, kDaemon, kHttp };

class Server {
 public:
  explicit Server(Transport transport);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  const TempRepo& repo() const { return repo_; }
  const std::string& address() const { return address_; }

 private:
  // Started with pipes as standard input and output; the first line that it prints.
  std::string start(const Words& words);
  TempRepo repo_{Words{"--bare"}};
  std::string address_;
  pid_t child_ = -1;
  int input_ = -1;
};

}  // namespace gitplan::test
