#include "tests/house/include_rules.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace gitplan::test {
namespace {

constexpr std::array<std::string_view, 5> kFolders{"core", "refs", "hooks", "git-plan", "tests"};

struct Layer {
  std::string_view folder;
  std::vector<std::string_view> may_include;
};

const Layer* layer_of(std::string_view file) {
  static const std::vector<Layer> layers{
      {"core", {"core"}},
      {"refs", {"refs", "core"}},
      {"hooks", {"hooks", "refs", "core"}},
      {"git-plan/attempt", {"git-plan/attempt"}},  // before git-plan: the first that fits
      {"git-plan", {"git-plan", "hooks", "refs", "core"}},
      {"tests", {"tests", "git-plan", "hooks", "refs", "core"}},
  };
  for (const Layer& layer : layers)
    if (file.starts_with(layer.folder) && file.substr(layer.folder.size()).starts_with('/'))
      return &layer;
  return nullptr;
}

// core has no process, clock, environment or output: these would give it one.
constexpr std::array<std::string_view, 16> kImpureHeaders{
    "git2",      "uv.h",    "CLI/",    "unistd.h", "iostream", "cstdio", "stdio.h", "curses.h",
    "ncurses.h", "fstream", "spawn.h", "signal.h", "csignal",  "sys/",   "fcntl.h", "thread"};
constexpr std::array<std::string_view, 8> kImpureCalls{
    "getenv", "secure_getenv", "printf",       "fprintf",
    "puts",   "system_clock",  "steady_clock", "system"};

constexpr std::array<std::string_view, 3> kHeavyHeaders{"CLI/CLI.hpp", "nlohmann/json.hpp",
                                                        "yaml-cpp/yaml.h"};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  return text;
}

// The name inside the quotes or angle brackets of an #include; empty for another line.
std::string_view included(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return {};
  line = trimmed(line.substr(1));
  if (!line.starts_with("include")) return {};
  line = trimmed(line.substr(7));
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return {};
  const size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
  return end == std::string_view::npos ? std::string_view{} : line.substr(1, end - 1);
}

bool starts_with_folder(std::string_view name, std::string_view folder) {
  return name.starts_with(folder) && name.substr(folder.size()).starts_with('/');
}

bool word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// True for a call of `name`, or a use of a clock: the name as a whole word, followed by ( or ::.
bool uses(std::string_view line, std::string_view name) {
  for (size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    if (at > 0 && (word_part(line[at - 1]) || line[at - 1] == '.' || line[at - 1] == '>')) continue;
    const std::string_view rest = line.substr(at + name.size());
    if (rest.starts_with('(') || rest.starts_with("::")) return true;
  }
  return false;
}

std::string layer_fault(std::string_view file, std::string_view name) {
  const bool ours = std::any_of(kFolders.begin(), kFolders.end(), [name](std::string_view folder) {
    return starts_with_folder(name, folder);
  });
  const Layer* layer = layer_of(file);
  if (!ours || layer == nullptr) return {};
  for (const std::string_view allowed : layer->may_include)
    if (starts_with_folder(name, allowed)) return {};
  return std::string(layer->folder) + " must not include " + std::string(name);
}

std::string header_fault(std::string_view file, std::string_view name) {
  if (file.starts_with("core/"))
    for (const std::string_view impure : kImpureHeaders)
      if (name == impure ||
          (name.starts_with(impure) && (impure.ends_with('/') || impure == "git2")))
        return "core is pure and must not include " + std::string(name);
  if (file.ends_with(".h") &&
      std::find(kHeavyHeaders.begin(), kHeavyHeaders.end(), name) != kHeavyHeaders.end())
    return std::string(name) + " is slow to compile and belongs in a .cc";
  return {};
}

}  // namespace

std::vector<std::string> include_faults(std::string_view file, std::string_view text) {
  std::vector<std::string> faults;
  int number = 0;
  const auto report = [&](const std::string& fault) {
    if (!fault.empty())
      faults.push_back(std::string(file) + ":" + std::to_string(number) + ": " + fault);
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (const std::string_view name = included(line); !name.empty()) {
      report(layer_fault(file, name));
      report(header_fault(file, name));
    } else if (file.starts_with("core/")) {
      line = line.substr(0, line.find("//"));
      for (const std::string_view call : kImpureCalls)
        if (uses(line, call)) report("core is pure and must not use " + std::string(call));
    }
  }
  return faults;
}

}  // namespace gitplan::test
