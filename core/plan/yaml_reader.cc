#include "core/plan/yaml_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "core/base/edit_distance.h"
#include "core/base/plain_text.h"
#include "core/plan/path_rules.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kLongestShown = 60;
constexpr std::size_t kLongestSuggested = 100;  // edit distance costs the product of the lengths
constexpr int kMaxSuggestions = 200;
constexpr std::size_t kMaxDiagnostics = 1000;

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::string joined(const std::vector<std::string>& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

template <typename Number>
bool parse_number(std::string_view text, Number& out) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  return status == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string shown(std::string_view text) {
  // Of an escape sequence, a '?' for the first character would leave the rest.
  const bool escapes = text.find('\x1b') != std::string_view::npos;
  std::string result;
  for (const char c : escapes ? printable(text) : std::string(text)) {
    if (result.size() >= kLongestShown && (static_cast<unsigned char>(c) & 0xC0) != 0x80)
      return result + "…";
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    result += control ? (c == '\n' ? std::string("\\n") : std::string("?")) : std::string(1, c);
  }
  return result;
}

std::string seen(const YamlNode& node) {
  switch (node.kind) {
    case Kind::kNull: return "nothing";
    case Kind::kScalar: return "the text '" + shown(node.text) + "'";
    case Kind::kSequence: return "a list";
    case Kind::kMapping: return "a mapping";
  }
  return "";
}

std::string YamlReader::target() const {
  std::string result;
  for (const auto& part : path_) {
    if (const auto* index = std::get_if<std::size_t>(&part)) {
      result += "[" + std::to_string(*index) + "]";
    } else {
      if (!result.empty()) result += '.';
      result += shown(std::get<std::string_view>(part));
    }
  }
  return result;
}

std::string YamlReader::subject() const {
  if (path_.empty()) return "the front matter";
  std::string prefix;
  auto part = path_.rbegin();
  if (const auto* index = std::get_if<std::size_t>(&*part)) {
    prefix = "item " + std::to_string(*index + 1) + " of ";
    ++part;
  }
  if (part == path_.rend() || !std::holds_alternative<std::string_view>(*part)) return prefix;
  return prefix + "'" + shown(std::get<std::string_view>(*part)) + "'";
}

void YamlReader::note(Severity severity, const Position& at, std::string code, std::string message,
                      std::string fix) {
  if (diagnostics_.size() >= kMaxDiagnostics) {
    ++(severity == Severity::kError ? unlisted_errors_ : unlisted_warnings_);
    return;
  }
  diagnostics_.push_back({severity, std::move(code), std::move(message), "", at.line, at.column,
                          target(), std::move(fix)});
}

void YamlReader::fault(const Position& at, std::string code, std::string message, std::string fix) {
  note(Severity::kError, at, std::move(code), std::move(message), std::move(fix));
}

void YamlReader::warn(const Position& at, std::string code, std::string message, std::string fix) {
  note(Severity::kWarning, at, std::move(code), std::move(message), std::move(fix));
}

bool YamlReader::has_fault_at(std::string_view path) const {
  return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                     [&](const Diagnostic& d) { return d.target == path; });
}

std::vector<Diagnostic> YamlReader::finish(std::string_view file) {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                   });
  if (const int unlisted = unlisted_errors_ + unlisted_warnings_; unlisted > 0)
    diagnostics_.push_back({unlisted_errors_ > 0 ? Severity::kError : Severity::kWarning,
                            "too-many-faults", std::to_string(unlisted) + " more are not listed",
                            "", 0, 0, "", "correct these first"});
  for (auto& d : diagnostics_) d.file = file;
  return std::move(diagnostics_);
}

std::string YamlReader::did_you_mean(std::string_view word,
                                     const std::vector<std::string>& candidates,
                                     std::string otherwise) {
  if (word.size() > kLongestSuggested || suggestions_ >= kMaxSuggestions) return otherwise;
  ++suggestions_;
  const auto found = nearest(word, candidates);
  return found ? "did you mean '" + *found + "'?" : otherwise;
}

bool YamlReader::wrong_type(const YamlNode& node, std::string_view wanted, std::string fix) {
  fault(node.position, "wrong-type",
        subject() + " is " + seen(node) + ", not " + std::string(wanted), std::move(fix));
  return false;
}

bool YamlReader::text(const YamlNode& node, std::string& out) {
  if (!node.is(Kind::kScalar))
    return wrong_type(node, "a text",
                      node.is(Kind::kNull) ? "write a text, or \"null\" in quotes"
                                           : "write one text; quote it if it has "
                                             "brackets");
  if (node.text.find('\0') != std::string::npos) {
    fault(node.position, "nul-byte", subject() + " has a NUL byte", "remove the escape");
    return false;
  }
  out = node.text;
  return true;
}

bool YamlReader::line(const YamlNode& node, std::string& out) {
  std::string read;
  if (!text(node, read)) return false;
  if (has_control(read)) {
    fault(node.position, "out-of-range",
          subject() + " is " + seen(node) + ", which is not one line of text",
          "write it on one line, without control characters");
    return false;
  }
  out = std::move(read);
  return true;
}

bool YamlReader::flag(const YamlNode& node, bool& out) {
  const auto is = [&](std::string_view a, std::string_view b, std::string_view c) {
    return node.text == a || node.text == b || node.text == c;
  };
  const bool plain = node.is(Kind::kScalar) && node.plain;
  if (plain && is("true", "True", "TRUE"))
    out = true;
  else if (plain && is("false", "False", "FALSE"))
    out = false;
  else
    return wrong_type(node, "true or false", "write true or false, without quotes");
  return true;
}

bool YamlReader::integer(const YamlNode& node, int least, int most, int& out) {
  long long value = 0;
  const bool number = node.is(Kind::kScalar) && node.plain &&
                      (parse_number(node.text, value) ||
                       (node.text.starts_with('+') && parse_number(node.text.substr(1), value)));
  const bool digits = node.is(Kind::kScalar) && node.plain && !node.text.empty() &&
                      node.text.find_first_not_of("0123456789") == std::string::npos;
  if (!number && !digits)
    return wrong_type(node, "a whole number", "write digits only, without quotes");
  if (!number || value < least || value > most) {
    fault(node.position, "out-of-range", subject() + " is " + shown(node.text),
          "possible: " + std::to_string(least) + " to " + std::to_string(most));
    return false;
  }
  out = static_cast<int>(value);
  return true;
}

bool YamlReader::money(const YamlNode& node, double& out) {
  double value = 0;
  if (!node.is(Kind::kScalar) || !node.plain || !parse_number(node.text, value) ||
      !std::isfinite(value))
    return wrong_type(node, "a number", "write an amount such as 2 or 0.5, without quotes");
  if (value <= 0) {
    fault(node.position, "out-of-range", subject() + " is " + shown(node.text),
          "an amount is more than 0");
    return false;
  }
  out = value;
  return true;
}

bool YamlReader::items(const YamlNode& node, std::string_view example,
                       const std::function<void(std::size_t, const YamlNode&)>& read) {
  if (!node.is(Kind::kSequence)) return wrong_type(node, "a list", "write " + std::string(example));
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Scope scope(*this, i);
    read(i, *node.items[i]);
  }
  return true;
}

bool YamlReader::texts(const YamlNode& node, std::vector<std::string>& out) {
  out.clear();
  const bool usable = node.is(Kind::kScalar) && !has_control(node.text) &&
                      node.text.size() <= kLongestShown &&
                      node.text.find_first_of("\"\\") == std::string::npos;
  const std::string example =
      usable ? "[\"" + node.text + "\"]" : std::string("a list of texts: [a, b]");
  return items(node, example, [&](std::size_t, const YamlNode& item) {
    std::string read;
    if (text(item, read)) out.push_back(std::move(read));
  });
}

bool YamlReader::path(const YamlNode& node, std::string& out) {
  std::string read;
  if (!text(node, read)) return false;
  if (const auto bad = path_fault(read)) {
    fault(node.position, bad->outside ? "outside-repository" : "bad-path",
          subject() + ": '" + shown(read) + "' " + bad->clause,
          "write paths from the root of the repository, with '/'");
    return false;
  }
  out = normal_path(read);
  return true;
}

bool YamlReader::paths(const YamlNode& node, std::vector<std::string>& out) {
  out.clear();
  const std::string example = node.is(Kind::kScalar) && !path_fault(node.text)
                                  ? "[\"" + shown(node.text) + "\"]"
                                  : std::string("a list of paths: [\"src/**\"]");
  return items(node, example, [&](std::size_t, const YamlNode& item) {
    std::string read;
    if (path(item, read)) out.push_back(std::move(read));
  });
}

bool YamlReader::word(const YamlNode& node, const std::vector<std::string>& words,
                      std::string& out) {
  if (!node.is(Kind::kScalar)) return wrong_type(node, joined(words), "write one of these words");
  if (std::find(words.begin(), words.end(), node.text) == words.end()) {
    fault(node.position, "unknown-value",
          subject() + " is '" + shown(node.text) + "', not " + joined(words),
          did_you_mean(node.text, words, ""));
    return false;
  }
  out = node.text;
  return true;
}

void YamlReader::duplicate(const YamlNode& key, const YamlNode& first) {
  fault(key.position, "duplicate-key",
        "'" + shown(key.text) + "' is written twice, first on line " +
            std::to_string(first.position.line),
        "keep one of them");
}

// For values that nobody reads: YAML forbids duplicates there as well.
void YamlReader::duplicates_below(const YamlNode& node) {
  if (!node.is(Kind::kMapping) && !node.is(Kind::kSequence)) return;
  const bool is_mapping = node.is(Kind::kMapping);
  std::unordered_map<std::string_view, const YamlNode*> first;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlNode& item = *node.items[i];
    if (is_mapping && i % 2 == 0 && item.is(Kind::kScalar)) {
      const auto [known, fresh] = first.emplace(item.text, &item);
      if (!fresh) duplicate(item, *known->second);
    }
    if (!item.alias) duplicates_below(item);
  }
}

bool YamlReader::mapping(const YamlNode& node, const std::vector<std::string>& known,
                         const Elsewhere& elsewhere, std::string_view example,
                         const ReadKey& read) {
  if (!node.is(Kind::kMapping))
    return wrong_type(node, "a mapping", "write " + std::string(example));
  std::vector<const YamlNode*> first(known.size(), nullptr);
  std::unordered_map<std::string_view, const YamlNode*> unknown;
  for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
    const YamlNode& key = *node.items[i];
    const YamlNode& value = *node.items[i + 1];
    if (!key.is(Kind::kScalar)) {
      fault(key.position, "wrong-type", "a key is " + seen(key) + ", not a text",
            "write 'key: value'");
      continue;
    }
    const Scope scope(*this, std::string_view(key.text));
    const auto found = std::find(known.begin(), known.end(), key.text);
    if (found != known.end()) {
      const auto number = static_cast<std::size_t>(found - known.begin());
      if (first[number] != nullptr) {
        duplicate(key, *first[number]);
        continue;
      }
      first[number] = &key;
      read(number, key, value);
      continue;
    }
    const auto [earlier, fresh] = unknown.emplace(key.text, &key);
    if (!fresh) {
      duplicate(key, *earlier->second);
      continue;
    }
    if (key.text == "<<") {
      fault(key.position, "merge-key", "'<<' would merge another mapping, which plans do not do",
            "write the keys out");
      continue;
    }
    std::string fix = elsewhere(key.text);
    if (fix.empty()) fix = did_you_mean(key.text, known, "it is kept and has no effect");
    warn(key.position, "unknown-key", "unknown key '" + shown(key.text) + "'", std::move(fix));
    duplicates_below(value);
  }
  return true;
}

}  // namespace gitplan
