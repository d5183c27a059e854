#include "refs/store/write_ahead.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "core/journal/event_codec.h"
#include "refs/git/errno_error.h"
#include "refs/store/checksum.h"
#include "refs/store/lock_wait.h"

namespace gitplan {
namespace {

constexpr std::chrono::seconds kLockPatience{60};

std::string record_of(const Event& event) {
  const std::string line = to_line(event);
  return checksum(line) + " " + line + "\n";
}

Result<Event> parse_record(std::string_view record) {
  if (record.size() <= kChecksumDigits + 1 || record[kChecksumDigits] != ' ')
    return failed("a record without a checksum");
  const std::string_view line = record.substr(kChecksumDigits + 1);
  if (record.substr(0, kChecksumDigits) != checksum(line))
    return failed("a checksum that does not fit");
  return from_line(line);
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

WriteAhead::WriteAhead(std::string local_dir, std::string identity)
    : path_(std::move(local_dir) + "/wal/" + std::move(identity)) {}

bool WriteAhead::current() const {
  struct stat held, found;
  return file_.open() && fstat(file_.get(), &held) == 0 && stat(path_.c_str(), &found) == 0 &&
         same_file(held, found);
}

void WriteAhead::forget() const {
  file_ = FileDescriptor();
  writable_ = created_ = damaged_ = false;
  end_ = 0;
  records_.clear();
}

// Reads what was appended since the last time. A bad record at the end may still be under way, or
// is torn: end_ stays before it. One with a good record behind it is damaged.
Status WriteAhead::catch_up() const {
  struct stat info;
  if (fstat(file_.get(), &info) != 0) return errno_error("read", path_, errno);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == end_) return {};
  if (size < end_) {
    end_ = 0;
    records_.clear();
  }
  GITPLAN_TRY_ASSIGN(const std::string text, read_all(file_.get(), path_, end_));
  const std::size_t start = end_;
  bool bad = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = text.find('\n', at);
    if (stop == std::string::npos) break;
    auto event = parse_record(std::string_view(text).substr(at, stop - at));
    at = stop + 1;
    if (!event.ok()) {
      bad = true;
      continue;
    }
    damaged_ = damaged_ || bad;
    records_.push_back(std::move(event).value());
    end_ = start + at;
  }
  return {};
}

Result<std::vector<Event>> WriteAhead::read() const {
  if (!current()) {
    forget();
    file_ = FileDescriptor(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file_.open()) {
      if (errno == ENOENT || errno == ENOTDIR) return std::vector<Event>();
      return errno_error("read", path_, errno);
    }
  }
  GITPLAN_TRY(catch_up());
  return records_;
}

bool WriteAhead::empty() const {
  struct stat info;
  return stat(path_.c_str(), &info) != 0 || info.st_size == 0;
}

Result<WriteAhead::Locked> WriteAhead::lock() {
  LockWait patience(kLockPatience);
  while (true) {
    if (!writable_ || !current()) {
      forget();
      const auto try_open = [this](int flags) {
        file_ = FileDescriptor(open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags, 0644));
        return file_.open();
      };
      if (!try_open(0)) {
        if (errno == ENOENT) {
          GITPLAN_TRY(make_directories(path_.substr(0, path_.rfind('/'))));
          errno = 0;
          created_ = try_open(O_CREAT);
        }
        if (!file_.open()) return errno_error("write", path_, errno);
      }
      writable_ = true;
    }
    if (flock(file_.get(), LOCK_EX | LOCK_NB) == 0) {
      // Whoever had the lock may have emptied the plan's file, which is then another one.
      if (current()) break;
      continue;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return errno_error("lock", path_, errno);
    if (!patience.wait())
      return error(ErrorCode::kBusy, "another git plan holds " + path_,
                   "wait for it to end, or see with 'fuser' which process it is");
  }
  Locked locked(*this);
  GITPLAN_TRY(catch_up());
  return locked;
}

WriteAhead::Locked::~Locked() {
  if (file_ == nullptr || !file_->file_.open()) return;
  struct stat info;
  if (fstat(file_->file_.get(), &info) == 0 && info.st_size == 0 && file_->current()) {
    unlink(file_->path_.c_str());
    file_->forget();
    return;
  }
  flock(file_->file_.get(), LOCK_UN);
}

Status WriteAhead::Locked::append(const std::vector<Event>& events, bool durable) {
  if (events.empty()) return {};
  WriteAhead& file = *file_;
  const int fd = file.file_.get();
  std::string text;
  for (const Event& event : events) text += record_of(event);
  const auto end = static_cast<off_t>(file.end_);
  if (ftruncate(fd, end) != 0) return errno_error("write", file.path_, errno);
  Status status = write_all(fd, text, file.path_);
  if (status.ok() && durable && fdatasync(fd) != 0)
    status = errno_error("write", file.path_, errno);
  if (!status.ok()) {  // all of them or none: what came half is not read as an event later
    if (ftruncate(fd, end) != 0) return errno_error("write", file.path_, errno);
    return status;
  }
  if (durable && file.created_) {
    const std::string folder = file.path_.substr(0, file.path_.rfind('/'));
    const FileDescriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.open() && fsync(directory.get()) != 0) return errno_error("write", folder, errno);
    file.created_ = false;
  }
  file.end_ += text.size();
  file.records_.insert(file.records_.end(), events.begin(), events.end());
  return {};
}

Status WriteAhead::Locked::clear() {
  const std::string& path = file_->path_;
  const int code =
      file_->damaged_ ? rename(path.c_str(), (path + ".damaged").c_str()) : unlink(path.c_str());
  if (code != 0 && errno != ENOENT) return errno_error("remove", path, errno);
  file_->forget();
  return {};
}

Status WriteAhead::Locked::replace(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += record_of(event);
  GITPLAN_TRY(replace_file(file_->path_, text, true));
  file_->forget();
  return {};
}

Status WriteAhead::append(
    const std::function<Result<std::vector<Event>>(const std::vector<Event>& there)>& make,
    bool durable) {
  GITPLAN_TRY_ASSIGN(Locked locked, lock());
  GITPLAN_TRY_ASSIGN(const std::vector<Event> events, make(locked.records()));
  return locked.append(events, durable);
}

Status WriteAhead::drain(const std::function<Status(const std::vector<Event>& records)>& take) {
  if (empty()) return {};
  GITPLAN_TRY_ASSIGN(Locked locked, lock());
  GITPLAN_TRY(take(locked.records()));
  return locked.clear();
}

Status WriteAhead::sync() {
  if (file_.open() && fdatasync(file_.get()) != 0) return errno_error("write", path_, errno);
  return {};
}

}  // namespace gitplan
