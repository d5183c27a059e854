#include "git-plan/attempt/window.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "git-plan/attempt/bounded_log.h"

namespace gitplan {
namespace {

constexpr int kLocks = 3;   // attempt, slot, named: descriptors 3 to 5
constexpr int kAside = 16;  // above all of them
constexpr int kFirstLock = 3;

}  // namespace

bool receive_locks(const std::string& address) {
  sockaddr_un peer{};
  peer.sun_family = AF_UNIX;
  if (address.empty() || address.size() + 1 > sizeof peer.sun_path) return false;
  std::memcpy(peer.sun_path + 1, address.data(), address.size());
  const int made = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  const int from = made < 0 ? -1 : ::fcntl(made, F_DUPFD_CLOEXEC, kAside);
  if (made >= 0) ::close(made);
  const socklen_t length = static_cast<socklen_t>(sizeof peer.sun_family + 1 + address.size());
  if (from < 0 || ::connect(from, reinterpret_cast<sockaddr*>(&peer), length) != 0) return false;
  ucred other{};
  socklen_t size = sizeof other;
  if (::getsockopt(from, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0 || other.uid != ::getuid())
    return false;
  char which[kLocks];  // "3", "4", "5": what each descriptor is to be
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kLocks)];
  iovec part{which, sizeof which};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n = 0;
  while ((n = ::recvmsg(from, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
  const cmsghdr* header = n > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof(int) * static_cast<std::size_t>(n)))
    return false;
  int given[kLocks], aside[kLocks];
  std::memcpy(given, CMSG_DATA(header), sizeof(int) * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) aside[i] = ::fcntl(given[i], F_DUPFD_CLOEXEC, kAside);
  for (int i = 0; i < n; ++i) ::close(given[i]);
  for (int i = 0; i < n; ++i) {
    const int number = which[i] - '0';
    if (number < kFirstLock || number >= kFirstLock + kLocks || ::dup2(aside[i], number) < 0)
      return false;
  }
  return true;
}

void take_window_environment(AttemptSpec* spec) {
  for (const char* name : {"TERM", "TMUX", "TMUX_PANE"}) {
    const std::string start = std::string(name) + "=";
    std::erase_if(spec->environment,
                  [&](const std::string& variable) { return variable.rfind(start, 0) == 0; });
    if (const char* value = std::getenv(name)) spec->environment.push_back(start + value);
  }
}

int write_log(const std::string& attempt_dir, std::int64_t limit) {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) ::signal(signal, SIG_IGN);
  BoundedLog log(attempt_dir + "/log", limit);
  const int lock = ::open((attempt_dir + "/log").c_str(), O_RDONLY | O_CLOEXEC);
  if (!log.open() || lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) != 0) return 1;
  char buffer[65536];
  ssize_t n = 0;
  while ((n = ::read(0, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) log.append(buffer, static_cast<std::size_t>(n));
  return 0;
}

}  // namespace gitplan
