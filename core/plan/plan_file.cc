#include "core/plan/plan_file.h"

#include "core/plan/input_guard.h"
#include "core/plan/markdown.h"
#include "core/plan/plan_keys.h"
#include "core/plan/plan_text.h"
#include "core/plan/yaml_reader.h"

namespace gitplan {
namespace {

Error invalid(std::string_view file, std::vector<Diagnostic> diagnostics) {
  int errors = 0;
  for (const auto& d : diagnostics) errors += d.severity == Severity::kError ? 1 : 0;
  Error result = error(ErrorCode::kInvalid, std::string(file) + " has " + std::to_string(errors) +
                                                (errors == 1 ? " error" : " errors"));
  result.diagnostics = std::move(diagnostics);
  return result;
}

// Fills the plan from the front matter; false where it is no YAML and says nothing.
bool read_yaml_part(const PlanText& parts, YamlReader& reader, Plan& plan) {
  if (!parts.has_front_matter) return true;
  if (!parts.closed) {
    reader.fault({parts.yaml_line - 1, 1}, "unclosed-front-matter",
                 "the front matter has no end: no second line of '---'",
                 "close it with a line of '---'");
    return false;
  }
  auto bytes = check_yaml_bytes(parts.yaml, parts.yaml_line);
  const bool readable = bytes.empty();
  for (auto& d : bytes) reader.take(std::move(d));
  if (!readable) return false;
  const auto tree = read_yaml(parts.yaml, parts.yaml_line);
  if (!tree) {
    for (auto& d : tree.error().diagnostics) reader.take(d);
    return false;
  }
  const YamlNode* root = tree->root;
  if (root == nullptr || root->is(YamlNode::Kind::kNull)) return true;
  read_front_matter(*root, reader, plan);
  return root->is(YamlNode::Kind::kMapping);
}

// Where what is missing would begin.
constexpr Position kTop{1, 1};

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

Result<ParsedPlan> parse_plan(std::string_view text, std::string_view file) {
  YamlReader reader;
  auto bytes = check_bytes(text);
  if (!bytes.empty()) {
    for (auto& d : bytes) reader.take(std::move(d));
    return invalid(file, reader.finish(file));
  }

  const PlanText parts = split_plan(text);
  ParsedPlan parsed;
  Plan& plan = parsed.plan;
  const bool readable = read_yaml_part(parts, reader, plan);
  plan.body = parts.body;
  plan.body_line = parts.body_line;

  if (parts.closed && is_blank(parts.body))
    reader.fault(kTop, "missing-body", "the plan has no body",
                 "write below the front matter what is to be done");
  if (plan.title.find_first_not_of(' ') == std::string::npos) plan.title = first_heading(plan.body);
  if (readable && plan.title.empty() && !reader.has_fault_at("title"))
    reader.fault(kTop, "missing-title", "the plan has no title",
                 "add 'title: …' to the front matter, or a heading '# …'");

  auto diagnostics = reader.finish(file);
  if (has_error(diagnostics)) return invalid(file, std::move(diagnostics));
  parsed.warnings = std::move(diagnostics);
  return parsed;
}

}  // namespace gitplan
