#include "git-plan/view/live_lines.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "git-plan/terminal/output.h"

namespace gitplan {
namespace {

constexpr std::string_view kHide = "\x1b[?25l";
constexpr std::string_view kShow = "\x1b[?25h";
constexpr std::string_view kToEndOfLine = "\x1b[K";
constexpr std::string_view kToEndOfScreen = "\x1b[J";
constexpr std::string_view kReset = "\x1b[m";

// Calls back with runs of plain text and with whole colour sequences.
template <typename Text, typename Sequence>
void split_styled(std::string_view line, Text&& text, Sequence&& sequence) {
  while (!line.empty()) {
    const std::size_t escape = std::min(line.find('\x1b'), line.size());
    if (escape > 0) text(line.substr(0, escape));
    line.remove_prefix(escape);
    if (line.empty()) return;
    const std::size_t end = std::min(line.find('m'), line.size() - 1);
    sequence(line.substr(0, end + 1));
    line.remove_prefix(end + 1);
  }
}

}  // namespace

int styled_width(std::string_view line) {
  int width = 0;
  split_styled(
      line, [&](std::string_view text) { width += display_width(text); }, [](std::string_view) {});
  return width;
}

std::string cut_styled(std::string_view line, int columns) {
  if (styled_width(line) <= columns) return std::string(line);
  std::string cut;
  int left = columns;
  bool styled = false;
  split_styled(
      line,
      [&](std::string_view text) {
        if (left <= 0) return;
        const int width = display_width(text);
        // Where the text just fits but more follows, the last column says that something is
        // missing.
        cut += width < left ? std::string(text) : one_line(std::string(text) + "  ", left);
        left -= std::min(width, left);
      },
      [&](std::string_view sequence) {
        styled = true;
        if (left > 0) cut += sequence;
      });
  if (styled) cut += kReset;
  return cut;
}

LiveLines::Size LiveLines::size() const {
  winsize window{};
  Size size;
  if (ioctl(fd_, TIOCGWINSZ, &window) == 0) {
    if (window.ws_col > 0) size.columns = window.ws_col;
    if (window.ws_row > 0) size.rows = window.ws_row;
  }
  return size;
}

std::string LiveLines::rewind(const Size& now) const {
  // A window that became narrower has wrapped the old lines; the cursor stands below the last one.
  int rows = 0;
  for (const int width : widths_)
    rows += width <= now.columns ? 1 : (width + now.columns - 1) / now.columns;
  rows = std::min(rows, now.rows - 1);
  return rows > 0 ? fmt::format("\r\x1b[{}A", rows) : std::string("\r");
}

void LiveLines::write_all(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t count = write(fd_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the terminal has gone
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void LiveLines::draw(const std::vector<std::string>& lines) {
  drawn_ = lines;
  paint({});
}

void LiveLines::above(std::string_view line) { paint(std::string(line) + "\n"); }

void LiveLines::paint(std::string_view first) {
  const Size now = size();
  std::string frame = std::string(kHide) + rewind(now);
  if (!first.empty()) frame.append(kToEndOfScreen).append(first);
  widths_.clear();
  const auto room = static_cast<std::size_t>(std::max(1, now.rows - 1));
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    // Too many for the window: the last one (the total) takes the place of those that do not fit.
    if (drawn_.size() > room && i >= room - 1 && i + 1 < drawn_.size()) continue;
    const std::string line = cut_styled(drawn_[i], now.columns - 1);
    widths_.push_back(styled_width(line));
    frame.append(line).append(kToEndOfLine).append("\n");
  }
  frame.append(kToEndOfScreen).append(kShow);
  write_all(frame);
}

void LiveLines::clear() {
  if (drawn_.empty()) return;
  write_all(std::string(kHide) + rewind(size()) + std::string(kToEndOfScreen) + std::string(kShow));
  drawn_.clear();
  widths_.clear();
}

}  // namespace gitplan
