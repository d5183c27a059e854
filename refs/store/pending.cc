#include "refs/store/pending.h"

#include <algorithm>
#include <filesystem>

#include "refs/store/local_file.h"

namespace gitplan {
namespace fs = std::filesystem;

Status Pending::add_definition(std::string_view oid, std::string_view text) const {
  return replace_file(folder_ + "/definitions/" + std::string(oid), text, true);
}

Status Pending::add_file(const Attachment& file) const {
  return replace_file(folder_ + "/files/" + file.path, file.content, true);
}

std::optional<std::string> Pending::definition(std::string_view oid) const {
  auto text = read_file(folder_ + "/definitions/" + std::string(oid));
  return text.ok() ? std::move(text).value() : std::nullopt;
}

std::optional<std::string> Pending::file(std::string_view path) const {
  auto text = read_file(folder_ + "/files/" + std::string(path));
  return text.ok() ? std::move(text).value() : std::nullopt;
}

Result<std::vector<Attachment>> Pending::files() const {
  std::vector<Attachment> found;
  const fs::path root = folder_ + "/files";
  std::error_code code;
  for (fs::recursive_directory_iterator entry(root, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code ignored;
    if (!entry->is_regular_file(ignored)) continue;
    const std::string path = entry->path().lexically_relative(root).string();
    if (!attachment_fault(path).empty()) continue;  // a temporary file of a writer that died
    GITPLAN_TRY_ASSIGN(auto text, read_file(entry->path().string()));
    if (text) found.push_back({path, std::move(*text)});
  }
  std::sort(found.begin(), found.end(),
            [](const Attachment& a, const Attachment& b) { return a.path < b.path; });
  return found;
}

bool Pending::empty() const {
  std::error_code code;
  return !fs::exists(folder_, code);
}

void Pending::clear() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string attachment_fault(std::string_view path) {
  constexpr std::string_view kFolders[] = {"outputs", "waves", "review", "discovery"};
  constexpr std::string_view kFiles[] = {"learnings.md", "report.md"};
  constexpr std::size_t kLongest = 400;
  if (path.size() > kLongest) return "is too long";
  for (const char c : path)
    if (static_cast<unsigned char>(c) < ' ' || c == '\\' || c == 0x7F)
      return "has a character that no path of a plan has";
  if (std::find(std::begin(kFiles), std::end(kFiles), path) != std::end(kFiles)) return {};
  std::string_view rest = path;
  bool first = true;
  while (true) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (part.empty() || part == "." || part == "..") return "leaves the plan's tree";
    if (part == ".git" || part.starts_with('.')) return "has a hidden part";
    if (first && std::find(std::begin(kFolders), std::end(kFolders), part) == std::end(kFolders))
      return "is not below outputs/, waves/, review/ or discovery/";
    if (part.size() == rest.size()) break;
    rest.remove_prefix(part.size() + 1);
    first = false;
  }
  return first ? "names a folder" : "";
}

}  // namespace gitplan
