// The small files of an attempt that the shim reads and writes (git-plan/executor/FILES.md).
#pragma once

#include <cstdint>
#include <string>

namespace gitplan {

// Milliseconds: of a clock that only goes forward, and UTC.
std::int64_t monotonic_ms();
std::int64_t utc_ms();

// False where it cannot be read.
bool read_small_file(const std::string& path, std::string* text);

std::int64_t file_size(const std::string& path);  // 0 where it is not there

// All of it or nothing, by rename. `durable`: on the disk before the name is.
bool write_by_rename(const std::string& path, const std::string& text, bool durable);

struct Exit {
  int exit_code = 0;
  const char* stopped_by = "";
  std::int64_t started = 0, ended = 0;
  std::string error;  // why it did not start; plain ASCII without quotes
};
bool write_exit(const std::string& attempt_dir, const Exit& exit);

}  // namespace gitplan
