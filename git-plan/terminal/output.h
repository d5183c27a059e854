// Where a command's words go: results to standard output, everything else to standard error.
//
// Colours are git's (color.plan, color.ui, NO_COLOR, TERM) and only on a terminal; text that came
// from plans or agents passes printable() first, so that no control character reaches a screen. A
// long result goes through git's pager (Context::page() finds out which).
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/plain_text.h"

namespace gitplan {

enum class Style { kPlain, kBold, kDim, kGood, kBad, kWarn, kInfo, kAccent };

class Output {
 public:
  Output();
  ~Output();

  void print(std::string_view text);          // to standard output, no newline added
  void line(std::string_view text = {});      // the same with one
  void note(std::string_view text);           // a line on standard error
  void warning(std::string_view text);        // "warning: …" on standard error
  void error(const Error& error, bool json);  // message, diagnostics, hint; or the JSON document

  std::string styled(Style style, std::string_view text) const;        // for standard output
  std::string styled_error(Style style, std::string_view text) const;  // for standard error

  // "never", "always", "auto" (git's words); decided once by main from configuration.
  void set_color(std::string_view mode);
  bool color() const { return color_out_; }
  bool terminal() const { return out_terminal_; }  // standard output
  bool error_terminal() const { return error_terminal_; }
  bool unicode() const;  // the locale's characters are UTF-8
  // What is printed reaches a screen: a terminal, or a pager that was started before us.
  bool screen() const;
  int width() const;  // columns; 80 in a pipe

  // From here on standard output goes to this pager command (empty: none), until the end.
  void start_pager(std::string_view command);
  // Writes out what is buffered and waits for the pager. False: standard output could not be
  // written, and standard error says why.
  bool finish();

 private:
  bool out_terminal_, error_terminal_, color_out_, color_error_;
  int pager_pid_ = 0;
};

// printable() of what git coloured: sequences that set colours stay.
std::string printable_colored(std::string_view text);
// The text on one line (core/base/plain_text.h), cut to `columns` with "…".
std::string one_line(std::string_view text, int columns);
int display_width(std::string_view text);

}  // namespace gitplan
