// One edit of a plan file's front matter: bytes in, bytes out, and the proof that only what was
// meant has changed.
//
// plan_edit.cc builds every edit on this.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/plan/plan_text.h"
#include "core/plan/yaml_span.h"
#include "core/plan/yaml_tree.h"

namespace gitplan {

class FrontMatterEdit {
 public:
  // Reads the text; one without front matter gets an empty one.
  static Result<FrontMatterEdit> open(std::string_view text);

  const YamlNode* root() const { return tree_.root; }
  const YamlSpans& spans() const { return spans_; }
  std::size_t limit() const { return yaml_.size(); }
  std::string_view yaml() const { return yaml_; }
  const std::string& line_end() const { return line_end_; }

  void replace(std::size_t begin, std::size_t end, std::string text);
  // Writes `value` where the entry's value stands, on the key's line; false: in a form unknown
  // here.
  bool set_value(const YamlEntry& entry, const std::string& value);
  // Adds "key: value" after the last key of a mapping; further lines come as they are.
  bool append_entry(const YamlNode& mapping, std::size_t limit, const std::string& entry);
  // Adds to the end of a front matter that has no keys.
  void append_line(const std::string& line) { replace(limit(), limit(), line + line_end_); }
  // Adds whole lines after the line on which `at` is.
  void insert_lines(std::size_t at, const std::string& lines);

  // The text with the edits in it. The tree is read again: outside of `changed` (null: the whole
  // front matter) it must be the same, and `check` must accept what `changed` has become.
  using Check = std::function<bool(const YamlNode&)>;
  Result<std::string> finish(const YamlNode* changed, const Check& check) const;

 private:
  struct Change {
    std::size_t begin, end;
    std::string text;
  };

  FrontMatterEdit(std::string before, std::string yaml, std::string after, std::string line_end,
                  YamlTree tree);

  std::string before_, after_;  // of the file, around the YAML
  std::shared_ptr<const std::string> text_;
  std::string_view yaml_;
  std::string line_end_;
  YamlTree tree_;
  YamlSpans spans_;
  std::vector<Change> changes_;
};

// "mapping" is `now` with `key` set to `wanted`, and else the same, in the same order.
bool sets_key(const YamlNode* mapping, const YamlNode& now, std::string_view key,
              const YamlNode& wanted);

}  // namespace gitplan
