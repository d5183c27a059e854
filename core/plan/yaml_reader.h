// Typed reads from a YAML tree, each fault noted with its place: what was seen, what would be
// right.
//
// The tables of plan_file.cc name the keys and call these. A read that fails notes a fault, leaves
// the value as it is and goes on, so that one pass finds everything.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/plan/enum_names.h"
#include "core/plan/yaml_tree.h"

namespace gitplan {

class YamlReader {
 public:
  // Where the value is that is read now: keys and indices, for Diagnostic::target.
  class Scope {
   public:
    Scope(YamlReader& reader, std::string_view key) : reader_(reader) {
      reader_.path_.emplace_back(key);
    }
    Scope(YamlReader& reader, std::size_t index) : reader_(reader) {
      reader_.path_.emplace_back(index);
    }
    ~Scope() { reader_.path_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    YamlReader& reader_;
  };

  std::string target() const;
  // The key that is read now, as messages name it: 'depends_on', item 2 of 'depends_on'.
  std::string subject() const;

  void fault(const Position& at, std::string code, std::string message, std::string fix);
  void warn(const Position& at, std::string code, std::string message, std::string fix);
  // " (did you mean 'x'?)" as a fix, or `otherwise`. Bounded: a hostile plan gets no suggestions.
  std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                           std::string otherwise);

  bool text(const YamlNode& node, std::string& out);
  bool line(const YamlNode& node, std::string& out);  // a text without line ends
  bool flag(const YamlNode& node, bool& out);
  bool integer(const YamlNode& node, int least, int most, int& out);
  bool money(const YamlNode& node, double& out);
  bool texts(const YamlNode& node, std::vector<std::string>& out);
  bool path(const YamlNode& node, std::string& out);
  bool paths(const YamlNode& node, std::vector<std::string>& out);
  bool word(const YamlNode& node, const std::vector<std::string>& words, std::string& out);

  template <typename E>
  bool choice(const YamlNode& node, E& out) {
    std::vector<std::string> words;
    for (const auto& entry : names_of(E{})) words.emplace_back(entry.name);
    std::string seen;
    if (!word(node, words, seen)) return false;
    for (const auto& entry : names_of(E{}))
      if (entry.name == seen) out = entry.value;
    return true;
  }

  // Calls `read` with the number of each known key (its place in `known`), key and value; a key
  // without a value is one that is not written. `elsewhere` says where a key that is unknown here
  // belongs, or nothing.
  using ReadKey = std::function<void(std::size_t, const YamlNode& key, const YamlNode& value)>;
  using Elsewhere = std::function<std::string(std::string_view key)>;
  bool mapping(const YamlNode& node, const std::vector<std::string>& known,
               const Elsewhere& elsewhere, std::string_view example, const ReadKey& read);
  // Calls `read` with each item, within its Scope.
  bool items(const YamlNode& node, std::string_view example,
             const std::function<void(std::size_t, const YamlNode&)>& read);

  // Adds what was found without this reader.
  void take(Diagnostic diagnostic) { diagnostics_.push_back(std::move(diagnostic)); }
  bool has_fault_at(std::string_view path) const;
  // Everything in the order of the file; the number of those beyond the first thousand comes last.
  std::vector<Diagnostic> finish(std::string_view file);

 private:
  void note(Severity severity, const Position& at, std::string code, std::string message,
            std::string fix);
  bool wrong_type(const YamlNode& node, std::string_view wanted, std::string fix);
  void duplicate(const YamlNode& key, const YamlNode& first);
  void duplicates_below(const YamlNode& node);

  std::vector<std::variant<std::string_view, std::size_t>> path_;
  std::vector<Diagnostic> diagnostics_;
  int suggestions_ = 0;
  int unlisted_errors_ = 0;
  int unlisted_warnings_ = 0;
};

// A text for one line of a message: cut when long, control characters made visible.
std::string shown(std::string_view text);

// A value in a message: "the text 'x'", "a list", "nothing"; long texts are cut.
std::string seen(const YamlNode& node);

}  // namespace gitplan
