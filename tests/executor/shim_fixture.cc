#include "tests/executor/shim_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/pinned_environment.h"

namespace gitplan::test {
namespace fs = std::filesystem;

ShimTest::ShimTest() : root_(make_temporary_directory()), attempt_(root_ / "attempt") {
  fs::create_directory(attempt_);
}

ShimTest::~ShimTest() {
  if (shim_ > 0) {
    kill(shim_, SIGKILL);
    waitpid(shim_, nullptr, 0);
  }
  remove_tree(root_);
}

void ShimTest::start(const std::string& command, const Fields& more) {
  std::ofstream spec(attempt_ / "spec", std::ios::binary);
  const auto field = [&spec](const std::string& text) { spec << text << '\0'; };
  field("git-plan-attempt 1");
  field("command=" + command);
  bool directory = false;
  for (const auto& [key, value] : more) {
    field(key + "=" + value);
    directory = directory || key == "directory";
  }
  if (!directory) field("directory=" + root_.string());
  field("env=PATH=/usr/local/bin:/usr/bin:/bin");
  spec.close();

  const int lock = open((attempt_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, lock, 3);
  const std::string program = GITPLAN_PROGRAM_DIR "/../libexec/git-plan/git-plan-attempt";
  std::string directory_argument = attempt_.string();
  char* argv[] = {const_cast<char*>("git-plan-attempt"), directory_argument.data(), nullptr};
  char* env[] = {nullptr};
  ASSERT_EQ(posix_spawn(&shim_, program.c_str(), &actions, nullptr, argv, env), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(lock);
}

int ShimTest::wait() {
  int status = 0;
  until([&] {
    const pid_t done = waitpid(shim_, &status, WNOHANG);
    return done == shim_;
  });
  shim_ = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int ShimTest::run(const std::string& command, const Fields& more) {
  start(command, more);
  return wait();
}

std::string ShimTest::file(const std::string& name) const {
  std::ifstream stream(attempt_ / name, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

bool ShimTest::has(const std::string& name) const { return fs::exists(attempt_ / name); }

std::int64_t ShimTest::exit_number(const std::string& key) const {
  const std::string text = file("exit.json");
  const std::size_t at = text.find("\"" + key + "\":");
  EXPECT_NE(at, std::string::npos) << text;
  return at == std::string::npos ? -1 : std::stoll(text.substr(at + key.size() + 3));
}

std::string ShimTest::stopped_by() const {
  const std::string text = file("exit.json");
  const std::string key = "\"stopped_by\":\"";
  const std::size_t at = text.find(key);
  EXPECT_NE(at, std::string::npos) << text;
  if (at == std::string::npos) return "?";
  return text.substr(at + key.size(), text.find('"', at + key.size()) - at - key.size());
}

void ShimTest::until(const std::function<bool()>& condition) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(4);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      FAIL() << "waited four minutes in vain";
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

bool ShimTest::lock_is_held() const {
  const int lock = open((attempt_ / "lock").c_str(), O_RDWR | O_CLOEXEC);
  const bool held = flock(lock, LOCK_EX | LOCK_NB) != 0;
  close(lock);
  return held;
}

bool ShimTest::alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(stat, text)) return false;
  return text[text.rfind(')') + 2] != 'Z';
}

}  // namespace gitplan::test
