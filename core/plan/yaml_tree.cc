#include "core/plan/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "core/plan/plan_file.h"
#include "core/plan/yaml_scan.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kValueWeight = 64;  // what one repeated value costs beside its text

// Leaves yaml-cpp from within an event.
struct Refusal {
  Diagnostic diagnostic;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(YamlTree& tree, std::string_view yaml, int first_line)
      : tree_(tree), yaml_(yaml), first_line_(first_line) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      refuse(mark, "yaml-syntax", "the front matter ends here, but more follows",
             "the front matter is one mapping; check the indentation");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    // yaml-cpp takes a line without ':' for a key without a value, both at one place.
    if (!open_.empty() && open_.back()->is(Kind::kMapping) && !open_.back()->flow) {
      const auto& items = open_.back()->items;
      if (items.size() % 2 == 1 && items.back()->is(Kind::kScalar) &&
          items.back()->offset == static_cast<std::size_t>(mark.pos))
        refuse(mark, "yaml-syntax", "'" + items.back()->text.substr(0, 40) + "' has no ':'",
               "write 'key: value'");
    }
    YamlNode& node = add(mark, Kind::kNull);
    finish(node, anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // yaml-cpp takes the end of the text for a closing quote where a line end comes before it.
    const std::size_t start = skip_properties(yaml_, static_cast<std::size_t>(mark.pos));
    if (tag != "?" && start < yaml_.size() && (yaml_[start] == '"' || yaml_[start] == '\'') &&
        quoted_end(yaml_, start) == std::string_view::npos)
      refuse(mark, "yaml-syntax", "a quoted text that is not closed",
             "close it with the same quote");
    YamlNode& node = add(mark, Kind::kScalar);
    node.text = value;
    node.plain = tag == "?";
    finish(node, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      refuse(mark, "yaml-syntax", "a value that repeats itself", "an alias must follow its anchor");
    const YamlNode& original = *found->second;
    repeated_ += original.weight;
    if (++aliases_ > kMaxAliases || repeated_ > kMaxPlanBytes)
      refuse(mark, "too-many-aliases",
             "YAML aliases repeat too much: at most " + std::to_string(kMaxAliases) +
                 " of them, and 4 MiB together",
             "write the values out");
    YamlNode& node = add(mark, original.kind);
    node.alias = true;
    node.plain = original.plain;
    node.flow = original.flow;
    node.text = original.text;
    node.items = original.items;
    node.weight = original.weight;
    attach(node);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    start(mark, Kind::kSequence, anchor, style);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    start(mark, Kind::kMapping, anchor, style);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapEnd() override { end(); }

  Position position(const YAML::Mark& mark) const {
    return {first_line_ + std::max(mark.line, 0), std::max(mark.column, 0) + 1};
  }

 private:
  [[noreturn]] void refuse(const YAML::Mark& mark, std::string code, std::string message,
                           std::string fix) const {
    const Position at = position(mark);
    throw Refusal{{Severity::kError, std::move(code), std::move(message), "", at.line, at.column,
                   "", std::move(fix)}};
  }

  YamlNode& add(const YAML::Mark& mark, Kind kind) {
    if (tree_.nodes.size() >= kMaxYamlValues)
      refuse(mark, "too-large",
             "the front matter has more than " + std::to_string(kMaxYamlValues) + " values",
             "split the plan");
    YamlNode& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.offset = static_cast<std::size_t>(mark.pos);
    node.column = mark.column;
    node.position = position(mark);
    return node;
  }

  void start(const YAML::Mark& mark, Kind kind, YAML::anchor_t anchor,
             YAML::EmitterStyle::value style) {
    if (open_.size() >= static_cast<std::size_t>(kMaxDepth))
      refuse(mark, "too-deep",
             "lists and mappings are nested more than " + std::to_string(kMaxDepth) + " deep",
             "a plan needs five levels");
    YamlNode& node = add(mark, kind);
    node.flow = style == YAML::EmitterStyle::Flow;
    open_.push_back(&node);
    open_anchors_.push_back(anchor);
  }

  void end() {
    YamlNode& node = *open_.back();
    const YAML::anchor_t anchor = open_anchors_.back();
    open_.pop_back();
    open_anchors_.pop_back();
    finish(node, anchor);
  }

  void finish(YamlNode& node, YAML::anchor_t anchor) {
    node.weight = kValueWeight + node.text.size();
    for (const auto* item : node.items) node.weight += item->weight;
    if (anchor != YAML::NullAnchor) anchors_[anchor] = &node;
    attach(node);
  }

  void attach(const YamlNode& node) {
    if (open_.empty())
      tree_.root = &node;
    else
      open_.back()->items.push_back(&node);
  }

  YamlTree& tree_;
  std::string_view yaml_;
  int first_line_;
  int documents_ = 0;
  std::size_t aliases_ = 0;
  std::size_t repeated_ = 0;
  std::vector<YamlNode*> open_;
  std::vector<YAML::anchor_t> open_anchors_;
  std::unordered_map<YAML::anchor_t, const YamlNode*> anchors_;
};

struct Wording {
  std::string_view yaml_cpp;
  std::string_view message;
  std::string_view fix;
};

// yaml-cpp speaks of its own tokens; the writer of a plan has lines and quotes.
constexpr Wording kWordings[] = {
    {"illegal tab when looking for indentation", "a tab in the indentation", "indent with spaces"},
    {"illegal map value", "a ':' where no value can stand",
     "quote a text that holds ': ', and check the indentation"},
    {"illegal block entry", "a '-' where no list can stand", "check the indentation"},
    {"illegal flow end", "a closing bracket without an opening one",
     "remove it, or quote the text"},
    {"end of map not found", "this line does not fit the mapping above it",
     "check the indentation"},
    {"end of sequence not found", "this line does not fit the list above it",
     "check the indentation"},
    {"end of map flow not found", "a '{' that is not closed", "close it with '}'"},
    {"end of sequence flow not found", "a '[' that is not closed", "close it with ']'"},
    {"illegal EOF in scalar", "a quoted text that is not closed", "close it with the same quote"},
    {"unknown token", "a text that cannot start with this character", "quote the text"},
    {"the referenced anchor is not defined", "an alias of an anchor that is not defined",
     "quote a text that starts with '*'"},
};

bool is_indented_by_tab(std::string_view yaml, int line) {
  std::size_t at = 0;
  for (; line > 0 && at < yaml.size(); --line) at = next_line(yaml, at);
  const auto text = yaml.find_first_not_of(" \t", at);
  return text != std::string_view::npos &&
         yaml.substr(at, text - at).find('\t') != std::string_view::npos;
}

Diagnostic from_yaml_cpp(const YAML::Exception& e, std::string_view yaml, const Position& at) {
  Diagnostic d;
  d.code = "yaml-syntax";
  d.line = at.line;
  d.column = at.column;
  d.message = "not YAML: " + e.msg;
  for (const auto& wording : kWordings) {
    if (e.msg != wording.yaml_cpp) continue;
    d.message = wording.message;
    d.fix = wording.fix;
  }
  if (is_indented_by_tab(yaml, e.mark.line)) {
    d.message = kWordings[0].message;
    d.fix = kWordings[0].fix;
  }
  return d;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  if (!is(Kind::kMapping)) return nullptr;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    if (items[i]->is(Kind::kScalar) && items[i]->text == key) return items[i + 1];
  return nullptr;
}

Result<YamlTree> read_yaml(std::string_view yaml, int first_line) {
  YamlTree tree;
  TreeBuilder builder(tree, yaml, first_line);
  Error failure = error(ErrorCode::kInvalid, "the front matter is not valid YAML");
  try {
    std::istringstream stream{std::string(yaml)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refusal& refusal) {
    failure.diagnostics.push_back(refusal.diagnostic);
    return failure;
  } catch (const YAML::Exception& e) {
    failure.diagnostics.push_back(from_yaml_cpp(e, yaml, builder.position(e.mark)));
    return failure;
  }
  return tree;
}

bool same_value(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same_value(*a.items[i], *b.items[i])) return false;
  return true;
}

}  // namespace gitplan
