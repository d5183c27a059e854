#include "git-plan/executor/window.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "core/base/plain_text.h"
#include "git-plan/executor/attempt_files.h"
#include "refs/git/errno_error.h"
#include "refs/git/process.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::chrono::seconds kPatience{10};  // until a window counts as one that does not come
constexpr std::chrono::milliseconds kLook{5};

Result<std::string> tmux(std::vector<std::string> words) {
  words.insert(words.begin(), "tmux");
  Command command;
  command.argv = std::move(words);
  command.deadline = kPatience;
  GITPLAN_TRY_ASSIGN(const Outcome outcome, run(command));
  if (outcome.timed_out) return failed("tmux does not answer");
  if (!outcome.ok()) return failed("tmux says: " + one_line(outcome.error));
  return outcome.output;
}

// For a shell, in a text in which tmux expands # and %.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '#' || c == '%') result += c;
    result += c;
  }
  return result + "'";
}

// The next that comes and is a process of this user: anybody may find an abstract address. -1:
// nobody came.
int accept_own(int fd) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd wait{fd, POLLIN, 0};
    if (left.count() <= 0) return -1;
    if (::poll(&wait, 1, static_cast<int>(left.count())) <= 0) continue;
    FileDescriptor peer(::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC));
    ucred who{};
    socklen_t size = sizeof who;
    if (peer.open() && ::getsockopt(peer.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
        who.uid == ::getuid())
      return peer.release();
  }
}

// The process that tmux pipes the window into locks the log when it is ready for it.
Status wait_for_log(const std::string& attempt_dir) {
  const AttemptFiles files(attempt_dir);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!files.log_is_written()) {
    if (std::chrono::steady_clock::now() > end) return failed("its output does not reach the log");
    std::this_thread::sleep_for(kLook);
  }
  return {};
}

}  // namespace

Result<LockOffer> LockOffer::make() {
  std::array<unsigned char, 16> bits{};
  if (::getrandom(bits.data(), bits.size(), 0) != static_cast<ssize_t>(bits.size()))
    return errno_error("make", "a socket", errno);
  std::string address = "git-plan-";
  for (const unsigned char byte : bits)
    for (const int half : {byte >> 4, byte & 15}) address += "0123456789abcdef"[half];
  const int fd = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno_error("make", "a socket", errno);
  LockOffer offer(fd, address);
  sockaddr_un own{};
  own.sun_family = AF_UNIX;
  std::memcpy(own.sun_path + 1, address.data(), address.size());
  const auto length = static_cast<socklen_t>(sizeof own.sun_family + 1 + address.size());
  if (::bind(fd, reinterpret_cast<sockaddr*>(&own), length) != 0 || ::listen(fd, 4) != 0)
    return errno_error("make", "a socket", errno);
  return offer;
}

LockOffer::~LockOffer() {
  if (fd_ >= 0) ::close(fd_);
}

Status LockOffer::hand_over(const ShimLocks& locks) const {
  const FileDescriptor shim(accept_own(fd_));
  if (!shim.open()) return failed("nothing started in the window");
  std::string which;
  std::array<int, 3> given{};
  const std::array held{locks.attempt, locks.slot, locks.named};
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i] >= 0) {
      given[which.size()] = held[i];
      which += static_cast<char>('3' + i);
    }
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof given)> control{};
  const std::size_t bytes = sizeof(int) * which.size();
  iovec part{which.data(), which.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(bytes);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(bytes);
  std::memcpy(CMSG_DATA(header), given.data(), bytes);
  if (::sendmsg(shim.get(), &message, MSG_NOSIGNAL) <= 0)
    return failed("what started in the window did not take its locks");
  return {};
}

std::string window_session(const std::string& plan) {
  std::string name = "git-plan-" + plan;
  for (char& c : name)
    if (c == '.' || c == ':') c = '_';
  return name;
}

Status open_window(const WindowRequest& request, const LockOffer& offer) {
  const std::string& session = request.session;
  std::vector<std::string> words{"new-window", "-d"};
  if (!session.empty()) {
    if (tmux({"has-session", "-t", "=" + session}).ok())
      words.insert(words.end(), {"-t", "=" + session + ":"});
    else
      words = {"new-session", "-d", "-s", session, "-x", "160", "-y", "50"};
  }
  words.insert(words.end(), {"-P", "-F", "#{pane_id}", "-n", request.task, request.shim, "--window",
                             request.attempt_dir});
  GITPLAN_TRY_ASSIGN(std::string pane, tmux(std::move(words)));
  while (!pane.empty() && pane.back() == '\n') pane.pop_back();
  // The shim waits for its locks: nothing of what its command writes is missed.
  const auto set = tmux({"set-option", "-w", "-t", pane, "remain-on-exit", "off", ";", "set-option",
                         "-w", "-t", pane, "allow-rename", "off", ";", "pipe-pane", "-t", pane,
                         "exec " + quoted(request.shim) + " --log " + quoted(request.attempt_dir) +
                             " " + std::to_string(request.log_limit)});
  Status done = set ? wait_for_log(request.attempt_dir) : Status(set.error());
  if (done) done = offer.hand_over(request.locks);
  if (!done) (void)tmux({"kill-pane", "-t", pane});
  return done;
}

}  // namespace gitplan
