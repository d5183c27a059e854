#include "core/plan/task_text.h"

#include <algorithm>
#include <charconv>

#include "core/base/sha256.h"

namespace gitplan {
namespace {

constexpr std::size_t kHashDigits = 20;

// Values carry their length: no text can look like the next line.
std::string measured(const std::string& value) {
  return std::to_string(value.size()) + ":" + value;
}

class Lines {
 public:
  void text(const char* key, const std::string& value, const std::string& otherwise = "") {
    if (value != otherwise) add(key, measured(value));
  }
  void list(const char* key, const std::vector<std::string>& values) {
    std::string all;
    for (const auto& value : values) all += measured(value);
    if (!values.empty()) add(key, all);
  }
  void set(const char* key, std::vector<std::string> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    list(key, values);
  }
  void flag(const char* key, bool value) {
    if (value) add(key, "true");
  }
  void number(const char* key, const std::optional<int>& value) {
    if (value) add(key, std::to_string(*value));
  }
  void money(const char* key, const std::optional<double>& value) {
    if (!value) return;
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, *value).ptr;
    add(key, std::string(digits, end));
  }
  template <typename E>
  void choice(const char* key, const std::optional<E>& value) {
    if (value) add(key, std::string(name(*value)));
  }

  std::string joined() {
    std::sort(lines_.begin(), lines_.end());
    std::string all;
    for (const auto& line : lines_) all += line + "\n";
    return all;
  }

 private:
  void add(const char* key, const std::string& value) {
    lines_.push_back(std::string(key) + " " + value);
  }
  std::vector<std::string> lines_;
};

}  // namespace

std::string canonical_text(const Task& task) {
  Lines lines;
  lines.text("name", task.name);
  lines.text("description", task.description);
  lines.text("run", task.run);
  lines.text("role", task.role, "builder");
  lines.text("agent", task.agent);
  lines.list("fallback", task.fallback);
  lines.choice("mode", task.mode);
  lines.choice("isolation", task.isolation);
  lines.set("depends_on", task.depends_on);
  lines.list("files", task.files);
  lines.flag("approval_gate", task.approval_gate);
  if (task.checkpoint != Checkpoint::kNone)
    lines.choice("checkpoint", std::optional(task.checkpoint));
  lines.number("timeout_minutes", task.timeout_minutes);
  lines.number("idle_minutes", task.idle_minutes);
  lines.text("cwd", task.cwd);
  lines.set("locks", task.locks);
  lines.money("budget_usd", task.budget_usd);
  lines.list("inputs", task.inputs);
  lines.list("expects", task.expects);
  lines.list("checks", task.checks);
  lines.flag("allow_no_change", task.allow_no_change);
  lines.text("contract", task.contract);
  lines.text("exit_criteria", task.exit_criteria);
  lines.choice("complexity", task.complexity);
  lines.flag("ci_risk", task.ci_risk);
  lines.flag("migration", task.migration);
  return lines.joined();
}

std::string text_hash(const Task& task) {
  return sha256_hex(canonical_text(task)).substr(0, kHashDigits);
}

}  // namespace gitplan
