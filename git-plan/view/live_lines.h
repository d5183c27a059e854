// The live part of a terminal: some lines that are drawn again in place, below what scrolls by.
//
// A frame is one write, so nothing flickers. The cursor is hidden only within a frame: whatever
// ends the program, it is there afterwards. Lines are cut to the window, and a window that became
// narrower or lower is taken into account before the old lines are drawn over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

class LiveLines {
 public:
  // `fd` is a terminal.
  explicit LiveLines(int fd) : fd_(fd) {}
  LiveLines(const LiveLines&) = delete;
  LiveLines& operator=(const LiveLines&) = delete;
  ~LiveLines() { clear(); }

  // The last line always stays visible; of the others, as many as fit.
  void draw(const std::vector<std::string>& lines);
  // A line that stays, above the live ones.
  void above(std::string_view line);
  // Takes the live lines away, the cursor where they began.
  void clear();

  int width() const { return size().columns; }

 private:
  struct Size {
    int columns = 80, rows = 24;
  };
  Size size() const;
  void paint(std::string_view first);
  // Back to the first column of the first live line.
  std::string rewind(const Size& now) const;
  void write_all(std::string_view text) const;

  int fd_;
  std::vector<std::string> drawn_;  // as given
  std::vector<int> widths_;         // of what is on the screen, in columns
};

// The display width of a line that carries colour sequences, and the line cut to `columns`.
int styled_width(std::string_view line);
std::string cut_styled(std::string_view line, int columns);

}  // namespace gitplan
