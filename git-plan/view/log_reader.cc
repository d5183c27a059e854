#include "git-plan/view/log_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git-plan/terminal/output.h"

namespace gitplan {
namespace {

constexpr std::size_t kPiece = 1 << 20;

}  // namespace

LogReader::~LogReader() {
  if (fd_ >= 0) close(fd_);
}

std::string LogReader::next() {
  cut_ = false;
  if (fd_ < 0) fd_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (fd_ < 0 || fstat(fd_, &info) != 0) return {};
  if (info.st_size < offset_) {
    offset_ = info.st_size;
    cut_ = true;
  }
  std::string piece(kPiece, '\0');
  const ssize_t count = pread(fd_, piece.data(), piece.size(), offset_);
  piece.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  offset_ += static_cast<off_t>(piece.size());
  return piece;
}

std::string PrintableLines::take(std::string_view piece) {
  partial_ += piece;
  const std::size_t end = partial_.rfind('\n');
  // A line without an end is shown in parts, so that no log fills the memory.
  const std::size_t ready = end != std::string::npos    ? end + 1
                            : partial_.size() >= kPiece ? partial_.size()
                                                        : 0;
  std::string text = printable(std::string_view(partial_).substr(0, ready));
  partial_.erase(0, ready);
  return text;
}

std::string PrintableLines::rest() {
  std::string text = printable(partial_);
  partial_.clear();
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace gitplan
