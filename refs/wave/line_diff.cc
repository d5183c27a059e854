#include "refs/wave/line_diff.h"

#include <algorithm>

#include "refs/git/libgit2.h"

namespace gitplan {
namespace {

int take_hunk(const git_diff_delta*, const git_diff_hunk* hunk, void* into) {
  static_cast<std::vector<Hunk>*>(into)->push_back(
      {hunk->old_start, hunk->old_lines, hunk->new_start, hunk->new_lines});
  return 0;
}

// Half-open, on the lines of the old text.
int start_of(const Hunk& hunk) { return hunk.old_count == 0 ? hunk.old_first + 1 : hunk.old_first; }
int end_of(const Hunk& hunk) { return start_of(hunk) + hunk.old_count; }

}  // namespace

std::vector<Hunk> diff_lines(std::string_view before, std::string_view after) {
  start_libgit2();
  std::vector<Hunk> result;
  git_diff_options options;
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.context_lines = 0;
  options.interhunk_lines = 0;
  git_diff_buffers(before.data(), before.size(), nullptr, after.data(), after.size(), nullptr,
                   &options, nullptr, nullptr, take_hunk, nullptr, &result);
  return result;
}

bool meet(const Hunk& one, const Hunk& other) {
  return start_of(one) <= end_of(other) && start_of(other) <= end_of(one);
}

LineRange new_lines(const Hunk& hunk) {
  if (hunk.new_count > 0) return {hunk.new_first, hunk.new_first + hunk.new_count - 1};
  const int line = std::max(hunk.new_first, 1);
  return {line, line};
}

int count_lines(std::string_view text) {
  const auto ends = std::count(text.begin(), text.end(), '\n');
  return static_cast<int>(ends) + (!text.empty() && text.back() != '\n' ? 1 : 0);
}

std::vector<LineRange> joined(std::vector<LineRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const LineRange& a, const LineRange& b) { return a.first < b.first; });
  std::vector<LineRange> result;
  for (const LineRange& range : ranges) {
    if (!result.empty() && range.first <= result.back().last + 1)
      result.back().last = std::max(result.back().last, range.last);
    else
      result.push_back(range);
  }
  return result;
}

}  // namespace gitplan
