// `git plan`: finds the command, checks what it needs, calls it, and turns its error into an exit
// status.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "core/base/edit_distance.h"
#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/trust/inside_task.h"
#include "refs/git/process.h"

namespace gitplan {
namespace {

constexpr std::string_view kUsage =
    "usage: git plan <command> [<options>]\n"
    "       git plan --version | --help | -h | --list-commands\n";

// Closed standard streams would be taken by the first file that is opened.
void open_standard_streams() {
  int fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd < 2) fd = dup(fd);
  if (fd > 2) close(fd);
}

std::string overview() {
  struct Heading {
    Group group;
    std::string_view text;
  };
  static constexpr Heading kHeadings[] = {{Group::kPlans, "plans"},
                                          {Group::kWork, "work"},
                                          {Group::kGit, "git"},
                                          {Group::kSetup, "set-up"}};
  std::string text(kUsage);
  for (const Heading& heading : kHeadings) {
    std::string rows;
    for (const CommandInfo* command : all_commands()) {
      if (command->group != heading.group) continue;
      std::string name(command->name);
      name.resize(std::max<std::size_t>(name.size() + 1, 11), ' ');
      rows += "   " + name + std::string(command->summary) + "\n";
    }
    if (!rows.empty()) text += "\n" + std::string(heading.text) + "\n" + rows;
  }
  return text +
         "\n'git plan <command> -h' shows the options of one, 'git plan --help' the manual.\n";
}

// Its exit status; nothing where it could not be started.
std::optional<int> show(const std::vector<std::string>& argv) {
  const auto shown = run({.argv = argv,
                          .directory = {},
                          .environment = {},
                          .input = {},
                          .deadline = {},
                          .terminal = true});
  return shown ? std::optional(shown->exit_status) : std::nullopt;
}

// The manual page in the user's own way of reading manuals (help.format, man.viewer); the short
// help where the page is not installed.
int manual(Context& context, const std::string& page, const std::string& short_text) {
  constexpr int kGitGaveUp = 128;
  if (context.out().terminal()) {
    const auto found = run({.argv = {"man", "-w", page},
                            .directory = {},
                            .environment = {},
                            .input = {},
                            .deadline = {}});
    if (found && found->ok()) {
      // `git help` takes a word that begins with "git" for a page as it is. Of "plan-execute" it
      // makes "gitplan-execute", because that is no command on PATH. Where it cannot show the page
      // (help.format is html, and our pages are not there), man can.
      std::optional<int> status = show({"git", "help", page});
      if (!status || *status == kGitGaveUp) status = show({"man", page});
      if (status) return *status;
    }
  }
  context.out().print(short_text);
  return 0;
}

void list_commands(Output& out) {
  for (const CommandInfo* command : all_commands())
    if (command->group != Group::kHidden) out.line(command->name);
}

Error unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const CommandInfo* command : all_commands())
    if (command->group != Group::kHidden) names.emplace_back(command->name);
  if (word.starts_with('-'))
    return error(ErrorCode::kUsage, "unknown option '" + word + "'", std::string(kUsage));
  const std::optional<std::string> near = nearest(word, names);
  return error(ErrorCode::kUsage, "'" + word + "' is not a git plan command",
               near ? "did you mean '" + *near + "'?" : "'git plan -h' lists the commands");
}

Result<int> run_command(Context& context, const CommandInfo& command,
                        const std::vector<std::string>& argv) {
  GITPLAN_TRY_ASSIGN(const Arguments arguments, parse_arguments(command, argv));
  if (arguments.has("--help")) {
    for (const std::string& word : argv)
      if (word == "--help")
        return manual(context, "git-plan-" + std::string(command.name), short_help(command));
    context.out().print(short_help(command));
    return 0;
  }
  if (!command.inside_task) GITPLAN_TRY(refuse_inside_task(context, command.name));
  if (command.needs == Needs::kRepository) {
    if (const auto settings = context.settings(); !settings) return settings.error();
  }
  return command.run(context, arguments);
}

bool wants_json(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "--json") return true;
  }
  return false;
}

int main_command(std::vector<std::string> words) {
  const std::string first = words.empty() ? "" : words.front();
  if (!words.empty()) words.erase(words.begin());
  const CommandInfo* command = find_command(first == "--version" ? "version" : first);
  // Also of a command that does not exist or takes no --json: then the error is what it prints.
  const bool hidden = command != nullptr && command->group == Group::kHidden;
  Context context(!hidden && wants_json(words));
  Output& out = context.out();

  Result<int> status = 0;
  if (first.empty()) {
    const std::string text = overview();
    out.note(std::string_view(text).substr(0, text.size() - 1));
    return exit_status(ErrorCode::kUsage);
  } else if (first == "-h") {
    out.print(overview());
  } else if (first == "--help" || first == "help") {
    const CommandInfo* topic = words.empty() ? nullptr : find_command(words.front());
    status = topic == nullptr
                 ? manual(context, "git-plan", overview())
                 : manual(context, "git-plan-" + std::string(topic->name), short_help(*topic));
  } else if (first == "--list-commands") {
    list_commands(out);
  } else if (command == nullptr) {
    status = unknown_command(first);
  } else {
    status = run_command(context, *command, words);
  }
  if (!status) out.error(status.error(), context.json());
  const int code = status ? *status : exit_status(status.error().code);
  const bool written = out.finish();
  return written || code != 0 ? code : exit_status(ErrorCode::kFailed);
}

}  // namespace
}  // namespace gitplan

int main(int argc, char** argv) {
  gitplan::open_standard_streams();
  // A reader that goes away (`git plan list | head`) ends us quietly, whatever we inherited.
  std::signal(SIGPIPE, SIG_DFL);
  return gitplan::main_command({argv + 1, argv + argc});
}
