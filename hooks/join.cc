#include "hooks/join.h"

#include <filesystem>

#include "refs/git/small_file.h"

namespace gitplan {
namespace {

constexpr std::string_view kLefthookFiles[] = {"lefthook.yml", "lefthook-local.yml",
                                               ".lefthook.yml", ".lefthook-local.yml",
                                               ".config/lefthook.yml"};

std::string words_for(std::string_view hook) { return "git plan hooks run " + std::string(hook); }

bool calls(const std::string& file, std::string_view hook) {
  const auto text = read_small_file(file);
  return text && text->find(words_for(hook)) != std::string::npos;
}

}  // namespace

std::string line_for(std::string_view hook) {
  return "! command -v git-plan >/dev/null || " + words_for(hook) + " \"$@\"";
}

std::string lefthook_lines(std::string_view hook) {
  std::string text = std::string(hook) +
                     ":\n  commands:\n    git-plan:\n      run: " + words_for(hook) +
                     (hook == "pre-commit" ? "\n" : " {0}\n");
  if (hook == "post-rewrite") text += "      use_stdin: true\n";
  return text;
}

std::string joined_in(const HooksPlace& place, std::string_view hook) {
  const std::string name(hook);
  if (place.kind == PlaceKind::kHusky)
    if (const std::string file = place.top + "/.husky/" + name; calls(file, hook)) return file;
  if (const std::string file = place.path.directory + "/" + name; calls(file, hook)) return file;
  for (const std::string_view config : kLefthookFiles)
    if (const std::string file = place.top + "/" + std::string(config); calls(file, hook))
      return file;
  return {};
}

bool has_lefthook(const HooksPlace& place) {
  for (const std::string_view config : kLefthookFiles)
    if (exists(place.top + "/" + std::string(config))) return true;
  return false;
}

}  // namespace gitplan
