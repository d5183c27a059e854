#include "refs/history/follow_lines.h"

#include <algorithm>
#include <vector>

#include "refs/wave/line_diff.h"

namespace gitplan::history {
namespace {

int old_begin(const Hunk& hunk) {
  return hunk.old_count == 0 ? hunk.old_first + 1 : hunk.old_first;
}
int new_begin(const Hunk& hunk) {
  return hunk.new_count == 0 ? hunk.new_first + 1 : hunk.new_first;
}

// A block that was cut out and put elsewhere as it was, in one place only.
FollowedLines moved_block(std::string_view before, std::string_view after, int first, int last) {
  const std::string_view block = lines_between(before, first, last);
  if (block.empty() || block.find_first_not_of(" \t\r\n") == std::string_view::npos) return {};
  std::size_t found = std::string_view::npos;
  for (std::size_t at = after.find(block); at != std::string_view::npos;
       at = after.find(block, at + 1)) {
    if (at > 0 && after[at - 1] != '\n') continue;
    if (found != std::string_view::npos) return {};
    found = at;
  }
  if (found == std::string_view::npos) return {};
  const auto line =
      static_cast<int>(std::count(after.begin(), after.begin() + static_cast<long>(found), '\n'));
  return {line + 1, line + 1 + last - first, last > first};
}

}  // namespace

std::string_view lines_between(std::string_view text, int first, int last) {
  std::size_t begin = 0;
  for (int line = 1; line < first; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  std::size_t end = begin;
  for (int line = first; line <= last && end < text.size(); ++line) {
    end = text.find('\n', end);
    if (end == std::string_view::npos) return text.substr(begin);
    ++end;
  }
  return text.substr(begin, end - begin);
}

FollowedLines follow_lines(std::string_view before, std::string_view after, int first, int last) {
  const std::vector<Hunk> hunks = diff_lines(before, after);
  const int length = last - first + 1;
  FollowedLines result{0, 0, true};
  int kept = 0, shift = 0;
  std::size_t next = 0;
  const auto cover = [&result](int from, int to) {
    if (to < from) return;
    if (result.first == 0) result.first = from;
    result.last = to;
  };
  for (int line = first; line <= last;) {
    while (next < hunks.size() && old_begin(hunks[next]) + hunks[next].old_count <= line) {
      shift = new_begin(hunks[next]) + hunks[next].new_count - old_begin(hunks[next]) -
              hunks[next].old_count;
      ++next;
    }
    const int begin = next < hunks.size() ? old_begin(hunks[next]) : last + 1;
    if (line < begin) {
      const int until = std::min(begin - 1, last);
      cover(line + shift, until + shift);
      kept += until - line + 1;
      line = until + 1;
      continue;
    }
    // In a hunk: line by line where it has as many as before, else all that it has instead.
    const Hunk& hunk = hunks[next];
    const int end = begin + hunk.old_count - 1, until = std::min(end, last);
    if (hunk.old_count == hunk.new_count) {
      cover(line - begin + new_begin(hunk), until - begin + new_begin(hunk));
    } else {
      cover(new_begin(hunk), new_begin(hunk) + hunk.new_count - 1);
      if (begin < line || end > last || line == first || until == last) result.certain = false;
    }
    line = until + 1;
  }
  if (kept == 0) {
    const FollowedLines moved = moved_block(before, after, first, last);
    if (moved.first > 0) return moved;
    // Far more than these lines was replaced: what stands there now is not they.
    for (const Hunk& hunk : hunks)
      if (old_begin(hunk) <= first && old_begin(hunk) + hunk.old_count > last &&
          hunk.old_count != hunk.new_count && hunk.old_count > 2 * length + 8)
        return {0, 0, true};
    result.certain = result.first == 0;
  }
  return result;
}

}  // namespace gitplan::history
