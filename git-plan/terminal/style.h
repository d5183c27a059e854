// What several commands print in the same way: states with their colour, times ago, aligned
// columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/timestamp.h"
#include "core/ledger/ledger.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

Style style_of(PlanState state);
Style style_of(TaskStatus status);

// "just now", "5 minutes ago", "3 days ago", "2026-03-03" for what is older than a year.
std::string time_ago(Millis then, Millis now);

// True where the locale of the environment (LC_ALL, LC_CTYPE, LANG) is a UTF-8 one.
bool utf8_locale();

// Rows whose cells are aligned by display width; the last column is not padded.
class Columns {
 public:
  struct Cell {
    std::string text;  // printable, one line
    Style style = Style::kPlain;
  };
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::string to_string(const Output& out) const;

 private:
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace gitplan
