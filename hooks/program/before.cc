#include "hooks/program/before.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "hooks/quick/git_state.h"

namespace gitplan {

std::string hook_before(const std::string& ours, const std::string& hook) {
  const std::size_t slash = ours.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : ours.substr(0, slash);
  std::string path = folder + "/" + hook + ".before-git-plan";
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) ||
      ::access(path.c_str(), X_OK) != 0)
    return {};
  if (info.st_size < 65536 &&
      read_whole(path).value_or("").find("\n# git-plan hook, version ") != std::string::npos)
    return {};
  return path;
}

std::string read_input() {
  std::string text;
  char piece[16384];
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(piece, static_cast<std::size_t>(got));
  }
}

int readable(const std::string& text) {
  const int fd = ::memfd_create("git-plan-hook", 0);
  if (fd < 0) return -1;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t put = ::write(fd, text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      ::close(fd);
      return -1;
    }
    done += static_cast<std::size_t>(put);
  }
  ::lseek(fd, 0, SEEK_SET);
  return fd;
}

int run_before(const std::string& path, const std::vector<std::string>& arguments,
               const std::string* input) {
  const int fd = input != nullptr ? readable(*input) : -1;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) {
    std::fprintf(stderr, "git-plan: cannot run '%s': %s\n", path.c_str(), std::strerror(errno));
    return 127;
  }
  if (child == 0) {
    if (fd >= 0) ::dup2(fd, 0);
    if (fd > 0) ::close(fd);
    std::vector<char*> words{const_cast<char*>(path.c_str())};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execvp(words[0], words.data());  // as git does: a text without #! is one of sh
    std::fprintf(stderr, "git-plan: cannot run '%s': %s\n", path.c_str(), std::strerror(errno));
    ::_exit(127);
  }
  if (fd >= 0) ::close(fd);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace gitplan
