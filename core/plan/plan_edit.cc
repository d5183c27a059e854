#include "core/plan/plan_edit.h"

#include <algorithm>

#include "core/base/edit_distance.h"
#include "core/plan/front_matter_edit.h"
#include "core/plan/plan_keys.h"
#include "core/plan/yaml_write.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kLongestSuggested = 100;

Error unknown_form(std::string_view what) {
  return error(ErrorCode::kInvalid,
               "'" + std::string(what) + "' is written in a form that cannot be edited here",
               "change it in an editor");
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kLongestSuggested) return "";
  const auto found = nearest(word, candidates);
  return found ? "did you mean '" + *found + "'?" : "";
}

bool is_null(const YamlNode* node) { return node == nullptr || node->is(Kind::kNull); }

// Sets or adds a key of a mapping; `written` is its value as YAML.
Result<std::string> set_in(FrontMatterEdit& edit, const YamlNode* mapping, std::size_t limit,
                           std::string_view key, const std::string& written) {
  const auto wanted = read_yaml(written);
  if (!wanted || wanted->root == nullptr) return unknown_form(key);
  const auto entry =
      mapping != nullptr ? edit.spans().entry(*mapping, key, limit) : std::optional<YamlEntry>();
  const std::string line = std::string(key) + ": " + written;
  bool done = true;
  if (entry)
    done = edit.set_value(*entry, written);
  else if (mapping != nullptr)
    done = edit.append_entry(*mapping, limit, line);
  else
    edit.append_line(line);
  if (!done) return unknown_form(key);
  return edit.finish(
      mapping, [&](const YamlNode& now) { return sets_key(mapping, now, key, *wanted->root); });
}

Result<std::string> set_top_level(std::string_view text, std::string_view key, bool list,
                                  const std::function<std::string(bool)>& write) {
  GITPLAN_TRY_ASSIGN(FrontMatterEdit edit, FrontMatterEdit::open(text));
  const YamlNode* root = is_null(edit.root()) ? nullptr : edit.root();
  const YamlNode* old = root != nullptr ? root->find(key) : nullptr;
  if (old != nullptr && (old->is(Kind::kMapping) || (old->is(Kind::kSequence) && !list)))
    return error(ErrorCode::kInvalid,
                 "'" + std::string(key) + "' is a " +
                     (list ? "mapping, not a list"
                           : "collection, "
                             "not a text"),
                 "change it in an editor");
  return set_in(edit, root, edit.limit(), key, write(root != nullptr && root->flow));
}

// The list of tasks in the tree, with what its parts need to be cut out.
struct TaskList {
  std::optional<YamlEntry> orchestration;
  std::optional<YamlEntry> tasks;
};

Result<TaskList> task_list(const FrontMatterEdit& edit) {
  TaskList found;
  if (is_null(edit.root())) return found;
  found.orchestration = edit.spans().entry(*edit.root(), "orchestration", edit.limit());
  if (!found.orchestration || is_null(found.orchestration->value)) return found;
  const YamlNode& value = *found.orchestration->value;
  if (!value.is(Kind::kMapping) || value.alias) return unknown_form("orchestration");
  found.tasks = edit.spans().entry(value, "tasks", found.orchestration->limit);
  if (!found.tasks || is_null(found.tasks->value)) return found;
  if (!found.tasks->value->is(Kind::kSequence) || found.tasks->value->alias)
    return unknown_form("tasks");
  return found;
}

std::string name_of(const YamlNode& task) {
  const YamlNode* name = task.find("name");
  return name != nullptr && name->is(Kind::kScalar) ? name->text : "";
}

Result<YamlItem> find_task(const FrontMatterEdit& edit, std::string_view task) {
  GITPLAN_TRY_ASSIGN(const TaskList list, task_list(edit));
  std::vector<std::string> names;
  if (list.tasks && !is_null(list.tasks->value)) {
    const YamlNode& all = *list.tasks->value;
    for (std::size_t i = 0; i < all.items.size(); ++i) {
      names.push_back(name_of(*all.items[i]));
      if (names.back() != task) continue;
      if (all.items[i]->alias) return unknown_form(task);
      return edit.spans().item_at(all, i, list.tasks->limit);
    }
  }
  return error(ErrorCode::kNotFound, "the plan has no task '" + std::string(task) + "'",
               suggestion(task, names));
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

// A task as YAML: a mapping in block or flow style, or a name.
struct NewTask {
  YamlTree tree;
  std::vector<std::string> lines;  // without indentation and line ends

  std::string flow() const { return write_flow(*tree.root); }
  // "- " and the lines below it, `column` blanks in front.
  std::string block(std::size_t column, const std::string& line_end) const {
    std::string text;
    for (const auto& line : lines)
      text += line.empty()
                  ? line_end
                  : std::string(column, ' ') + (text.empty() ? "- " : "  ") + line + line_end;
    return text;
  }
};

Result<NewTask> read_task(std::string_view given) {
  std::string text = trimmed(given);
  // Only blank lines go in front: the first line's indentation is that of the keys.
  const auto first = given.find_first_not_of(" \t\r\n");
  const std::size_t indent =
      first == std::string_view::npos ? 0 : first - (given.rfind('\n', first) + 1);
  auto tree = read_yaml(std::string(indent, ' ') + text);
  if (!tree) {
    Error failure = std::move(tree).error();
    failure.message = "the new task is not valid YAML";
    failure.hint = "give a name, or a mapping: {name: build, run: make}";
    return failure;
  }
  if (is_null(tree->root) || tree->root->is(Kind::kSequence))
    return error(ErrorCode::kInvalid, "the new task is neither a name nor a mapping",
                 "give a name, or a mapping: {name: build, run: make}");
  if (tree->root->is(Kind::kScalar)) {
    text = "name: " + write_text(tree->root->text);
    tree = read_yaml(text);
  }
  NewTask task{std::move(*tree), {}};
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const auto blanks = std::min(line.find_first_not_of(' '), line.size());
    if (!task.lines.empty()) line.remove_prefix(std::min(blanks, indent));
    task.lines.emplace_back(line);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return task;
}

// Adds to the end of the list that exists.
bool append_task(FrontMatterEdit& edit, const YamlEntry& tasks, const NewTask& task) {
  const YamlNode& list = *tasks.value;
  const YamlSpans& spans = edit.spans();
  const bool empty = list.items.empty();
  if (list.flow) {
    const std::size_t open = edit.yaml().find('[', list.offset);
    const std::size_t at =
        empty ? open + 1 : spans.end(spans.item_at(list, list.items.size() - 1, tasks.limit));
    edit.replace(at, at, (empty ? "" : ", ") + task.flow());
    return true;
  }
  const std::size_t dash = spans.dash(*list.items[0]);
  const auto line = edit.yaml().rfind('\n', dash);
  const std::size_t column = line == std::string_view::npos ? dash : dash - line - 1;
  edit.insert_lines(spans.end(spans.item_at(list, list.items.size() - 1, tasks.limit)),
                    task.block(column, edit.line_end()));
  return true;
}

// "tasks:" with one task below it, at the indentation of a mapping's keys.
std::string tasks_lines(const NewTask& task, std::size_t column, const std::string& line_end) {
  std::string block = task.block(column + 2, line_end);
  block.resize(block.size() - line_end.size());
  return "tasks:" + line_end + block;
}

// Whether `now` is `before` (null: nothing yet) with the task at the end of orchestration.tasks.
bool adds_task(const YamlNode* before, const YamlNode& now, const YamlNode& task) {
  const YamlNode* old_group = before != nullptr ? before->find("orchestration") : nullptr;
  const YamlNode* new_group = now.find("orchestration");
  if (new_group == nullptr || !sets_key(before, now, "orchestration", *new_group)) return false;
  if (is_null(old_group)) old_group = nullptr;
  const YamlNode* old_list = old_group != nullptr ? old_group->find("tasks") : nullptr;
  const YamlNode* new_list = new_group->find("tasks");
  if (new_list == nullptr || !sets_key(old_group, *new_group, "tasks", *new_list)) return false;
  const std::size_t count = old_list != nullptr ? old_list->items.size() : 0;
  if (!new_list->is(Kind::kSequence) || new_list->items.size() != count + 1) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (!same_value(*old_list->items[i], *new_list->items[i])) return false;
  return same_value(task, *new_list->items[count]);
}

void remove_flow_item(FrontMatterEdit& edit, const YamlItem& item, std::size_t limit) {
  const YamlSpans& spans = edit.spans();
  const auto& items = item.list->items;
  std::size_t begin = item.value->offset, end = spans.end(item);
  if (item.index > 0)
    begin = spans.end(spans.item_at(*item.list, item.index - 1, limit));
  else if (items.size() > 1)
    end = items[1]->offset;
  else if (const auto comma = edit.yaml().find_first_not_of(" \t\r\n", end);
           comma != std::string_view::npos && edit.yaml()[comma] == ',')
    end = comma + 1;
  edit.replace(begin, end, "");
}

}  // namespace

Result<std::string> set_key(std::string_view text, std::string_view key, std::string_view value) {
  return set_top_level(text, key, false, [&](bool in_flow) { return write_text(value, in_flow); });
}

Result<std::string> set_list(std::string_view text, std::string_view key,
                             const std::vector<std::string>& values) {
  return set_top_level(text, key, true, [&](bool) { return write_list(values); });
}

Result<std::string> set_task_key(std::string_view text, std::string_view task, std::string_view key,
                                 std::string_view value) {
  const auto& known = task_keys();
  if (std::find(known.begin(), known.end(), key) == known.end())
    return error(ErrorCode::kInvalid, "a task has no key '" + std::string(key) + "'",
                 suggestion(key, known));
  GITPLAN_TRY_ASSIGN(FrontMatterEdit edit, FrontMatterEdit::open(text));
  GITPLAN_TRY_ASSIGN(const YamlItem item, find_task(edit, task));
  return set_in(edit, item.value, item.limit, key, write_given(trimmed(value), item.value->flow));
}

Result<std::string> add_task(std::string_view text, std::string_view task) {
  GITPLAN_TRY_ASSIGN(const NewTask added, read_task(task));
  GITPLAN_TRY_ASSIGN(FrontMatterEdit edit, FrontMatterEdit::open(text));
  GITPLAN_TRY_ASSIGN(const TaskList list, task_list(edit));
  const YamlNode* root = is_null(edit.root()) ? nullptr : edit.root();
  const std::string& line_end = edit.line_end();
  const bool in_flow = root != nullptr && root->flow;
  bool done = true;
  if (list.tasks && !is_null(list.tasks->value)) {
    done = append_task(edit, *list.tasks, added);
  } else if (list.tasks) {
    done = edit.set_value(*list.tasks, "[" + added.flow() + "]");
  } else if (list.orchestration && !is_null(list.orchestration->value)) {
    const YamlNode& group = *list.orchestration->value;
    const std::size_t column = group.items.empty() ? 0 : group.items[0]->column;
    done = edit.append_entry(
        group, list.orchestration->limit,
        group.flow ? "tasks: [" + added.flow() + "]" : tasks_lines(added, column, line_end));
  } else if (list.orchestration) {
    done = edit.set_value(*list.orchestration, "{tasks: [" + added.flow() + "]}");
  } else if (in_flow) {
    done = edit.append_entry(*root, edit.limit(), "orchestration: {tasks: [" + added.flow() + "]}");
  } else {
    const std::string group = "orchestration:" + line_end + "  " + tasks_lines(added, 2, line_end);
    if (root == nullptr)
      edit.append_line(group);
    else
      done = edit.append_entry(*root, edit.limit(), group);
  }
  if (!done) return unknown_form("tasks");
  return edit.finish(nullptr,
                     [&](const YamlNode& now) { return adds_task(root, now, *added.tree.root); });
}

Result<std::string> drop_task(std::string_view text, std::string_view task) {
  GITPLAN_TRY_ASSIGN(FrontMatterEdit edit, FrontMatterEdit::open(text));
  GITPLAN_TRY_ASSIGN(const YamlItem item, find_task(edit, task));
  const YamlNode& list = *item.list;
  std::string dependents;
  for (const auto* other : list.items) {
    const YamlNode* wanted = other->find("depends_on");
    if (other == item.value || wanted == nullptr) continue;
    if (std::any_of(wanted->items.begin(), wanted->items.end(),
                    [&](const YamlNode* name) { return name->text == task; }))
      dependents += (dependents.empty() ? "'" : ", '") + name_of(*other) + "'";
  }
  if (!dependents.empty())
    return error(ErrorCode::kRefused, "task '" + std::string(task) + "' is needed by " + dependents,
                 "drop those first, or change their 'depends_on'");

  GITPLAN_TRY_ASSIGN(const TaskList tasks, task_list(edit));
  if (list.flow) {
    remove_flow_item(edit, item, tasks.tasks->limit);
  } else if (list.items.size() == 1) {
    if (!edit.set_value(*tasks.tasks, "[]")) return unknown_form("tasks");
  } else {
    const std::string_view yaml = edit.yaml();
    const auto before = yaml.rfind('\n', edit.spans().dash(*item.value));
    const auto after = yaml.find('\n', edit.spans().end(item));
    edit.replace(before == std::string_view::npos ? 0 : before + 1,
                 after == std::string_view::npos ? yaml.size() : after + 1, "");
  }
  return edit.finish(&list, [&](const YamlNode& now) {
    if (!now.is(Kind::kSequence) || now.items.size() + 1 != list.items.size()) return false;
    for (std::size_t i = 0; i < now.items.size(); ++i)
      if (!same_value(*list.items[i < item.index ? i : i + 1], *now.items[i])) return false;
    return true;
  });
}

Result<std::string> set_body(std::string_view text, std::string_view body) {
  const PlanText parts = split_plan(text);
  if (!parts.closed)
    return error(ErrorCode::kInvalid, "the front matter has no end: no second line of '---'",
                 "close it with a line of '---'");
  std::string result(text.substr(0, parts.body_at));
  if (parts.has_front_matter) {
    if (!result.empty() && result.back() != '\n') result += parts.line_end;
  } else if (split_plan(body).has_front_matter) {
    // The new body starts with a line of its own that would be taken for front matter.
    result += "---" + std::string(parts.line_end) + "---" + std::string(parts.line_end);
  }
  return result.append(body);
}

}  // namespace gitplan
