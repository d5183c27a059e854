#include "refs/store/run_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "refs/git/errno_error.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

using Json = nlohmann::json;

struct flock whole_file() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

RunHolder parse(std::string_view text) {
  RunHolder holder;
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return holder;  // taken a moment ago, not yet written
  const auto word = [&json](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  holder.run = word("run");
  holder.host = word("host");
  if (const auto pid = json.find("pid"); pid != json.end() && pid->is_number_integer())
    holder.pid = pid->get<int>();
  holder.since = from_rfc3339(word("since")).value_or(0);
  return holder;
}

Error busy(const RunHolder& holder) {
  std::string message = "a run is at work on this plan";
  if (holder.pid != 0) {
    message += ": process " + std::to_string(holder.pid);
    if (!holder.host.empty()) message += " on " + holder.host;
    if (holder.since != 0) message += ", since " + to_rfc3339(holder.since);
  }
  return error(ErrorCode::kBusy, std::move(message),
               "'git plan status --watch' shows it; 'git plan pause' or 'git plan cancel' ends it");
}

}  // namespace

Result<RunLock> RunLock::take(const std::string& plan_dir, const RunHolder& self) {
  GITPLAN_TRY(make_directories(plan_dir));
  const std::string path = plan_dir + "/run.held";
  FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.open()) return errno_error("write", path, errno);
  struct flock lock = whole_file();
  if (fcntl(file.get(), F_OFD_SETLK, &lock) != 0) {
    if (errno != EAGAIN && errno != EACCES) return errno_error("lock", path, errno);
    GITPLAN_TRY_ASSIGN(const std::string text, read_all(file.get(), path));
    return busy(parse(text));
  }
  const Json json = {
      {"run", self.run}, {"pid", self.pid}, {"host", self.host}, {"since", to_rfc3339(self.since)}};
  if (ftruncate(file.get(), 0) != 0) return errno_error("write", path, errno);
  GITPLAN_TRY(write_all(file.get(), json.dump() + "\n", path));
  return RunLock(file.release());
}

std::optional<RunHolder> RunLock::holder(const std::string& plan_dir) {
  const std::string path = plan_dir + "/run.held";
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return std::nullopt;
  struct flock lock = whole_file();
  if (fcntl(file.get(), F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
  const auto text = read_all(file.get(), path);
  return parse(text.ok() ? *text : std::string());
}

RunLock::~RunLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace gitplan
