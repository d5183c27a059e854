#include "refs/git/errno_error.h"

#include <cerrno>
#include <system_error>

namespace gitplan {
namespace {

std::string_view remedy(int number) {
  switch (number) {
    case ENOSPC:
    case EDQUOT: return "free some space and try again; what was written before is safe";
    case EROFS: return "the file system is mounted read-only";
    case EACCES:
    case EPERM: return "check the owner and the permissions of the directory";
    case EMFILE:
    case ENFILE: return "raise the limit of open files ('ulimit -n')";
    default: return {};
  }
}

}  // namespace

Error errno_error(std::string_view doing, std::string_view path, int number) {
  std::string message = "cannot ";
  message += doing;
  message += ' ';
  message += path;
  message += ": ";
  message += std::generic_category().message(number);
  return failed(std::move(message), std::string(remedy(number)));
}

}  // namespace gitplan
