#include "git-plan/trust/inside_task.h"

#include <unistd.h>

#include <fstream>
#include <iterator>

namespace gitplan {
namespace {

constexpr int kGenerations = 256;

std::string proc_file(pid_t process, const char* name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "<pid> (<name>) <state> <parent> …", and the name may hold anything.
pid_t parent_of(pid_t process) {
  const std::string text = proc_file(process, "stat");
  const std::size_t end = text.rfind(") ");
  return end == std::string::npos || end + 4 > text.size() ? 0 : std::atoi(text.c_str() + end + 4);
}

// The folder of the attempt that a shim looks after: "git-plan-attempt\0<folder>\0".
std::string attempt_of(pid_t process) {
  const std::string line = proc_file(process, "cmdline");
  const std::size_t end = line.find('\0');
  if (end == std::string::npos || !line.substr(0, end).ends_with("git-plan-attempt")) return {};
  const std::size_t last = line.find('\0', end + 1);
  return line.substr(end + 1, last == std::string::npos ? last : last - end - 1);
}

}  // namespace

std::string task_around(Context& context) {
  const std::string told = context.environment("PLAN_TASK").value_or("");
  if (!told.empty()) return told;
  const Result<Repository*> repository = context.repository();
  if (!repository) return {};
  const std::string plans = (*repository)->local_dir() + "/plans/";
  pid_t process = ::getppid();
  for (int left = kGenerations; process > 1 && left > 0; --left, process = parent_of(process)) {
    const std::string attempt = attempt_of(process);
    if (!attempt.starts_with(plans)) continue;
    // …/<plan>/attempts/<task>/<attempt>, or another command of the plan's.
    const std::size_t at = attempt.find("/attempts/");
    if (at == std::string::npos) return "verify";
    const std::size_t begin = at + 10;
    return attempt.substr(begin, attempt.find('/', begin) - begin);
  }
  return {};
}

Status refuse_inside_task(Context& context, std::string_view command) {
  const std::string task = task_around(context);
  if (task.empty()) return {};
  return error(ErrorCode::kRefused,
               "'git plan " + std::string(command) + "' is refused inside a task ('" + task + "')",
               "leave it to whoever runs the plan; a task says what it found in PLAN_FINDINGS");
}

}  // namespace gitplan
