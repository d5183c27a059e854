#include "git-plan/terminal/prompt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "refs/git/git.h"

namespace gitplan {
namespace {

// Nothing to wait for any more: false.
bool input_comes(int give_up) {
  std::array<pollfd, 2> both{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{give_up, POLLIN, 0}};
  while (poll(both.data(), give_up < 0 ? 1 : 2, -1) < 0)
    if (errno != EINTR) return false;
  return give_up < 0 || both[1].revents == 0;
}

// One line from standard input without its newline, byte by byte: what follows is for the next
// reader.
std::optional<std::string> read_line(int give_up) {
  std::string line;
  for (;;) {
    if (!input_comes(give_up)) return std::nullopt;
    char c = 0;
    const ssize_t got = read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return line.empty() ? std::nullopt : std::optional(line);
    if (c == '\n') return line;
    if (c != '\r') line += c;
  }
}

std::optional<std::string> ask_line(Output& out, const std::string& question, int give_up = -1) {
  out.print(out.styled(Style::kBold, question) + " ");
  std::fflush(stdout);
  std::optional<std::string> answer = read_line(give_up);
  if (!answer) out.line();  // the terminal's cursor stands behind the question
  return answer;
}

struct Letter {
  char letter;
  const DecisionOption* option;
};

// The first letter of each key that is free; then the other letters of the key, then any. 'q' and
// '?' are taken.
std::vector<Letter> letters_of(const std::vector<DecisionOption>& options) {
  std::vector<Letter> letters;
  const auto free = [&](char c) {
    return c != 'q' && std::none_of(letters.begin(), letters.end(),
                                    [&](const Letter& l) { return l.letter == c; });
  };
  for (const DecisionOption& option : options) {
    if (!option.disabled.empty()) continue;
    char chosen = 0;
    for (const char c : option.key + "abcdefghijklmnoprstuvwxyz0123456789") {
      const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
      if (plain && free(lower)) {
        chosen = lower;
        break;
      }
    }
    if (chosen != 0) letters.push_back({chosen, &option});
  }
  return letters;
}

void show(Output& out, const DecisionAsked& decision) {
  out.line(out.styled(Style::kBold, printable(decision.what)));
  if (!decision.why.empty()) out.line("  why: " + printable(decision.why));
  if (!decision.impact.empty()) out.line("  impact: " + printable(decision.impact));
}

void explain(Output& out, const std::vector<Letter>& letters,
             const std::vector<DecisionOption>& options) {
  for (const Letter& l : letters)
    out.line(out.styled(Style::kInfo, std::string(1, l.letter) + " - " + printable(l.option->key)) +
             ": " + printable(l.option->label));
  out.line(out.styled(Style::kInfo, "q - later") + ": leave the question open");
  for (const DecisionOption& option : options)
    if (!option.disabled.empty())
      out.line(out.styled(Style::kDim, "    " + printable(option.key) +
                                           " cannot be chosen: " + printable(option.disabled)));
}

// What an option wants to know besides.
std::optional<Choice> complete(Output& out, const DecisionOption& option, int give_up) {
  Choice choice{option.key, "", 0};
  if (option.key == "longer") {
    constexpr int kMost = 100000;  // as --minutes
    for (;;) {
      const std::optional<std::string> minutes =
          ask_line(out, "Minutes (empty: twice the time)?", give_up);
      if (!minutes) return std::nullopt;
      const char* const end = minutes->data() + minutes->size();
      const auto read = std::from_chars(minutes->data(), end, choice.minutes);
      if (minutes->empty()) break;
      if (read.ec == std::errc() && read.ptr == end && choice.minutes > 0 &&
          choice.minutes <= kMost)
        break;
      choice.minutes = 0;
      out.note("A whole number from 1 to " + std::to_string(kMost) + ", or nothing.");
    }
  } else if (option.key == "reject" || option.key == "message") {
    std::optional<std::string> text =
        ask_line(out, option.key == "reject" ? "Why?" : "Commit message?", give_up);
    if (!text) return std::nullopt;
    choice.text = *std::move(text);
  }
  return choice;
}

Error cannot(const std::string& doing, const std::string& path) {
  return failed("cannot " + doing + " " + path + ": " + std::strerror(errno));
}

}  // namespace

Result<bool> ask_yes_no(Output& out, std::string_view question, bool yes_is_default) {
  for (;;) {
    const std::optional<std::string> answer =
        ask_line(out, std::string(question) + (yes_is_default ? " [Y/n]" : " [y/N]"));
    if (!answer) return false;
    if (answer->empty()) return yes_is_default;
    if (*answer == "y" || *answer == "Y" || *answer == "yes") return true;
    if (*answer == "n" || *answer == "N" || *answer == "no") return false;
    out.line("Please answer y or n.");
  }
}

std::optional<Choice> ask_decision(Output& out, const DecisionAsked& decision, int give_up) {
  show(out, decision);
  const std::vector<Letter> letters = letters_of(decision.options);
  std::string offered;
  for (const Letter& l : letters) offered += std::string(1, l.letter) + ",";
  const std::string question =
      (decision.task.empty() ? "What now?" : "What about '" + printable(decision.task) + "'?") +
      " [" + offered + "q,?]";
  for (;;) {
    const std::optional<std::string> answer = ask_line(out, question, give_up);
    if (!answer || *answer == "q") return std::nullopt;
    for (const Letter& l : letters) {
      if (*answer != std::string(1, l.letter) && *answer != l.option->key) continue;
      return complete(out, *l.option, give_up);
    }
    explain(out, letters, decision.options);
  }
}

Result<std::optional<std::string>> edit_text(const Git& git, std::string_view text,
                                             std::string_view file_name) {
  namespace fs = std::filesystem;
  GITPLAN_TRY_ASSIGN(const std::string editor, git.read({"var", "GIT_EDITOR"}));
  const fs::path path = fs::path(git.git_dir()) / file_name;  // an absolute name stays as it is
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush()) return cannot("write", path);
  }
  // As git does it: the editor is a shell command, the file its argument.
  const Command command{.argv = {"/bin/sh", "-c", editor + " \"$@\"", editor, path.string()},
                        .directory = {},
                        .environment = {},
                        .input = {},
                        .deadline = {},
                        .terminal = true};
  std::fflush(stdout);
  GITPLAN_TRY_ASSIGN(const Outcome outcome, run(command));
  if (!outcome.ok())
    return failed(
        "the editor '" + editor + "' ended with exit status " + std::to_string(outcome.exit_status),
        "your text is kept in " + path.string());
  std::ifstream file(path, std::ios::binary);
  std::ostringstream edited;
  edited << file.rdbuf();
  if (!file) return cannot("read", path);
  std::string result = std::move(edited).str();
  const bool blank = result.find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank || result == text) return std::optional<std::string>();
  return std::optional<std::string>(std::move(result));
}

}  // namespace gitplan
