#include "core/plan/yaml_write.h"

#include <algorithm>

#include "core/plan/yaml_scan.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`~=<";

// Characters that other YAML readers take for line ends or for nothing, with their escapes.
constexpr std::pair<std::string_view, std::string_view> kInvisible[] = {
    {"\xC2\x85", "\\N"},
    {"\xE2\x80\xA8", "\\L"},
    {"\xE2\x80\xA9", "\\P"},
    {"\xEF\xBB\xBF", "\\uFEFF"}};

bool is_null_word(std::string_view text) {
  return text == "null" || text == "Null" || text == "NULL" || text == "~";
}

bool is_plain(std::string_view text, bool in_flow) {
  if (text.empty() || is_null_word(text) || text.back() == ':' || text.back() == ' ') return false;
  if (text.front() == ' ' || kIndicators.find(text.front()) != std::string_view::npos) return false;
  if (text.starts_with("...")) return false;
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  for (const auto& [bytes, escape] : kInvisible)
    if (text.find(bytes) != std::string_view::npos) return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos)
    return false;
  return !in_flow || text.find_first_of(",[]{}:") == std::string_view::npos;
}

std::string quoted(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto* invisible =
        std::find_if(std::begin(kInvisible), std::end(kInvisible),
                     [&](const auto& entry) { return text.substr(at).starts_with(entry.first); });
    const char c = text[at];
    if (invisible != std::end(kInvisible)) {
      result += invisible->second;
      at += invisible->first.size() - 1;
    } else if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (c == '\r') {
      result += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += {'\\', 'x', kHex[static_cast<unsigned char>(c) >> 4], kHex[c & 15]};
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

std::string write_text(std::string_view text, bool in_flow) {
  return is_plain(text, in_flow) ? std::string(text) : quoted(text);
}

std::string write_list(const std::vector<std::string>& values) {
  std::string result = "[";
  for (const auto& value : values) {
    if (result.size() > 1) result += ", ";
    result += write_text(value, true);
  }
  return result + "]";
}

std::string write_flow(const YamlNode& node) {
  if (node.is(Kind::kNull)) return "null";
  if (node.is(Kind::kScalar)) return node.plain ? write_text(node.text, true) : quoted(node.text);
  const bool mapping = node.is(Kind::kMapping);
  std::string result = mapping ? "{" : "[";
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) result += mapping && i % 2 == 1 ? ": " : ", ";
    result += write_flow(*node.items[i]);
  }
  return result + (mapping ? "}" : "]");
}

std::string write_given(std::string_view yaml, bool in_flow) {
  if (yaml.find_first_of("\r\n") != std::string_view::npos) return quoted(yaml);
  const auto tree = read_yaml(yaml);
  if (!tree || tree->root == nullptr || tree->root->is(Kind::kNull)) return quoted(yaml);
  const YamlNode& root = *tree->root;
  if (root.is(Kind::kScalar) && root.plain)
    return root.text == yaml ? write_text(yaml, in_flow) : quoted(yaml);
  const char first = yaml.front();
  std::size_t end = std::string_view::npos;
  if (root.is(Kind::kScalar) && (first == '"' || first == '\'')) {
    end = quoted_end(yaml, 0);
  } else if (root.flow && (first == '[' || first == '{')) {
    // The brackets of the whole are the last ones: yaml-cpp would refuse what follows them.
    const auto last = yaml.find_last_not_of(" \t");
    if (yaml[last] == ']' || yaml[last] == '}') end = yaml.size();
  }
  return end == yaml.size() ? std::string(yaml) : quoted(yaml);
}

}  // namespace gitplan
