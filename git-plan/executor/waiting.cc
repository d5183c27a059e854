#include "git-plan/executor/waiting.h"

#include <unistd.h>

#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {

void tell_waiting(const std::string& plan_dir, std::string_view reason) {
  const std::string path = plan_dir + "/waiting";
  if (reason.empty()) {
    ::unlink(path.c_str());
    return;
  }
  // Replaced whole, so that a reader sees the old reason or the new one.
  const Status written = replace_file(path, std::string(reason) + "\n", false);
  if (!written) ::unlink(path.c_str());
}

std::string waiting_of_run(const std::string& plan_dir) {
  return read_small_file(plan_dir + "/waiting").value_or("");
}

}  // namespace gitplan
