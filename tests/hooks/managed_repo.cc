#include "tests/hooks/managed_repo.h"

#include "hooks/hook_file.h"

namespace gitplan::test {

namespace fs = std::filesystem;

namespace {

std::string note(const ManagedRepo& repo, const std::string& hook) {
  return "echo " + hook + " >>" + (repo.root() / "theirs").string();
}

// Its hooks are tracked files of sh.
void configure_husky(const ManagedRepo& repo, bool ours) {
  for (const std::string& hook : hook_names())
    repo.write(".husky/" + hook,
               note(repo, hook) + "\n" + (ours ? repo.lines_for(hook) : std::string()));
}

void configure_lefthook(const ManagedRepo& repo, bool ours) {
  std::string text;
  for (const std::string& hook : hook_names())
    text += hook + ":\n  commands:\n    theirs:\n      run: " + note(repo, hook) + "\n";
  repo.write("lefthook.yml", text);
  if (!ours) return;
  // Ours are commands beside theirs: below the same two keys.
  text.clear();
  for (const std::string& hook : hook_names()) {
    std::string lines = repo.lines_for(hook);
    const std::string keys = hook + ":\n  commands:\n";
    const std::size_t at = lines.find(keys);
    EXPECT_NE(at, std::string::npos) << lines;
    text += lines.insert(at + keys.size(), "    theirs:\n      run: " + note(repo, hook) + "\n");
  }
  repo.write("lefthook.yml", text);
}

void configure_pre_commit(const ManagedRepo& repo, bool) {
  std::string text = "repos:\n- repo: local\n  hooks:\n";
  for (const std::string& hook : hook_names())
    text += "  - {id: " + hook + ", name: " + hook + ", language: system, entry: sh -c '" +
            note(repo, hook) + "', always_run: true, pass_filenames: false, stages: [" +
            (hook == "pre-commit" ? "commit" : hook) + "]}\n";
  repo.write(".pre-commit-config.yaml", text);
}

void set_up_pre_commit(const ManagedRepo& repo) {
  Words words{"pre-commit", "install"};
  for (const std::string& hook : hook_names()) {
    words.emplace_back("--hook-type");
    words.push_back(hook);
  }
  repo.good(words);
}

// A program before it in PATH notes which hook of git-lfs's is called.
void configure_git_lfs(const ManagedRepo& repo, bool) {
  const std::string real = repo.call({"sh", "-c", "command -v git-lfs"}).out;
  repo.script(repo.root() / "bin/git-lfs", "case $1 in pre-*|post-*|commit-*) echo \"$1\" >>" +
                                               (repo.root() / "theirs").string() +
                                               " ;; esac\nexec " + real.substr(0, real.find('\n')) +
                                               " \"$@\"\n");
  repo.write("large.bin", "large\n");
  repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  repo.good({"git", "lfs", "install", "--local"});
}

}  // namespace

void PrintTo(const Manager& manager, std::ostream* out) { *out << manager.name; }

const std::vector<Manager>& managers() {
  static const std::vector<Manager> all{
      {"Husky", "husky", configure_husky, [](const ManagedRepo& repo) { repo.good({"husky"}); },
       true, true},
      {"Lefthook", "lefthook", configure_lefthook,
       [](const ManagedRepo& repo) {
         repo.good({"lefthook", "install"});
       },
       true, false},
      {"PreCommit", "pre-commit", configure_pre_commit, set_up_pre_commit, false, false},
      {"GitLfs", "git-lfs", configure_git_lfs, [](const ManagedRepo&) {}, false, false},
  };
  return all;
}

ManagedRepo::ManagedRepo() : HookRepo(false) {
  std::string path;
  for (const std::string& variable : environment())
    if (variable.starts_with("PATH=")) path = variable.substr(5);
  const fs::path modules = fs::path(GITPLAN_SOURCE_DIR) / "build/npm/node_modules/.bin";
  options.env["PATH"] = (root() / "bin").string() + ":" + path + ":" + modules.string();
  options.env["PRE_COMMIT_HOME"] = (root() / "pre-commit").string();
  options.timeout = std::chrono::minutes(3);
  make_plan();
}

bool ManagedRepo::has(const std::string& program) const {
  return call({"sh", "-c", "command -v " + program}).exit_status == 0;
}

void ManagedRepo::good(const Words& words) const {
  const ProcessResult result = call(words);
  ASSERT_EQ(result.exit_status, 0) << words[0] << ": " << result.out << result.err;
}

std::string ManagedRepo::lines_for(const std::string& hook) const {
  const std::string all = call({"git", "plan", "hooks", "install", "--print"}).out;
  for (const std::string& title : {"# .husky/" + hook + "\n", "# " + hook + "\n"})
    if (const std::size_t from = all.find(title); from != std::string::npos) {
      const std::size_t start = from + title.size();
      return all.substr(start, all.find('\n', start) + 1 - start);
    }
  const std::size_t from = all.find("\n" + hook + ":\n");
  if (from == std::string::npos) return all;
  std::size_t end = from + 1;  // to the next line that is not indented
  do end = std::min(all.find('\n', end), all.size() - 1) + 1;
  while (end < all.size() && all[end] == ' ');
  return all.substr(from + 1, end - from - 1);
}

}  // namespace gitplan::test
