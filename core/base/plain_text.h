// Text from plans, agents and other programs, without what a terminal would obey.
//
// Whatever shows such text or writes it where a terminal shows it later (commit messages, titles)
// passes it through here: an escape sequence goes whole, so that nothing of it is left to be read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gitplan {

// Without control characters (but tab and newline), escape sequences and marks that reorder what is
// on a line; invalid UTF-8 becomes U+FFFD.
std::string printable(std::string_view text);
// The same on one line: each run of blanks is one space.
std::string one_line(std::string_view text);

constexpr char32_t kNotUtf8 = 0xFFFD;

// The next code point and its length in bytes; kNotUtf8 with length 1 where the bytes are no UTF-8.
struct Decoded {
  char32_t point = kNotUtf8;
  std::size_t length = 1;
};
Decoded decode_utf8(std::string_view text);

// An escape sequence that begins at text[0] == ESC, or at a C1 introducer of `introducer` bytes.
// CSI ends at its final byte; OSC, DCS, APC, PM and SOS at BEL or ST, or at the end of the line,
// so that an open one cannot swallow what follows. `kind` is the byte behind ESC.
std::size_t sequence_length(std::string_view text, std::size_t introducer, char kind);

}  // namespace gitplan
