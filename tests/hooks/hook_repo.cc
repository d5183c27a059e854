#include "tests/hooks/hook_repo.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

namespace gitplan::test {

namespace fs = std::filesystem;

HookRepo::HookRepo(bool installed) {
  write("src/a.txt", "1\n");
  std::string lines;
  for (int i = 1; i <= 50; ++i) lines += std::to_string(i) + "\n";
  write("src/b.txt", lines);
  write("docs/c.txt", "c\n");
  commit("Base");
  if (!installed) return;
  make_plan();
  const ProcessResult result = plan({"hooks", "install"});
  EXPECT_EQ(result.exit_status, 0) << result.out << result.err;
}

void HookRepo::make_plan(const std::string& id) const {
  RunOptions options;
  options.stdin_text =
      "---\ntitle: X\norchestration:\n  default_mode: forked\n  tasks:\n"
      "    - {name: parser, description: 'Look at `docs/c.txt`', run: echo p >p.txt}\n---\n# X\n\n"
      "## Changes\n- [modify] src/a.txt — a\n- [modify] src/b.txt — b\n";
  const ProcessResult made = plan({"create", "-F", "-", "--naming", id}, options);
  EXPECT_EQ(made.exit_status, 0) << made.out << made.err;
}

HookRepo::Said HookRepo::say(const Words& words, const RunOptions& options) const {
  const ProcessResult result = run(words, options);
  Said said;
  said.status = result.exit_status;
  said.all = result.out + result.err;
  std::istringstream stream(result.err);
  bool ours = false;
  for (std::string line; std::getline(stream, line);) {
    ours = line.starts_with("git plan:") || line.starts_with("git-plan") ||
           (ours && line.starts_with("  "));
    if (ours) said.ours += line + "\n";
  }
  return said;
}

HookRepo::Said HookRepo::say_git(const Words& words, const RunOptions& options) const {
  Words all{"git"};
  all.insert(all.end(), words.begin(), words.end());
  return say(all, options);
}

void HookRepo::script(const fs::path& name, const std::string& text) const {
  write(name, "#!/bin/sh\n" + text);
  fs::permissions(name.is_absolute() ? name : path() / name, fs::perms(0750));
}

std::map<std::string, std::string> HookRepo::listing(const fs::path& folder) const {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".sample")) continue;
    if (entry.is_symlink()) {
      all[name] = "-> " + fs::read_symlink(entry.path()).string();
      continue;
    }
    struct stat info {};
    ::stat(entry.path().c_str(), &info);
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream bytes;
    if (entry.is_regular_file()) bytes << file.rdbuf();
    all[name] = std::to_string(info.st_mode) + " " + bytes.str();
  }
  return all;
}

}  // namespace gitplan::test
