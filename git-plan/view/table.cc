#include "git-plan/view/table.h"

#include <algorithm>
#include <limits>

namespace gitplan {
namespace {

constexpr int kGap = 2;
constexpr int kNoLimit = std::numeric_limits<int>::max();

}  // namespace

Table::Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}

void Table::row(std::vector<Cell> cells) {
  cells.resize(headings_.size());
  for (Cell& cell : cells) cell.text = one_line(cell.text, kNoLimit);
  rows_.push_back(std::move(cells));
}

std::string Table::render(const Output& out, int indent) const {
  const std::size_t columns = headings_.size();
  std::vector<int> widths(columns, 0);
  for (const auto& cells : rows_)
    for (std::size_t i = 0; i < columns; ++i)
      widths[i] = std::max(widths[i], display_width(cells[i].text));
  std::vector<std::size_t> used;
  bool with_headings = false;
  for (std::size_t i = 0; i < columns; ++i) {
    if (widths[i] == 0) continue;
    used.push_back(i);
    widths[i] = std::max(widths[i], display_width(headings_[i]));
    with_headings = with_headings || !headings_[i].empty();
  }
  int before_last = indent;
  for (std::size_t i = 0; i + 1 < used.size(); ++i) before_last += widths[used[i]] + kGap;
  const int room = out.terminal() ? std::max(8, out.width() - before_last) : kNoLimit;

  const int width =
      used.empty() ? 0 : before_last + (room == kNoLimit ? widths[used.back()] : room) + 1;
  std::string text;
  text.reserve((rows_.size() + 1) * static_cast<std::size_t>(width));
  const auto line = [&](const auto& cell_of) {
    std::string blanks(static_cast<std::size_t>(indent), ' ');
    for (std::size_t i = 0; i < used.size(); ++i) {
      const Cell& cell = cell_of(used[i]);
      const bool last = i + 1 == used.size();
      if (!cell.text.empty()) {
        text += blanks;
        blanks.clear();
        text += out.styled(cell.style, last ? one_line(cell.text, room) : cell.text);
      }
      const int left = widths[used[i]] - display_width(cell.text) + kGap;
      blanks.append(static_cast<std::size_t>(left), ' ');
    }
    text += '\n';
  };
  if (with_headings) {
    std::vector<Cell> cells;
    for (const std::string& heading : headings_) cells.push_back({heading, Style::kDim});
    line([&](std::size_t i) -> const Cell& { return cells[i]; });
  }
  for (const auto& cells : rows_) line([&](std::size_t i) -> const Cell& { return cells[i]; });
  return text;
}

}  // namespace gitplan
