// What a plan needs to know of Markdown: headings, prose lines by section, code spans.
//
// The title (first H1) and the references (references.h) are found with it. Fenced code and HTML
// comments are skipped: what stands there is an example or a note.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

struct MarkdownLine {
  std::string_view text;  // without line end
  int number = 0;         // in the file
  std::string section;    // lower case: the last heading of level 1 or 2; a deeper one keeps it
  int heading = 0;        // the level, where the line is a heading itself
  std::string_view heading_text;
};

// Calls `read` for each line of prose; `first_line`: where the body starts in the file.
void for_each_line(std::string_view body, int first_line,
                   const std::function<void(const MarkdownLine&)>& read);

// The text of the first H1 ("# …" or underlined with "="); empty: none.
std::string first_heading(std::string_view body);

struct CodeSpan {
  std::string_view text;  // between the backticks
  std::size_t at = 0;     // its byte in the line
};

std::vector<CodeSpan> code_spans(std::string_view line);

}  // namespace gitplan
