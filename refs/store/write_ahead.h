// A plan's write-ahead file: where every event is before it is in git.
//
// The engine and every command append here first; a flush moves the records into a journal segment
// and empties the file. On disk: <common>/git-plan/wal/<identity>, one record a line, "<16 hex of
// XXH3-64> <event line>\n" (refs/store/FORMAT.md). Each access holds a short flock on the file. A
// torn or damaged last record is cut off at the next append and passed over by readers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/journal/event.h"
#include "refs/store/local_file.h"

namespace gitplan {

class WriteAhead {
 public:
  // `identity`: the plan's root commit id, cut to 16 hex digits.
  WriteAhead(std::string local_dir, std::string identity);

  // What is in it now; empty where there is no file. Takes no lock that a writer could wait for,
  // and reads only what came since the last call.
  Result<std::vector<Event>> read() const;
  bool empty() const;

  // Under the lock: hands the records that are there to `make`, appends the lines that it returns,
  // and writes them to the disk (fdatasync) when `durable`.
  Status append(
      const std::function<Result<std::vector<Event>>(const std::vector<Event>& there)>& make,
      bool durable);

  // Under the lock: hands all records to `take`; when it succeeds the file goes away.
  Status drain(const std::function<Status(const std::vector<Event>& records)>& take);

  // What append() wrote without `durable` reaches the disk.
  Status sync();

  // The lock itself, for a writer that decides under it which of the two it wants. An untouched
  // empty file goes away with it.
  class Locked {
   public:
    Locked(Locked&& other) noexcept : file_(std::exchange(other.file_, nullptr)) {}
    Locked& operator=(Locked&&) = delete;
    ~Locked();
    const std::vector<Event>& records() const { return file_->records_; }
    Status append(const std::vector<Event>& events, bool durable);
    Status clear();
    // All records by others, at once; the lock is given up with the file that had them.
    Status replace(const std::vector<Event>& events);

   private:
    friend class WriteAhead;
    explicit Locked(WriteAhead& file) : file_(&file) {}
    WriteAhead* file_;
  };
  Result<Locked> lock();  // kBusy after a minute

  // True where records before the last one were damaged; clear() then keeps the file as
  // <path>.damaged.
  bool damaged() const { return damaged_; }
  const std::string& path() const { return path_; }

 private:
  bool current() const;  // the open file is the one at path_
  void forget() const;
  Status catch_up() const;

  std::string path_;
  // What was read so far, of the file that is held open: as long as it is, its inode is not given
  // away again.
  mutable FileDescriptor file_;
  mutable bool writable_ = false;
  mutable bool created_ = false;
  mutable bool damaged_ = false;
  mutable std::size_t end_ = 0;  // of the last good record
  mutable std::vector<Event> records_;
};

}  // namespace gitplan
