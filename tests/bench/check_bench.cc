// check: a thousand references through a thousand commits, against git that follows each by itself.
#include <string>

#include "tests/bench/ratio.h"
#include "tests/support/temp_repo.h"

namespace gitplan::bench {
namespace {

constexpr int kFiles = 1000, kCommits = 1000;

std::string content(int file, int version) {
  std::string text;
  for (int line = 0; line < 30; ++line)
    text += "file " + std::to_string(file) + " line " +
            std::to_string(line == version % 30 ? -version : line) + "\n";
  return text;
}

std::string data(const std::string& text) {
  return "data " + std::to_string(text.size()) + "\n" + text + "\n";
}

std::string header(int commit) {
  return "commit refs/heads/main\ncommitter A <a@b> " + std::to_string(1700000000 + commit * 60) +
         " +0000\n" + data("Commit " + std::to_string(commit));
}

std::string old_name(int file) { return "src/f" + std::to_string(file) + ".c"; }

// Each commit moves a file and changes what is in another.
std::string history() {
  std::string stream = header(0);
  for (int file = 0; file < kFiles; ++file)
    stream += "M 100644 inline " + old_name(file) + "\n" + data(content(file, 0));
  return stream;
}
std::string moves() {
  std::string stream;
  for (int commit = 1; commit <= kCommits; ++commit) {
    const int file = commit % kFiles, other = (commit + kFiles / 2) % kFiles;
    stream += header(commit);
    if (commit == 1) stream += "from refs/heads/main^0\n";
    stream += "R " + old_name(file) + " lib/g" + std::to_string(file) + ".c\n";
    const std::string now =
        commit > kFiles / 2 ? "lib/g" + std::to_string(other) + ".c" : old_name(other);
    stream += "M 100644 inline " + now + "\n" + data(content(other, commit));
  }
  return stream;
}

}  // namespace

void bench_check() {
  constexpr int kFollowed = 20;
  test::TempRepo repo;
  const auto import = [&repo](const std::string& stream) {
    test::RunOptions options;
    options.stdin_text = stream;
    repo.git({"fast-import", "--quiet"}, options);
    repo.git({"reset", "-q", "--hard", "main"});
  };
  import(history());
  std::string plan =
      "---\ntitle: p\norchestration:\n  tasks:\n    - name: a\n      run: 'true'\n"
      "      files:\n";
  for (int file = 0; file < kFiles; ++file) plan += "        - " + old_name(file) + "\n";
  test::RunOptions options;
  options.stdin_text = plan + "---\nBody.\n";
  repo.plan({"create", "-F", "-", "--naming", "{title}"}, options);
  import(moves());
  const auto environment = repo.environment();
  const std::string program = std::string(GITPLAN_PROGRAM_DIR) + "/git-plan";
  std::vector<double> ours, yardstick;
  for (int round = 0; round < 3; ++round) {
    ours.push_back(milliseconds([&] {
      spawn({"sh", "-c", program + " check p; test $? = 5"}, repo.path(), environment);
    }));
    yardstick.push_back(milliseconds([&] {
                          for (int i = 0; i < kFollowed; ++i)
                            spawn({"git", "log", "--follow", "--format=%H", "--",
                                   "lib/g" + std::to_string(i * (kFiles / kFollowed)) + ".c"},
                                  repo.path(), environment);
                        }) *
                        (kFiles / kFollowed));
  }
  print_row({"check of 1,000 references over 1,000 commits",
             "git log --follow for each, from 20 of them", 0.05},
            median(ours), median(yardstick));
}

}  // namespace gitplan::bench
