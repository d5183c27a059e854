#include "refs/git/small_file.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

namespace gitplan {

bool exists(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0;
}

bool is_directory(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::optional<std::string> read_small_file(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
    return std::nullopt;  // to open a FIFO would wait for a writer
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) return std::nullopt;
  std::string result = std::move(text).str();
  if (result.ends_with('\n')) result.pop_back();
  return result;
}

}  // namespace gitplan
