#include "hooks/wave_trailer.h"

#include <algorithm>

namespace gitplan {
namespace {

bool digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string value_of(std::string_view line) {
  line.remove_prefix(line.find(':') + 1);
  while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
  while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
  return std::string(line);
}

bool has_key(std::string_view line, std::string_view key) {
  if (line.size() <= key.size() || line[key.size()] != ':') return false;
  return std::equal(key.begin(), key.end(), line.begin(), [](char wanted, char c) {
    return wanted == (c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  });
}

bool is_number(const std::string& value) {
  return digits(value) && value.size() <= 6 && value.find_first_not_of('0') != std::string::npos;
}

// "Wave: 3rd" meant 3.
std::string right_line(const std::string& value) {
  std::string number;
  for (const char c : value) {
    if (c >= '0' && c <= '9')
      number += c;
    else if (!number.empty())
      break;
  }
  number.erase(0, std::min(number.find_first_not_of('0'), number.size()));
  if (number.empty() || number.size() > 6) number = "1";
  return "Wave: " + std::string(number.size() < 3 ? 3 - number.size() : 0, '0') + number;
}

}  // namespace

Result<std::optional<Error>> wave_trailer_fault(const Repository& repository,
                                                const std::string& file) {
  GitCall call;
  call.args = {"interpret-trailers", "--parse", "--no-divider", file};
  GITPLAN_TRY_ASSIGN(const Outcome outcome, repository.git().call(call));
  bool has_plan = false;
  std::optional<std::string> wave;
  for (std::size_t at = 0; at < outcome.output.size();) {
    const std::size_t end = std::min(outcome.output.find('\n', at), outcome.output.size());
    const std::string line = outcome.output.substr(at, end - at);
    at = end + 1;
    if (has_key(line, "plan") && !value_of(line).empty()) has_plan = true;
    if (!has_key(line, "wave")) continue;
    wave = value_of(line);
    if (!is_number(*wave))
      return std::optional(error(ErrorCode::kInvalid,
                                 "'" + line +
                                     "' has no number of a wave; waves of plans alone "
                                     "carry this line",
                                 "write '" + right_line(*wave) + "', or leave the line out"));
  }
  if (wave && !has_plan)
    return std::optional(error(ErrorCode::kInvalid,
                               "'" + right_line(*wave) + "' does not say of which plan it is",
                               "write 'Plan: <id>' in the line above it, or leave it out"));
  return std::optional<Error>();
}

}  // namespace gitplan
