#include "core/ledger/arrival_rules.h"

#include <algorithm>

#include "core/base/plain_text.h"
#include "core/plan/names.h"
#include "core/plan/path_rules.h"

namespace gitplan {
namespace {

constexpr std::size_t kLongestWord = 100;
constexpr std::size_t kObjectId = 40;

std::string says(std::string_view what, std::string_view value) {
  return std::string(what) + " '" + one_line(value.substr(0, 80)) + "'";
}

bool is_word(std::string_view text) {
  if (text.empty() || text.size() > kLongestWord || text.front() == '.' || text.front() == '-')
    return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '_' || c == '-';
  });
}

bool is_object_id(std::string_view text) {
  return text.empty() || (text.size() == kObjectId &&
                          text.find_first_not_of("0123456789abcdef") == std::string_view::npos);
}

bool is_branch(std::string_view text) {
  if (text.empty()) return true;
  if (!text.starts_with("refs/heads/") || text.size() > 400 || text.ends_with('/') ||
      text.ends_with(".lock") || text.find("..") != std::string_view::npos ||
      text.find("//") != std::string_view::npos || text.find("@{") != std::string_view::npos)
    return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != 0x7F &&
           std::string_view("~^:?*[\\").find(c) == std::string_view::npos;
  });
}

// Whatever an event has under these names means the same in all of them.
struct Fault {
  std::string found;

  void task(std::string_view name) {
    if (!name.empty() && task_name_fault(name)) set(says("names the task", name));
  }
  void word(std::string_view what, std::string_view value) {
    if (!value.empty() && !is_word(value)) set(says("names the " + std::string(what), value));
  }
  void object(std::string_view what, std::string_view value) {
    if (!is_object_id(value)) set(says("names the " + std::string(what), value));
  }
  void branch(std::string_view value) {
    if (!is_branch(value)) set(says("names the branch", value));
  }
  void plan(std::string_view value) {
    if (!value.empty() && plan_id_fault(value)) set(says("names the plan", value));
  }
  void path(std::string_view value) {
    // A file's name may be a pattern to somebody else; it must only stay inside.
    if (const auto fault = path_fault(value); fault && fault->outside)
      set(says("names the path", value));
  }
  template <typename Body>
  void all_of(const Body& e) {
    if constexpr (requires { e.task; }) task(e.task);
    if constexpr (requires { e.tasks; })
      for (const std::string& one : e.tasks) task(one);
    if constexpr (requires { e.dropped; })
      for (const std::string& one : e.dropped) task(one);
    if constexpr (requires { e.run; }) word("run", e.run);
    if constexpr (requires { e.attempt; }) word("attempt", e.attempt);
    if constexpr (requires { e.decision; }) word("decision", e.decision);
    if constexpr (requires { e.commit; }) object("commit", e.commit);
    if constexpr (requires { e.base; }) object("commit", e.base);
    if constexpr (requires { e.tree; }) object("tree", e.tree);
    if constexpr (requires { e.target_tip; }) object("commit", e.target_tip);
    if constexpr (requires { e.definition; }) object("definition", e.definition);
    if constexpr (requires { e.replaces; })
      for (const std::string& one : e.replaces) object("definition", one);
    if constexpr (
        requires { e.from; } && requires { e.to; }) {
      object("commit", e.from);
      object("commit", e.to);
    }
    if constexpr (requires { e.branch; }) branch(e.branch);
    if constexpr (requires { e.target; }) branch(e.target);
    if constexpr (requires { e.plan; }) plan(e.plan);
    if constexpr (requires { e.before; }) plan(e.before);
    if constexpr (requires { e.plans; })
      for (const std::string& one : e.plans) plan(one);
    if constexpr (requires { e.paths; })
      for (const std::string& one : e.paths) path(one);
    if constexpr (requires { e.references; })
      for (const auto& [one, id] : e.references) path(one);
    if constexpr (requires { e.conflicts; })
      for (const Conflict& one : e.conflicts) path(one.path);
  }

 private:
  void set(std::string text) {
    if (found.empty()) found = std::move(text);
  }
};

}  // namespace

std::string arrival_fault(const Event& event) {
  Fault fault;
  std::visit([&fault](const auto& body) { fault.all_of(body); }, event.body);
  return std::move(fault.found);
}

}  // namespace gitplan
