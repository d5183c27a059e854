// Where things end in YAML text that yaml-cpp has read: its events tell only where they start.
//
// The tree uses it to find quotes that are never closed, the edits to find what they replace.
#pragma once

#include <cstddef>
#include <string_view>

namespace gitplan {

// Moves past anchors (&name) and tags (!name) and the blanks after them to the value itself.
std::size_t skip_properties(std::string_view yaml, std::size_t at);

// Moves past blanks, line ends and comments.
std::size_t skip_blanks(std::string_view yaml, std::size_t at);

// The byte after the closing quote of the text that starts at `at`; npos: it is not closed.
std::size_t quoted_end(std::string_view yaml, std::size_t at);

// The byte after a text without quotes, before `limit`: a comment or a line that is not its own.
// In a collection in brackets it also ends at ',', brackets and ": ".
std::size_t plain_end(std::string_view yaml, std::size_t at, std::size_t limit, bool in_flow);

// The byte after the last line of a `|` or `>` text whose key or dash stands at `parent_column`;
// without its line end.
std::size_t block_scalar_end(std::string_view yaml, std::size_t at, std::size_t limit,
                             int parent_column);

std::size_t line_start(std::string_view yaml, std::size_t at);
// The byte of the line end (of "\r\n" the first), or the end of the text.
std::size_t line_end(std::string_view yaml, std::size_t at);
// The first byte of the next line, or the end of the text.
std::size_t next_line(std::string_view yaml, std::size_t at);

}  // namespace gitplan
