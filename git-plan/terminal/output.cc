#include "git-plan/terminal/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "git-plan/terminal/pager.h"
#include "git-plan/view/json_parts.h"

namespace gitplan {
namespace {

bool set_and_not_empty(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool dumb_terminal() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::strcmp(term, "dumb") == 0;
}

std::string_view escape(Style style) {
  switch (style) {
    case Style::kPlain: return "";
    case Style::kBold: return "\x1b[1m";
    case Style::kDim: return "\x1b[2m";
    case Style::kGood: return "\x1b[32m";
    case Style::kBad: return "\x1b[31m";
    case Style::kWarn: return "\x1b[33m";
    case Style::kInfo: return "\x1b[36m";
    case Style::kAccent: return "\x1b[35m";
  }
  return "";
}

std::string wrapped(bool color, Style style, std::string_view text) {
  const std::string_view begin = escape(style);
  if (!color || begin.empty() || text.empty()) return std::string(text);
  return std::string(begin) + std::string(text) + "\x1b[m";
}

void write_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

Output::Output()
    : out_terminal_(isatty(STDOUT_FILENO) == 1),
      error_terminal_(isatty(STDERR_FILENO) == 1),
      color_out_(false),
      color_error_(false) {
  set_color("auto");
}

Output::~Output() { finish(); }

void Output::print(std::string_view text) {
  if (!text.empty()) std::fwrite(text.data(), 1, text.size(), stdout);
}

void Output::line(std::string_view text) {
  print(text);
  std::fputc('\n', stdout);
}

void Output::note(std::string_view text) {
  std::fflush(stdout);  // what was said first is read first, also where both go to one file
  write_error(std::string(text) + "\n");
}

void Output::warning(std::string_view text) {
  note(styled_error(Style::kWarn, "warning:") + " " + std::string(text));
}

void Output::error(const Error& error, bool json) {
  if (json) line(json_text({{"schema", 1}, {"error", error_json(error)}}));
  note(styled_error(Style::kBad, "error:") + " " + printable(error.message));
  for (const Diagnostic& d : error.diagnostics) note(printable(to_string(d)));
  std::string_view hint = error.hint;
  bool usage = false;
  while (!hint.empty()) {
    const std::string_view first = hint.substr(0, hint.find('\n'));
    hint.remove_prefix(std::min(first.size() + 1, hint.size()));
    usage = usage || first.starts_with("usage: ");  // it may go on over several lines
    if (usage)
      note(printable(first));
    else
      note(styled_error(Style::kWarn, "hint:") + " " + printable(first));
  }
}

std::string Output::styled(Style style, std::string_view text) const {
  return wrapped(color_out_, style, text);
}

std::string Output::styled_error(Style style, std::string_view text) const {
  return wrapped(color_error_, style, text);
}

void Output::set_color(std::string_view mode) {
  const bool wanted = mode != "never" && !dumb_terminal() && !set_and_not_empty("NO_COLOR");
  // Under git's own pager (`git -p plan …`) standard output is a pipe, and coloured nevertheless.
  color_out_ =
      mode == "always" || (wanted && (out_terminal_ || set_and_not_empty("GIT_PAGER_IN_USE")));
  color_error_ = mode == "always" || (wanted && error_terminal_);
}

bool Output::screen() const { return out_terminal_ || set_and_not_empty("GIT_PAGER_IN_USE"); }

bool Output::unicode() const {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string folded;
    for (const char* c = value; *c != '\0'; ++c)
      if (*c != '-') folded += static_cast<char>(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    return folded.find("utf8") != std::string::npos;
  }
  return false;
}

int Output::width() const {
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr)
    if (const int n = std::atoi(columns); n > 0) return n;
  winsize size{};
  if (out_terminal_ &&
      (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ||
       ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) &&
      size.ws_col > 0)
    return size.ws_col;
  return 80;
}

void Output::start_pager(std::string_view command) {
  if (command.empty() || !out_terminal_ || pager_pid_ != 0) return;
  const std::string columns = std::to_string(width());
  std::fflush(stdout);
  pager_pid_ = spawn_pager(std::string(command));
  if (pager_pid_ == 0) return;
  setenv("COLUMNS", columns.c_str(), 0);
  setenv("GIT_PAGER_IN_USE", "true", 1);
}

bool Output::finish() {
  bool good = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (!good)
    note(styled_error(Style::kBad, "error:") +
         " cannot write standard output: " + std::strerror(errno));
  std::clearerr(stdout);
  if (pager_pid_ != 0) {
    wait_for_pager(pager_pid_);
    pager_pid_ = 0;
  }
  return good;
}

}  // namespace gitplan
