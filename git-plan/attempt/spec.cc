#include "git-plan/attempt/spec.h"

#include <cstdlib>

namespace gitplan {
namespace {

bool number(const std::string& value, std::int64_t* out) {
  if (value.empty()) return false;
  char* end = nullptr;
  *out = std::strtoll(value.c_str(), &end, 10);
  return *end == '\0' && *out >= 0;
}

}  // namespace

bool parse_spec(const std::string& text, AttemptSpec* spec, std::string* error) {
  bool first = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\0', at);
    if (end == std::string::npos) {
      *error = "spec is cut off";
      return false;
    }
    const std::string field = text.substr(at, end - at);
    at = end + 1;
    if (first) {
      if (field != "git-plan-attempt 1") {
        *error = "spec is of another format";
        return false;
      }
      first = false;
      continue;
    }
    const std::size_t equals = field.find('=');
    const std::string key = field.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : field.substr(equals + 1);
    bool good = true;
    if (key == "command")
      spec->command = value;
    else if (key == "directory")
      spec->directory = value;
    else if (key == "input")
      spec->input = value;
    else if (key == "terminal")
      spec->terminal = value == "1";
    else if (key == "window")
      spec->window = value;
    else if (key == "env")
      spec->environment.push_back(value);
    else if (key == "log_limit")
      good = number(value, &spec->log_limit);
    else if (key == "wall_ms")
      good = number(value, &spec->wall_ms);
    else if (key == "idle_ms")
      good = number(value, &spec->idle_ms);
    else if (key == "grace_ms")
      good = number(value, &spec->grace_ms);
    if (!good) {
      *error = "spec has a wrong number in " + key;
      return false;
    }
  }
  if (first || spec->command.empty() || spec->directory.empty()) {
    *error = "spec names no command or no directory";
    return false;
  }
  return true;
}

}  // namespace gitplan
