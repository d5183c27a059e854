// A terminal to look at: a command in tmux, keys in, the screen out.
#pragma once

#include <string>

#include "tests/command/work_repo.h"

namespace gitplan::test {

class TmuxScreen {
 public:
  // Runs the shell command in the repository, in a window of that size; the window stays when it
  // ends.
  TmuxScreen(const TempRepo& repo, const std::string& command, int columns, int rows);
  ~TmuxScreen();
  TmuxScreen(const TmuxScreen&) = delete;
  TmuxScreen& operator=(const TmuxScreen&) = delete;

  std::string text() const;
  // Waits until the screen shows it, at most a minute; the screen.
  std::string until(const std::string& shown) const;
  void keys(const Words& words) const;
  void resize(int columns, int rows) const;

 private:
  ProcessResult tmux(Words words) const;
  const TempRepo& repo_;
  std::string socket_;
};

}  // namespace gitplan::test
