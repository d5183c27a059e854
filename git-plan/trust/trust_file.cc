#include "git-plan/trust/trust_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::string_view kRevoked = "revoked";  // in the place of a hash

Error cannot(const std::string& doing, const std::string& path) {
  return failed("cannot " + doing + " " + path + ": " + std::strerror(errno));
}

}  // namespace

Result<TrustFile> TrustFile::of(Context& context, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  TrustFile file;
  file.path_ = repository->local_dir() + "/trust/" + view.identity.substr(0, 16);
  file.actor_ = store->actor();
  std::ifstream stream(file.path_);
  for (std::string text; std::getline(stream, text);) {
    std::istringstream words(text);
    TrustLine line;
    std::string time;
    if (!(words >> line.hash >> line.actor >> time)) continue;
    words >> line.definition;
    line.time = from_rfc3339(time).value_or(0);
    if (line.actor != file.actor_) continue;
    file.revoked_ = line.hash == kRevoked ? line.time : 0;
    if (line.hash == kRevoked)
      file.lines_.clear();
    else
      file.lines_.push_back(std::move(line));
  }
  return file;
}

Status TrustFile::add(const TrustLine& line) const {
  if (!lines_.empty() && lines_.back().hash == line.hash) return {};
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
  const int fd = open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return cannot("open", path_);
  // One write: two processes that trust at once leave two whole lines.
  const std::string text =
      line.hash + " " + line.actor + " " + to_rfc3339(line.time) + " " + line.definition + "\n";
  const ssize_t written = write(fd, text.data(), text.size());
  Status status;
  if (written != static_cast<ssize_t>(text.size())) status = cannot("write", path_);
  close(fd);
  return status;
}

Result<bool> TrustFile::revoke(Millis now) const {
  if (lines_.empty()) return false;
  GITPLAN_TRY(replace_file(
      path_, std::string(kRevoked) + " " + actor_ + " " + to_rfc3339(now) + "\n", true));
  return true;
}

}  // namespace gitplan
