// Rows in aligned columns, as `status`, `attempts` and the dry run print them.
//
// A column that is empty in every row is left out. On a terminal the last column is cut to the
// width.
#pragma once

#include <string>
#include <vector>

#include "git-plan/terminal/output.h"

namespace gitplan {

struct Cell {
  std::string text;
  Style style = Style::kPlain;
};

class Table {
 public:
  // No heading line where all headings are empty.
  explicit Table(std::vector<std::string> headings);
  void row(std::vector<Cell> cells);
  bool empty() const { return rows_.empty(); }

  // Lines with a newline each. The texts pass printable(): they come from plans.
  std::string render(const Output& out, int indent = 2) const;

 private:
  std::vector<std::string> headings_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace gitplan
