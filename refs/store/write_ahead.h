// A plan's write-ahead file: where every event is before it is in git.
//
// The engine and every command append here first; a flush moves the records into a journal segment and
// empties the file. On disk: <common>/git-plan/wal/<identity>, one record a line, "<16 hex of XXH3-64> <event line>\n"
// (refs/store/FORMAT.md). Each access holds a short flock on the file. A torn or damaged last record is cut off at the next append
// and passed over by readers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/journal/event.h"

namespace gitplan {

class WriteAhead {
 public:
  // `identity`: the plan's root commit id, cut to 16 hex digits.
  WriteAhead(std::string local_dir, std::string identity);

  // What is in it now; empty where there is no file. Takes no lock that a writer could wait for.
  Result<std::vector<Event>> read() const;
  bool empty() const;

  // Under the lock: hands the records that are there to `make`, appends the lines that it returns, and
  // writes them to the disk (fdatasync) when `durable`.
  Status append(const std::function<Result<std::vector<Event>>(const std::vector<Event>& there)>& make,
                bool durable);

  // Under the lock: hands all records to `take`; when it succeeds the file goes away.
  Status drain(const std::function<Status(const std::vector<Event>& records)>& take);

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace gitplan
