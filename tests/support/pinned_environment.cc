#include "tests/support/pinned_environment.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfig =
    "[user]\n\tname = A U Thor\n\temail = author@example.com\n"
    "[init]\n\tdefaultBranch = main\n"
    "[gc]\n\tauto = 0\n"
    "[maintenance]\n\tauto = false\n"
    "[core]\n\tautocrlf = false\n\tfsync = none\n"
    "[commit]\n\tgpgSign = false\n"
    "[protocol \"file\"]\n\tallow = always\n"
    "[advice]\n\tdetachedHead = false\n";

// What passes: the way to the programs, and what sanitizers, terminals, gtest and long runs read.
bool passes(std::string_view name) {
  for (const std::string_view allowed :
       {"PATH", "TMPDIR", "TERM", "SHELL", "USER", "LOGNAME", "LD_LIBRARY_PATH", "ASAN_OPTIONS",
        "UBSAN_OPTIONS", "LSAN_OPTIONS", "ASAN_SYMBOLIZER_PATH", "GITPLAN_LONG",
        "GITPLAN_TRACE_REPOSITORY"})
    if (name == allowed) return true;
  return name.starts_with("GTEST_") || name.starts_with("TEST_");
}

void clear_others() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!passes(text.substr(0, text.find('=')))) names.emplace_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

class PinnedHome {
 public:
  PinnedHome() : home_(make_temporary_directory()), owner_(getpid()) {
    make_home(home_);
    clear_others();
    const char* path = std::getenv("PATH");
    set("PATH", std::string(GITPLAN_PROGRAM_DIR) + ":" + (path ? path : "/usr/bin:/bin"));
    set("HOME", home_);
    set("GIT_CONFIG_GLOBAL", home_ / ".gitconfig");
    set("GIT_CONFIG_NOSYSTEM", "1");
    set("GIT_TERMINAL_PROMPT", "0");
    set("GIT_AUTHOR_NAME", "A U Thor");
    set("GIT_AUTHOR_EMAIL", "author@example.com");
    set("GIT_AUTHOR_DATE", pinned_date(0));
    set("GIT_COMMITTER_NAME", "C O Mitter");
    set("GIT_COMMITTER_EMAIL", "committer@example.com");
    set("GIT_COMMITTER_DATE", pinned_date(0));
    set("LC_ALL", "C");
    set("TZ", "UTC");
  }
  ~PinnedHome() {
    if (getpid() == owner_) remove_tree(home_);  // not in a forked child that calls exit
  }
  PinnedHome(const PinnedHome&) = delete;
  PinnedHome& operator=(const PinnedHome&) = delete;

 private:
  fs::path home_;
  pid_t owner_;
};

}  // namespace

void make_home(const fs::path& home) {
  fs::create_directories(home);
  std::ofstream file(home / ".gitconfig", std::ios::binary);
  file << kConfig;
}

fs::path make_temporary_directory() {
  std::string name = (fs::temp_directory_path() / "git-plan-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "mkdtemp");
  return fs::canonical(name);
}

void remove_tree(const fs::path& root) {
  std::error_code ignored;
  const auto open_up = [&ignored](const fs::path& directory) {
    fs::permissions(directory, fs::perms::owner_all, fs::perm_options::add, ignored);
  };
  open_up(root);
  auto entry = fs::recursive_directory_iterator(root, ignored);
  while (entry != fs::recursive_directory_iterator()) {
    if (!entry->is_symlink(ignored) && entry->is_directory(ignored)) open_up(entry->path());
    entry.increment(ignored);
    if (ignored) break;
  }
  fs::remove_all(root, ignored);
}

std::string pinned_date(int minutes) {
  return std::to_string(kPinnedTime + 60L * minutes) + " +0000";
}

void pin_environment() { static const PinnedHome pinned; }

}  // namespace gitplan::test
