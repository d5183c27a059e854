#include "tests/command/tmux_screen.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace gitplan::test {
namespace {

// The server of a screen that has just gone may still be on its way out.
std::string unused_socket(const TempRepo& repo) {
  static int number = 0;
  return repo.root() / ("tmux" + std::to_string(++number));
}

}  // namespace

TmuxScreen::TmuxScreen(const TempRepo& repo, const std::string& command, int columns, int rows)
    : repo_(repo), socket_(unused_socket(repo)) {
  const ProcessResult result =
      tmux({"-f", "/dev/null", "new-session", "-d", "-x", std::to_string(columns), "-y",
            std::to_string(rows), "sh", "-c",
            "trap : INT; " + command + "; echo \"status $?.\"; sleep 1000"});
  EXPECT_EQ(result.exit_status, 0) << result.err;
}

TmuxScreen::~TmuxScreen() { tmux({"kill-server"}); }

ProcessResult TmuxScreen::tmux(Words words) const {
  words.insert(words.begin(), {"tmux", "-S", socket_});
  return repo_.run(words, {.env = {{"TERM", "xterm-256color"}, {"NO_COLOR", std::nullopt}}});
}

std::string TmuxScreen::text() const {
  std::string text = tmux({"capture-pane", "-p"}).out;
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string TmuxScreen::until(const std::string& shown) const {
  std::string seen;
  for (int i = 0; i < 600; ++i) {
    seen = text();
    if (seen.find(shown) != std::string::npos) return seen;
    usleep(100'000);
  }
  ADD_FAILURE() << "never shown: " << shown << "\n" << seen;
  return seen;
}

void TmuxScreen::keys(const Words& words) const {
  Words all{"send-keys"};
  all.insert(all.end(), words.begin(), words.end());
  tmux(all);
}

void TmuxScreen::resize(int columns, int rows) const {
  tmux({"resize-window", "-x", std::to_string(columns), "-y", std::to_string(rows)});
}

}  // namespace gitplan::test
