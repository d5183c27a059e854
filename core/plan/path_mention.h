// One line of a plan, read for the paths that it names.
//
// references.h and mentions.h stand on this. Columns are bytes in the line.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/definition.h"

namespace gitplan {

// "path", "path:12", "path:12-40"; the line numbers are 0 where there are none.
struct PathMention {
  std::string path;  // as written, without the lines
  int first_line = 0;
  int last_line = 0;
  std::size_t at = 0;      // its byte in the line
  std::size_t length = 0;  // as written, with the lines
};

PathMention path_mention(std::string_view written, std::size_t at);

// The words of a line that could be paths: code spans whole, the rest without punctuation around.
std::vector<PathMention> words_of(std::string_view line);

struct ChangeLine {
  std::string action;  // "modify", "create", "delete"
  PathMention mention;
};
// "- [modify] path — why" of the Changes section.
std::optional<ChangeLine> change_line(std::string_view line);

using PathExists = std::function<bool(std::string_view)>;

bool is_literal_path(std::string_view pathspec);

// True where `exists` says so of the path as git knows it.
bool is_known_path(const PathMention& mention, const PathExists& exists);

struct BodyMention {
  PathMention mention;
  std::string action;  // of a Changes line; else empty
  int line = 0;        // in the file
};
// What the body names: Changes and Reuse lines, and code spans that are known paths. Of a path that
// counts for two reasons, a mention for each.
std::vector<BodyMention> body_mentions(const Plan& plan, const PathExists& exists);

}  // namespace gitplan
