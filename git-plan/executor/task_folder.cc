#include "git-plan/executor/task_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>

#include "git-plan/executor/attempt_files.h"
#include "refs/git/errno_error.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

Status make_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0 || (errno == EEXIST && is_directory(path))) return {};
  return errno == EEXIST
             ? error(ErrorCode::kRefused, "'" + path + "' is in the way: it is no folder",
                     "remove or rename it in the repository")
             : errno_error("create", path, errno);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// At each step below `tree` no link is followed, and a pipe does not make us wait.
struct Left {
  std::string text;
  bool cut = false;
};
std::optional<Left> read_left(const std::string& tree, std::string_view attempt, const char* name,
                              std::size_t limit) {
  constexpr int kFolder = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const Descriptor root(::open(tree.c_str(), O_DIRECTORY | O_CLOEXEC));
  const Descriptor ours(::openat(root.get(), ".git-plan", kFolder));
  const Descriptor folder(::openat(ours.get(), std::string(attempt).c_str(), kFolder));
  const Descriptor file(
      ::openat(folder.get(), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info;
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return std::nullopt;
  Left left;
  std::string& text = left.text;
  char buffer[65536];
  ssize_t n = 0;
  while (text.size() <= limit && (n = ::read(file.get(), buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<std::size_t>(n));
  left.cut = text.size() > limit;
  if (left.cut) {
    text.resize(limit);
    // At a line's end, so that a line of findings is whole or not there.
    if (const std::size_t end = text.rfind('\n'); end != std::string::npos) text.resize(end + 1);
  }
  return left;
}

}  // namespace

std::string task_folder(const std::string& tree, std::string_view attempt) {
  return tree + "/.git-plan/" + std::string(attempt);
}

Status make_task_folder(const std::string& tree, std::string_view attempt,
                        const FolderContent& content) {
  const std::string ours = tree + "/.git-plan";
  const std::string folder = task_folder(tree, attempt);
  GITPLAN_TRY(make_directory(ours));
  std::error_code code;
  std::filesystem::remove_all(folder, code);
  GITPLAN_TRY(make_directory(folder));
  GITPLAN_TRY(make_directory(folder + "/outputs"));
  if (!exists(ours + "/.gitignore")) GITPLAN_TRY(write_file(ours + "/.gitignore", "*\n"));
  GITPLAN_TRY(write_file(folder + "/plan.md", content.plan_text));
  GITPLAN_TRY(write_file(folder + "/brief.md", content.brief));
  for (const auto& [name, text] : content.outputs)
    GITPLAN_TRY(write_file(folder + "/outputs/" + name, text));
  return {};
}

void remove_task_folder(const std::string& tree, std::string_view attempt) {
  namespace fs = std::filesystem;
  const std::string ours = tree + "/.git-plan";
  std::error_code code;
  if (tree.empty() || attempt.empty()) return;
  if (!fs::is_directory(fs::symlink_status(ours, code))) return;
  fs::remove_all(task_folder(tree, attempt), code);
  for (const auto& entry : fs::directory_iterator(ours, code))
    if (entry.path().filename() != ".gitignore") return;
  fs::remove(ours + "/.gitignore", code);
  fs::remove(ours, code);
}

Status write_output(const std::string& tree, std::string_view attempt, std::string_view text) {
  constexpr int kFolder = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const std::string path = task_folder(tree, attempt) + "/output.md";
  const Descriptor root(::open(tree.c_str(), O_DIRECTORY | O_CLOEXEC));
  const Descriptor ours(::openat(root.get(), ".git-plan", kFolder));
  const Descriptor folder(::openat(ours.get(), std::string(attempt).c_str(), kFolder));
  if (folder.get() < 0) return errno_error("open", task_folder(tree, attempt), errno);
  ::unlinkat(folder.get(), "output.md", 0);
  const Descriptor file(::openat(folder.get(), "output.md",
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) return errno_error("create", path, errno);
  while (!text.empty()) {
    const ssize_t n = ::write(file.get(), text.data(), text.size());
    if (n < 0 && errno != EINTR) return errno_error("write", path, errno);
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Status save_masters(const std::string& tree, std::string_view attempt,
                    const std::string& attempt_dir) {
  if (const auto output = read_left(tree, attempt, "output.md", kMaxOutput);
      output && !output->text.empty())
    GITPLAN_TRY(write_file(attempt_dir + "/output.md",
                           output->text + (output->cut ? "\n[git plan: cut at 1 MiB]\n" : "")));
  if (const auto findings = read_left(tree, attempt, "findings.jsonl", kMaxFindingsFile))
    GITPLAN_TRY(write_file(attempt_dir + "/findings.jsonl", findings->text));
  return {};
}

}  // namespace gitplan
