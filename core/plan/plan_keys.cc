#include "core/plan/plan_keys.h"

#include <algorithm>
#include <climits>
#include <type_traits>

#include "core/plan/names.h"
#include "core/plan/plan_file.h"
#include "core/plan/task_text.h"
#include "core/plan/validate.h"

namespace gitplan {
namespace {

using Kind = YamlNode::Kind;

constexpr int kMostAttempts = 100;
constexpr int kMostMinutes = 525600;  // a year
constexpr int kMostDays = 36500;
constexpr int kMostForks = 1000;

// One row of a level: the key and what reads it.
template <typename T>
struct Row {
  const char* key;
  void (*read)(YamlReader&, const YamlNode&, T&);
};

template <typename V>
struct Plain {
  using type = V;
};
template <typename V>
struct Plain<std::optional<V>> {
  using type = V;
};

// Reads into a member that is a value or an optional one.
template <auto M, typename T, typename Read>
void store(T& out, Read read) {
  using Value = typename Plain<std::remove_reference_t<decltype(out.*M)>>::type;
  Value value{};
  if (read(value)) out.*M = std::move(value);
}

template <auto M, typename T>
void text(YamlReader& in, const YamlNode& node, T& out) {
  in.text(node, out.*M);
}
template <auto M, typename T>
void line(YamlReader& in, const YamlNode& node, T& out) {
  in.line(node, out.*M);
}
template <auto M, typename T>
void texts(YamlReader& in, const YamlNode& node, T& out) {
  in.texts(node, out.*M);
}
template <auto M, typename T>
void paths(YamlReader& in, const YamlNode& node, T& out) {
  in.paths(node, out.*M);
}
template <auto M, typename T>
void flag(YamlReader& in, const YamlNode& node, T& out) {
  in.flag(node, out.*M);
}
template <auto M, int Most, typename T>
void positive(YamlReader& in, const YamlNode& node, T& out) {
  store<M>(out, [&](int& value) { return in.integer(node, 1, Most, value); });
}
template <auto M, typename T>
void money(YamlReader& in, const YamlNode& node, T& out) {
  store<M>(out, [&](double& value) { return in.money(node, value); });
}
template <auto M, typename T>
void choice(YamlReader& in, const YamlNode& node, T& out) {
  store<M>(out, [&](auto& value) { return in.choice(node, value); });
}
template <typename T>
void ignored(YamlReader&, const YamlNode&, T&) {}

void plan_mode(YamlReader& in, const YamlNode& node, Plan& plan) {
  in.word(node, {"direct", "execution_plan", "decision_rfc"}, plan.plan_mode);
}
void rigor(YamlReader& in, const YamlNode& node, Plan& plan) {
  in.word(node, {"standard", "critical_path"}, plan.verification_rigor);
}
void tags(YamlReader& in, const YamlNode& node, Plan& plan) {
  in.items(node, "[a, b]", [&](std::size_t, const YamlNode& item) {
    std::string tag;
    if (!in.line(item, tag)) return;
    if (tag.empty() || tag.find(',') != std::string::npos)
      in.fault(item.position, "out-of-range",
               in.subject() + (tag.empty() ? " is empty" : " has a comma"), "a tag is one word");
    else
      plan.tags.push_back(std::move(tag));
  });
}
void naming(YamlReader& in, const YamlNode& node, Plan& plan) {
  if (!in.line(node, plan.naming)) return;
  for (const std::string& token : unknown_tokens(plan.naming))
    in.fault(node.position, "unknown-value",
             in.subject() + " has '" + shown(token) + "', which is no token",
             in.did_you_mean(token, naming_tokens(),
                             "tokens: {date}, {time}, {datetime}, {title}, {id}"));
}
void role(YamlReader& in, const YamlNode& node, Task& task) {
  std::string read;
  if (in.line(node, read) && !read.empty()) task.role = std::move(read);
}
void cwd(YamlReader& in, const YamlNode& node, Task& task) {
  if (in.path(node, task.cwd) && task.cwd == ".") task.cwd.clear();
}

void intent(YamlReader&, const YamlNode&, Plan&);
void orchestration(YamlReader&, const YamlNode&, Plan&);
void retry(YamlReader&, const YamlNode&, Orchestration&);
void waits_for(YamlReader&, const YamlNode&, Orchestration&);
void tasks(YamlReader&, const YamlNode&, Orchestration&);

constexpr Row<Plan> kPlanRows[] = {
    {"title", line<&Plan::title>},
    {"tags", tags},
    {"ttl_days", positive<&Plan::ttl_days, kMostDays>},
    {"intent", intent},
    {"plan_mode", plan_mode},
    {"verification_rigor", rigor},
    {"open_decisions", texts<&Plan::open_decisions>},
    {"approved_decisions", texts<&Plan::approved_decisions>},
    {"differences_from_agreement", texts<&Plan::differences_from_agreement>},
    {"orchestration", orchestration},
    {"id", line<&Plan::id>},
    {"naming", naming},
    {"from", line<&Plan::from>},
    {"status", ignored<Plan>},   // the ledger's
    {"created", ignored<Plan>},  // the first commit's
};

constexpr Row<Intent> kIntentRows[] = {
    {"goal", text<&Intent::goal>},
    {"non_goals", texts<&Intent::non_goals>},
    {"constraints", texts<&Intent::constraints>},
    {"acceptance_criteria", texts<&Intent::acceptance_criteria>},
};

constexpr Row<Orchestration> kOrchestrationRows[] = {
    {"default_mode", choice<&Orchestration::default_mode>},
    {"schedule", choice<&Orchestration::schedule>},
    {"isolation", choice<&Orchestration::isolation>},
    {"max_forks", positive<&Orchestration::max_forks, kMostForks>},
    {"team", flag<&Orchestration::team>},
    {"retry", retry},
    {"waits_for", waits_for},
    {"setup", texts<&Orchestration::setup>},
    {"teardown", texts<&Orchestration::teardown>},
    {"copy", paths<&Orchestration::copy>},
    {"verify", texts<&Orchestration::verify>},
    {"budget_usd", money<&Orchestration::budget_usd>},
    {"tasks", tasks},
};

constexpr Row<Retry> kRetryRows[] = {
    {"max_attempts", positive<&Retry::max_attempts, kMostAttempts>},
    {"backoff", choice<&Retry::backoff>},
};

constexpr Row<WaitsFor> kWaitsForRows[] = {
    {"plan", line<&WaitsFor::plan>},
    {"tasks", texts<&WaitsFor::tasks>},
};

constexpr Row<Task> kTaskRows[] = {
    {"name", text<&Task::name>},
    {"description", text<&Task::description>},
    {"run", text<&Task::run>},
    {"role", role},
    {"agent", line<&Task::agent>},
    {"fallback", texts<&Task::fallback>},
    {"mode", choice<&Task::mode>},
    {"isolation", choice<&Task::isolation>},
    {"depends_on", texts<&Task::depends_on>},
    {"files", paths<&Task::files>},
    {"approval_gate", flag<&Task::approval_gate>},
    {"checkpoint", choice<&Task::checkpoint>},
    {"timeout_minutes", positive<&Task::timeout_minutes, kMostMinutes>},
    {"idle_minutes", positive<&Task::idle_minutes, kMostMinutes>},
    {"cwd", cwd},
    {"locks", texts<&Task::locks>},
    {"budget_usd", money<&Task::budget_usd>},
    {"inputs", paths<&Task::inputs>},
    {"expects", paths<&Task::expects>},
    {"checks", texts<&Task::checks>},
    {"allow_no_change", flag<&Task::allow_no_change>},
    {"contract", line<&Task::contract>},
    {"exit_criteria", text<&Task::exit_criteria>},
    {"complexity", choice<&Task::complexity>},
    {"ci_risk", flag<&Task::ci_risk>},
    {"migration", flag<&Task::migration>},
};

template <typename T, std::size_t N>
std::vector<std::string> keys_of(const Row<T> (&rows)[N]) {
  std::vector<std::string> keys;
  for (const auto& row : rows) keys.emplace_back(row.key);
  return keys;
}

const std::vector<std::string>& plan_keys() {
  static const auto keys = keys_of(kPlanRows);
  return keys;
}
const std::vector<std::string>& orchestration_keys() {
  static const auto keys = keys_of(kOrchestrationRows);
  return keys;
}

bool has(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// A key at the wrong indentation is the commonest unknown key: says where it belongs.
std::string place_of(std::string_view key) {
  if (has(orchestration_keys(), key)) return "it belongs into 'orchestration'";
  if (has(plan_keys(), key)) return "it belongs to the top level";
  if (has(task_keys(), key)) return "it belongs into a task";
  return "";
}

// Reads a mapping by its table. A key without a value counts as not written.
template <typename T, std::size_t N>
bool read_rows(YamlReader& in, const YamlNode& node, const Row<T> (&rows)[N],
               std::string_view example, T& out, std::map<std::string, Position>* keys) {
  static const auto known = keys_of(rows);
  return in.mapping(node, known, place_of, example,
                    [&](std::size_t row, const YamlNode& key, const YamlNode& value) {
                      if (keys != nullptr) keys->emplace(rows[row].key, key.position);
                      if (!value.is(Kind::kNull)) rows[row].read(in, value, out);
                    });
}

void intent(YamlReader& in, const YamlNode& node, Plan& plan) {
  read_rows(in, node, kIntentRows, "intent: {goal: \"…\"}", plan.intent.emplace(), nullptr);
}

void orchestration(YamlReader& in, const YamlNode& node, Plan& plan) {
  auto& out = plan.orchestration.emplace();
  const bool read =
      read_rows(in, node, kOrchestrationRows, "keys below it, indented: tasks: …", out, &out.keys);
  if (read && (node.find("tasks") == nullptr || node.find("tasks")->is(Kind::kNull)))
    in.fault(node.position, "missing-key", "'orchestration' has no 'tasks'",
             "add a list of tasks, or remove 'orchestration' from a plan that is only text");
  for (const auto& [key, position] : out.keys) plan.keys.emplace("orchestration." + key, position);
}

void retry(YamlReader& in, const YamlNode& node, Orchestration& out) {
  read_rows(in, node, kRetryRows, "retry: {max_attempts: 3}", out.retry, nullptr);
}

void waits_for(YamlReader& in, const YamlNode& node, Orchestration& out) {
  constexpr const char* kExample = "waits_for: {plan: other-plan, tasks: [cleanup]}";
  WaitsFor read;
  if (!read_rows(in, node, kWaitsForRows, kExample, read, nullptr)) return;
  if (read.plan.empty() && (node.find("plan") == nullptr || node.find("plan")->is(Kind::kNull)))
    in.fault(node.position, "missing-key", "'waits_for' names no 'plan'",
             std::string("write ") + kExample);
  out.waits_for = std::move(read);
}

TaskPlaces places_of(const YamlNode& node, const Task& task, std::size_t index) {
  TaskPlaces places;
  places.index = index;
  places.name = task.position;
  for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
    const YamlNode& key = *node.items[i];
    const YamlNode& value = *node.items[i + 1];
    if (key.is(Kind::kScalar) && key.text == "name") places.name = value.position;
    if (!key.is(Kind::kScalar) || key.text != "depends_on" || !places.depends_on.empty()) continue;
    for (const auto* item : value.items)
      if (item->is(Kind::kScalar)) places.depends_on.push_back(item->position);
  }
  // A fault among the items (a list in the list, a NUL) leaves fewer texts than places.
  places.depends_on.resize(task.depends_on.size(), places.name);
  return places;
}

void tasks(YamlReader& in, const YamlNode& node, Orchestration& out) {
  if (node.is(Kind::kSequence) && node.items.size() > kMaxTasks) {
    in.fault(node.position, "too-many-tasks",
             "the plan has " + std::to_string(node.items.size()) + " tasks, more than " +
                 std::to_string(kMaxTasks),
             "split the plan");
    return;
  }
  std::vector<TaskPlaces> places;
  if (node.is(Kind::kSequence)) {
    out.tasks.reserve(node.items.size());
    places.reserve(node.items.size());
  }
  in.items(node, "a list: '- name: first-task'", [&](std::size_t index, const YamlNode& item) {
    Task task;
    task.position = item.position;
    if (!read_rows(in, item, kTaskRows, "a mapping: '- name: first-task'", task, &task.keys))
      return;
    const auto* name = item.find("name");
    if (name == nullptr || name->is(Kind::kNull) || (name->is(Kind::kScalar) && task.name.empty()))
      in.fault(item.position, "missing-key", "task " + std::to_string(index + 1) + " has no name",
               "add 'name: …'");
    task.text_hash = text_hash(task);
    places.push_back(places_of(item, task, index));
    out.tasks.push_back(std::move(task));
  });
  check_tasks(out.tasks, places, in);
}

}  // namespace

const std::vector<std::string>& task_keys() {
  static const auto keys = keys_of(kTaskRows);
  return keys;
}

std::vector<std::string> all_keys() {
  std::vector<std::string> all = plan_keys();
  for (const auto& keys : {keys_of(kIntentRows), orchestration_keys(), keys_of(kRetryRows),
                           keys_of(kWaitsForRows), task_keys()})
    all.insert(all.end(), keys.begin(), keys.end());
  return all;
}

void read_front_matter(const YamlNode& root, YamlReader& reader, Plan& plan) {
  read_rows(reader, root, kPlanRows, "'key: value' lines", plan, &plan.keys);
}

}  // namespace gitplan
