// pathspec_matches() and scopes_overlap() of references.h, as git matches pathspecs without magic:
// a path itself, everything below it, or a pattern whose `*`, `?` and `[…]` take '/' as well.
#include <algorithm>
#include <bitset>
#include <utility>

#include "core/plan/references.h"

namespace gitplan {
namespace {

// One step of a pattern: a set of bytes, or any number of any bytes.
struct Step {
  bool star = false;
  std::bitset<256> bytes;
};
using Pattern = std::vector<Step>;

std::size_t index_of(char c) { return static_cast<unsigned char>(c); }

Step literal(char c) {
  Step step;
  step.bytes.set(index_of(c));
  return step;
}

Step star() {
  Step step;
  step.star = true;
  return step;
}

// POSIX classes in the C locale; false for a name that is none.
bool add_class(std::string_view name, std::bitset<256>& set) {
  const auto add = [&](std::string_view ranges) {
    for (std::size_t i = 0; i + 1 < ranges.size(); i += 2)
      for (std::size_t c = index_of(ranges[i]); c <= index_of(ranges[i + 1]); ++c) set.set(c);
    return true;
  };
  if (name == "alnum") return add("09AZaz");
  if (name == "alpha") return add("AZaz");
  if (name == "blank") return add("  \t\t");
  if (name == "cntrl") return add(std::string_view("\0\x1f\x7f\x7f", 4));
  if (name == "digit") return add("09");
  if (name == "graph") return add("!~");
  if (name == "lower") return add("az");
  if (name == "print") return add(" ~");
  if (name == "punct") return add("!/:@[`{~");
  if (name == "space") return add("  \t\r");
  if (name == "upper") return add("AZ");
  if (name == "xdigit") return add("09AFaf");
  return false;
}

// Reads "[…]" at `at` and moves past it; false where it is not closed: then nothing matches.
bool read_set(std::string_view spec, std::size_t& at, Step& step) {
  std::size_t i = at + 1;
  const bool negated = i < spec.size() && (spec[i] == '!' || spec[i] == '^');
  if (negated) ++i;
  std::size_t previous = 256;  // what a '-' starts its range from
  for (bool first = true; i < spec.size(); first = false) {
    if (spec[i] == ']' && !first) {
      if (negated) step.bytes.flip();
      at = i + 1;
      return true;
    }
    if (spec[i] == '[' && i + 1 < spec.size() && spec[i + 1] == ':') {
      const auto close = spec.find(":]", i + 2);
      if (close != std::string_view::npos) {
        if (!add_class(spec.substr(i + 2, close - i - 2), step.bytes)) return false;
        i = close + 2;
        previous = 256;
        continue;
      }
    }
    if (spec[i] == '-' && previous < 256 && i + 1 < spec.size() && spec[i + 1] != ']') {
      i += spec[i + 1] == '\\' ? 2 : 1;
      if (i >= spec.size()) return false;
      for (std::size_t c = previous; c <= index_of(spec[i]); ++c) step.bytes.set(c);
      previous = 256;
      ++i;
      continue;
    }
    if (spec[i] == '\\' && ++i >= spec.size()) return false;
    previous = index_of(spec[i]);
    step.bytes.set(previous);
    ++i;
  }
  return false;
}

// The steps of a pattern; a set that is not closed becomes a step that no byte fits.
Pattern compile(std::string_view spec) {
  Pattern pattern;
  for (std::size_t at = 0; at < spec.size();) {
    const char c = spec[at];
    if (c == '*') {
      if (pattern.empty() || !pattern.back().star) pattern.push_back(star());
      ++at;
    } else if (c == '?') {
      Step any;
      pattern.push_back({false, any.bytes.set()});
      ++at;
    } else if (c == '[') {
      Step step;
      if (!read_set(spec, at, step)) return {Step{}};
      pattern.push_back(step);
    } else {
      if (c == '\\' && ++at >= spec.size()) return {Step{}};
      pattern.push_back(literal(spec[at]));
      ++at;
    }
  }
  return pattern;
}

bool has_wildcard(std::string_view spec) {
  return spec.find_first_of("*?[\\") != std::string_view::npos;
}

bool is_whole_tree(std::string_view spec) { return spec.empty() || spec == "."; }

bool fits(const Pattern& pattern, std::string_view path) {
  std::size_t p = 0, at = 0, retry_p = pattern.size() + 1, retry_at = 0;
  while (at < path.size()) {
    if (p < pattern.size() && pattern[p].star) {
      retry_p = ++p;
      retry_at = at;
    } else if (p < pattern.size() && pattern[p].bytes.test(index_of(path[at]))) {
      ++p;
      ++at;
    } else if (retry_p <= pattern.size()) {
      p = retry_p;
      at = ++retry_at;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p].star) ++p;
  return p == pattern.size();
}

// What a pathspec matches, as patterns: itself, what is below it, and what it is a pattern of.
std::vector<Pattern> patterns_of(std::string_view spec) {
  if (is_whole_tree(spec)) return {{star()}};
  std::vector<Pattern> all;
  Pattern exact;
  for (const char c : spec) exact.push_back(literal(c));
  Pattern below = exact;
  if (spec.back() != '/') {
    all.push_back(exact);
    below.push_back(literal('/'));
  }
  below.push_back(star());
  // A folder whose own name has a star is no reason to warn; one with brackets is ("app/[id]").
  if (spec.find_first_of("*?") == std::string_view::npos) all.push_back(std::move(below));
  if (has_wildcard(spec)) all.push_back(compile(spec));
  return all;
}

// Whether some text fits both: which pairs of rests can meet, from the ends backwards.
bool can_meet(const Pattern& a, const Pattern& b) {
  std::vector<char> below(b.size() + 1), row(b.size() + 1);
  for (std::size_t i = a.size() + 1; i-- > 0;) {
    for (std::size_t j = b.size() + 1; j-- > 0;) {
      const bool a_ends = i == a.size(), b_ends = j == b.size();
      bool meet = a_ends && b_ends;
      if (!meet && !a_ends && a[i].star) meet = below[j] || (!b_ends && row[j + 1]);
      if (!meet && !b_ends && b[j].star) meet = row[j + 1] || (!a_ends && below[j]);
      if (!meet && !a_ends && !b_ends && !a[i].star && !b[j].star)
        meet = below[j + 1] && (a[i].bytes & b[j].bytes).any();
      row[j] = meet;
    }
    std::swap(row, below);
  }
  return below[0];
}

std::string_view literal_prefix(std::string_view spec) {
  return spec.substr(0, spec.find_first_of("*?[\\"));
}

bool specs_overlap(std::string_view a, std::string_view b) {
  if (is_whole_tree(a) || is_whole_tree(b)) return true;
  // Most pairs part here: no pattern need be built.
  const auto first = literal_prefix(a), second = literal_prefix(b);
  const auto common = std::min(first.size(), second.size());
  if (first.substr(0, common) != second.substr(0, common)) return false;
  for (const auto& one : patterns_of(a))
    for (const auto& other : patterns_of(b))
      if (can_meet(one, other)) return true;
  return false;
}

}  // namespace

bool pathspec_matches(std::string_view pathspec, std::string_view path) {
  if (is_whole_tree(pathspec)) return true;
  if (path.starts_with(pathspec) &&
      (path.size() == pathspec.size() || pathspec.back() == '/' || path[pathspec.size()] == '/'))
    return true;
  return has_wildcard(pathspec) && fits(compile(pathspec), path);
}

bool scopes_overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (const auto& one : a)
    for (const auto& other : b)
      if (specs_overlap(one, other)) return true;
  return false;
}

}  // namespace gitplan
