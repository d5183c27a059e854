// git plan hooks: puts our hooks where git runs them, takes them away, says which are at work.
//
// `git plan hooks run <hook> …` is what they call in the end (run_hook.cc).
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "git-plan/command/context.h"
#include "git-plan/command/run_hook.h"
#include "git-plan/command/table.h"
#include "git-plan/trust/inside_task.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/table.h"
#include "hooks/hook_file.h"
#include "hooks/install.h"
#include "hooks/join.h"
#include "hooks/status.h"
#include "hooks/watch_build.h"

namespace gitplan {
namespace {

Error usage(std::string message) {
  return error(ErrorCode::kUsage, std::move(message), "usage: " + std::string(kHooksCommand.usage));
}

std::string_view word(HookChange change) {
  switch (change) {
    case HookChange::kNone: return "unchanged";
    case HookChange::kInstalled: return "installed";
    case HookChange::kRenewed: return "renewed";
    case HookChange::kRemoved: return "removed";
    case HookChange::kRestored: return "restored";
    case HookChange::kLeft: return "left";
  }
  return "";
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void tell(Context& context, const HooksPlace& place, const std::vector<HookResult>& results) {
  if (context.json()) {
    auto rows = nlohmann::ordered_json::array();
    for (const HookResult& result : results)
      rows.push_back({{"hook", result.hook},
                      {"change", word(result.change)},
                      {"path", result.path},
                      {"before", result.before},
                      {"why", result.why},
                      {"fix", result.fix}});
    context.out().line(
        json_text({{"schema", 1}, {"directory", place.path.directory}, {"hooks", rows}}));
    return;
  }
  Output& out = context.out();
  for (const HookResult& result : results) {
    std::string text = std::string(word(result.change)) + " " + result.hook;
    if (result.change == HookChange::kLeft) {
      out.warning(printable("'" + result.path + "' " + result.why));
      out.note("    " + printable(result.fix));
      continue;
    }
    if (!result.before.empty()) text += ", runs " + file_name(result.before) + " first";
    if (!result.why.empty()) text += ", " + result.why;
    out.line(printable(text));
  }
}

bool any_left(const std::vector<HookResult>& results) {
  for (const HookResult& result : results)
    if (result.change == HookChange::kLeft) return true;
  return false;
}

int print_lines(Context& context, const HooksPlace& place) {
  Output& out = context.out();
  const bool lefthook = has_lefthook(place);
  if (lefthook) out.line("# for lefthook-local.yml, or for lefthook.yml where all should have it");
  for (const std::string& hook : hook_names()) {
    if (lefthook) {
      out.print(lefthook_lines(hook));
      continue;
    }
    const std::string file = place.kind == PlaceKind::kHusky ? ".husky/" + hook : hook;
    out.line("# " + printable(file));
    out.line(line_for(hook));
  }
  return 0;
}

Result<int> install(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const HooksPlace place, hooks_place(*repository));
  if (arguments.has("--print")) return print_lines(context, place);
  InstallOptions options;
  options.program = hook_program(context);
  options.chain = arguments.has("--chain");
  options.shared = arguments.has("--shared");
  GITPLAN_TRY_ASSIGN(const std::vector<HookResult> results, install_hooks(place, options));
  prepare_watch(*repository);
  tell(context, place, results);
  return any_left(results) ? exit_status(ErrorCode::kFailed) : 0;
}

Result<int> uninstall(Context& context) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const HooksPlace place, hooks_place(*repository));
  GITPLAN_TRY_ASSIGN(const std::vector<HookResult> results, uninstall_hooks(place));
  remove_watch(*repository);
  tell(context, place, results);
  if (results.empty() && !context.json()) context.out().note("No hook of git plan is here.");
  return any_left(results) ? exit_status(ErrorCode::kFailed) : 0;
}

Style style_of(const HookStatus& status) {
  if (status.state == HookState::kOutdated) return Style::kWarn;
  return status.active() ? Style::kGood : Style::kBad;
}

Result<int> status(Context& context) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const bool on, settings->boolean("plan.hooks"));
  GITPLAN_TRY_ASSIGN(const HooksPlace place, hooks_place(*repository));
  const std::vector<HookStatus> all = hooks_status(place, hook_program(context));
  Output& out = context.out();
  if (context.json()) {
    auto rows = nlohmann::ordered_json::array();
    for (const HookStatus& each : all)
      rows.push_back({{"hook", each.hook},
                      {"state", name(each.state)},
                      {"active", each.active()},
                      {"path", each.path},
                      {"before", each.before},
                      {"why", each.why},
                      {"fix", each.fix}});
    out.line(json_text({{"schema", 1},
                        {"directory", place.path.directory},
                        {"configured", place.path.configured},
                        {"scope", place.path.scope},
                        {"origin", place.path.origin},
                        {"on", on},
                        {"hooks", rows}}));
    return 0;
  }
  std::string where = place.path.directory;
  if (const std::string by = place.set_by(); !by.empty()) where += ", by " + by;
  out.line(printable(where));
  Table table({"", "", "", ""});
  for (const HookStatus& each : all) {
    std::string more = each.why;
    if (!each.before.empty())
      more = (each.state == HookState::kJoined ? "called by " : "runs ") + file_name(each.before) +
             (each.state == HookState::kJoined ? "" : " first") + (more.empty() ? "" : "; " + more);
    table.row({{each.hook},
               {std::string(name(each.state)), style_of(each)},
               {more},
               {each.fix, Style::kDim}});
  }
  out.print(table.render(out));
  if (!on) out.note("plan.hooks is false: none of them says anything.");
  return 0;
}

Result<int> hooks(Context& context, const Arguments& arguments) {
  const std::string action = arguments.positional(0).value_or("");
  if (action == "run") return run_hook(context, arguments.positionals(1));
  if (arguments.positionals().size() > 1)
    return usage("'git plan hooks " + action + "' does not take '" + *arguments.positional(1) +
                 "'");
  for (const char* option : {"--chain", "--print", "--shared"})
    if (arguments.has(option) && action != "install")
      return usage("'" + std::string(option) + "' goes with 'install' only");
  if (action == "install" || action == "uninstall")
    GITPLAN_TRY(refuse_inside_task(context, "hooks " + action));
  if (action == "install") return install(context, arguments);
  if (action == "uninstall") return uninstall(context);
  if (action == "status") return status(context);
  return usage("'git plan hooks' takes install, uninstall or status, not '" + action + "'");
}

}  // namespace

const CommandInfo kHooksCommand{
    .name = "hooks",
    .summary = "Let git say what a commit or a move means for plans",
    .usage =
        "git plan hooks (install [--chain] [--shared] [--print] | uninstall | status) [--json]",
    .group = Group::kGit,
    .needs = Needs::kNothing,
    .json = true,
    .options = {{"--chain", "", "", "move links and programs aside too, and run them first"},
                {"--shared", "", "", "install also where other repositories run the hooks"},
                {"--print", "", "", "only print the lines to add to other hooks"}},
    .positionals = {{"<action>", true, false, Completes::kWords, "install|uninstall|status"},
                    {"<argument>", false, true}},
    .run = hooks,
};

}  // namespace gitplan
