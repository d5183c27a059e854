#include "hooks/quick/head_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "hooks/quick/git_state.h"

namespace gitplan {
namespace {

// A reflog may be long, its lines are not: a subject makes most of one.
constexpr off_t kEnd = 16384;

std::string end_of(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string text(kEnd, '\0');
  struct stat info {};
  ssize_t got = 0;
  if (::fstat(fd, &info) == 0)
    got = ::pread(fd, text.data(), text.size(), std::max<off_t>(info.st_size - kEnd, 0));
  ::close(fd);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

}  // namespace

bool HeadMove::begins_rebase() const {
  return why.find(" (start): checkout ") != std::string::npos;
}

// "<from> <to> <name> <<mail>> <time> <zone>\t<why>"
std::optional<HeadMove> last_move(const std::string& git_dir) {
  std::string text = end_of(git_dir + "/logs/HEAD");
  while (text.ends_with('\n')) text.pop_back();
  const std::size_t before = text.rfind('\n');
  const std::string line = text.substr(before == std::string::npos ? 0 : before + 1);
  const std::size_t first = line.find(' ');
  if (first == std::string::npos) return std::nullopt;
  const std::size_t second = line.find(' ', first + 1);
  if (second == std::string::npos) return std::nullopt;
  HeadMove move{line.substr(0, first), line.substr(first + 1, second - first - 1), {}};
  if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
    move.why = line.substr(tab + 1);
  return move;
}

bool rebase_is_checkout_only(const std::string& git_dir) {
  const auto done = read_whole(git_dir + "/rebase-merge/done");
  const auto todo = read_whole(git_dir + "/rebase-merge/git-rebase-todo");
  return done && *done == "noop\n" && todo.value_or("").empty();
}

std::string rewritten_lines(const std::string& git_dir, std::string_view kind) {
  if (kind == "rebase") {
    auto lines = read_whole(git_dir + "/rebase-merge/rewritten-list");
    if (!lines) lines = read_whole(git_dir + "/rebase-apply/rewritten");
    return lines.value_or("");
  }
  const auto last = last_move(git_dir);
  if (kind != "amend" || !last || !last->why.starts_with("commit (amend)")) return {};
  return last->from + " " + last->to + "\n";
}

}  // namespace gitplan
