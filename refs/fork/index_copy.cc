#include "refs/fork/index_copy.h"

#include <filesystem>

namespace gitplan {

Status copy_index(const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  std::error_code code;
  // Before the copy: should git replace the index meanwhile, the copy is too old, which costs a
  // comparison of files; too young would hide a change.
  const auto time = fs::last_write_time(from, code);
  if (!code) fs::copy_file(from, to, fs::copy_options::overwrite_existing, code);
  if (!code) fs::last_write_time(to, time, code);
  if (code) return failed("cannot copy " + from + " to " + to + ": " + code.message());
  return {};
}

}  // namespace gitplan
