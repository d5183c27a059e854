#include "tests/refs/sync/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace gitplan::test {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

bool answers(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  const bool connected =
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

}  // namespace

Server::Server(Transport transport) {
  const std::string folder = repo_.path().parent_path(), name = repo_.path().filename();
  switch (transport) {
    case Transport::kFile: address_ = "file://" + repo_.path().string(); return;
    case Transport::kHttp:
      repo_.git({"config", "http.receivepack", "true"});
      address_ = "http://127.0.0.1:" +
                 start({"python3", GITPLAN_SOURCE_DIR "/tests/refs/sync/http_backend.py", folder}) +
                 "/" + name;
      return;
    case Transport::kDaemon: {
      const int port = free_port();
      start({"git", "daemon", "--reuseaddr", "--listen=127.0.0.1", "--port=" + std::to_string(port),
             "--base-path=" + folder, "--export-all", "--enable=receive-pack"});
      for (int i = 0; !answers(port); ++i) {
        if (i == 1000) throw std::runtime_error("git daemon does not answer");
        ::usleep(10'000);
      }
      address_ = "git://127.0.0.1:" + std::to_string(port) + "/" + name;
      return;
    }
  }
}

Server::~Server() {
  if (child_ < 0) return;
  ::close(input_);
  ::kill(-child_, SIGTERM);
  ::waitpid(child_, nullptr, 0);
}

std::string Server::start(const Words& words) {
  int in[2], out[2];
  if (::pipe(in) != 0 || ::pipe(out) != 0) throw std::runtime_error("no pipe");
  std::vector<std::string> environment = repo_.environment();
  child_ = ::fork();
  if (child_ == 0) {
    ::setpgid(0, 0);
    ::dup2(in[0], 0);
    ::dup2(out[1], 1);
    for (const int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
    std::vector<char*> argv, env;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    for (std::string& variable : environment) env.push_back(variable.data());
    argv.push_back(nullptr);
    env.push_back(nullptr);
    ::execvpe(argv[0], argv.data(), env.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  std::string line;
  if (words.front() == "python3")
    for (char c = 0; ::read(out[0], &c, 1) == 1 && c != '\n';) line += c;
  ::close(out[0]);
  return line;
}

}  // namespace gitplan::test
