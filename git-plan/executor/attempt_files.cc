#include "git-plan/executor/attempt_files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "refs/git/errno_error.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLastLine = 4096;

std::optional<Json> read_json(const std::string& path) {
  const auto text = read_small_file(path);
  if (!text) return std::nullopt;
  Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  return json;
}

std::int64_t number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t start_time(pid_t pid) {
  const std::string stat = read_small_file("/proc/" + std::to_string(pid) + "/stat").value_or("");
  std::size_t at = stat.rfind(')');  // "pid (name) state ppid …": a name may hold anything
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  return at == std::string::npos ? 0 : std::strtoll(stat.c_str() + at, nullptr, 10);
}

}  // namespace

std::string attempt_dir(const std::string& plan_dir, std::string_view task,
                        std::string_view attempt) {
  return plan_dir + "/attempts/" + std::string(task) + "/" + std::string(attempt);
}

std::string AttemptFiles::tree() const {
  std::string own = read_small_file(path("tree")).value_or("");
  return own.empty() ? read_small_file(path("working-tree")).value_or("") : own;
}

bool AttemptFiles::alive() const { return held("lock", O_RDWR); }
bool AttemptFiles::log_is_written() const { return held("log", O_RDONLY); }

bool AttemptFiles::held(const char* name, int access) const {
  const int fd = ::open(path(name).c_str(), access | O_CLOEXEC);
  if (fd < 0) return false;
  const bool free = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  ::close(fd);
  return !free;
}

bool AttemptFiles::started() const { return exists(path("process.json")); }

std::optional<AttemptExit> AttemptFiles::exit() const {
  const auto json = read_json(path("exit.json"));
  if (!json || !json->contains("exit_code")) return std::nullopt;
  AttemptExit found;
  found.exit_code = static_cast<int>(number_in(*json, "exit_code"));
  found.stopped_by = text_in(*json, "stopped_by");
  found.started = number_in(*json, "started");
  found.ended = number_in(*json, "ended");
  found.error = text_in(*json, "error");
  return found;
}

bool AttemptFiles::on_terminal() const {
  const auto json = read_json(path("process.json"));
  return json && json->value("terminal", Json()) == Json(true);
}

std::optional<pid_t> AttemptFiles::shim() const {
  const auto json = read_json(path("process.json"));
  if (!json) return std::nullopt;
  const auto pid = static_cast<pid_t>(number_in(*json, "pid"));
  if (pid <= 1 || !alive() || start_time(pid) != number_in(*json, "start_time"))
    return std::nullopt;
  return pid;
}

Result<int> AttemptFiles::take_lock() const {
  const std::string file = path("lock");
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return errno_error("open", file, errno);
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return error(ErrorCode::kBusy, "the attempt in '" + dir_ + "' is at work already");
}

Status AttemptFiles::write_spec(const AttemptSpec& spec) const {
  std::string text;
  const auto field = [&text](std::string_view key, std::string_view value) {
    text.append(key).append("=").append(value).push_back('\0');
  };
  text.append("git-plan-attempt 1").push_back('\0');
  field("command", spec.command);
  field("directory", spec.directory);
  field("input", spec.input);
  if (spec.terminal) field("terminal", "1");
  if (!spec.window.empty()) field("window", spec.window);
  field("log_limit", std::to_string(spec.log_limit));
  field("wall_ms", std::to_string(spec.wall_ms));
  field("idle_ms", std::to_string(spec.idle_ms));
  field("grace_ms", std::to_string(spec.grace_ms));
  for (const std::string& variable : spec.environment) field("env", variable);
  return write_file(path("spec"), text, 0600);
}

Status AttemptFiles::request_stop(std::string_view why) const {
  // By rename: the shim must never see half a word.
  const std::string temporary = path("stop.new");
  GITPLAN_TRY(write_file(temporary, why));
  if (::rename(temporary.c_str(), path("stop").c_str()) != 0)
    return errno_error("write", path("stop"), errno);
  if (const auto pid = shim()) ::kill(*pid, SIGTERM);
  return {};
}

std::uint64_t AttemptFiles::log_size() const {
  struct stat info;
  return ::stat(path("log").c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

std::string AttemptFiles::end_of_log(std::uint64_t bytes) const {
  const FileDescriptor file(::open(path("log").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat info;
  if (!file.open() || ::fstat(file.get(), &info) != 0) return {};
  const auto size = static_cast<std::uint64_t>(info.st_size);
  auto text = read_all(file.get(), path("log"), size - std::min(size, bytes));
  return text ? *std::move(text) : std::string();
}

std::string AttemptFiles::last_line() const {
  const int fd = ::open(path("log").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  char buffer[kLastLine];
  const off_t size = ::lseek(fd, 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(sizeof buffer));
  const ssize_t n = ::pread(fd, buffer, sizeof buffer, from);
  ::close(fd);
  std::string_view text(buffer, n > 0 ? static_cast<std::size_t>(n) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const std::size_t start = text.find_last_of("\n\r");
  return std::string(start == std::string_view::npos ? text : text.substr(start + 1));
}

Result<AttemptLock> AttemptLock::take(const std::string& attempt_dir) {
  GITPLAN_TRY(make_directories(attempt_dir));
  GITPLAN_TRY_ASSIGN(const int fd, AttemptFiles(attempt_dir).take_lock());
  return AttemptLock(fd);
}

AttemptLock::~AttemptLock() {
  if (fd_ >= 0) ::close(fd_);
}

Status write_file(const std::string& path, std::string_view content, mode_t mode) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0) return errno_error("write", path, errno);
  int number = 0;
  while (!content.empty() && number == 0) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n > 0)
      content.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      number = errno;
  }
  if (::close(fd) != 0 && number == 0) number = errno;
  if (number != 0) return errno_error("write", path, number);
  return {};
}

}  // namespace gitplan
