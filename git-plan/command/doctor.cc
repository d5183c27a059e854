// git plan doctor: looks at the installation, the repository and its plans, and says what is wrong.
#include "git-plan/doctor/doctor.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "git-plan/command/table.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::kError: return Style::kBad;
    case Severity::kWarning: return Style::kWarn;
    case Severity::kNote: return Style::kInfo;
  }
  return Style::kPlain;
}

// Every key with what it is here.
std::string settings_table(const Output& out, const Settings& settings) {
  Table table({"key", "value", "default", "meaning"});
  for (const SettingInfo& info : all_settings()) {
    const std::optional<std::string> value =
        info.key.find('<') == std::string_view::npos ? settings.raw(info.key) : std::nullopt;
    table.row({{std::string(info.key)},
               {value.value_or(""), Style::kAccent},
               {std::string(info.fallback)},
               {std::string(info.meaning), Style::kDim}});
  }
  return table.render(out, 0);
}

void print(Output& out, const Examination& seen) {
  for (const Fact& fact : seen.facts)
    out.line(out.styled(Style::kDim, fmt::format("{:<11}", fact.name)) + printable(fact.text));
  if (!seen.found.empty()) out.line();
  std::size_t errors = 0, warnings = 0;
  for (const Diagnostic& diagnostic : seen.found) {
    errors += diagnostic.severity == Severity::kError ? 1 : 0;
    warnings += diagnostic.severity == Severity::kWarning ? 1 : 0;
    out.line(
        out.styled(style_of(diagnostic.severity), std::string(word(diagnostic.severity)) + ":") +
        " " + printable(diagnostic.message));
    if (!diagnostic.fix.empty()) out.line("    " + printable(diagnostic.fix));
  }
  out.line();
  if (errors == 0 && warnings == 0)
    out.line(out.styled(Style::kGood, "No faults found."));
  else
    out.line(counted(errors, "error") + ", " + counted(warnings, "warning") + ".");
}

Result<int> doctor(Context& context, const Arguments& arguments) {
  Examination seen;
  for (const auto examine :
       {examine_repository, examine_hooks, examine_configuration, examine_agents, examine_remotes,
        examine_plans, examine_leftovers, examine_disk})
    GITPLAN_TRY(examine(context, seen));
  if (arguments.has("--fsck")) {
    GITPLAN_TRY_ASSIGN(Store * store, context.store());
    GITPLAN_TRY_ASSIGN(const std::vector<Diagnostic> faults, store->fsck());
    seen.fact("fsck", faults.empty() ? "every plan folds to what is stored"
                                     : counted(faults.size(), "fault"));
    // Said by the quick look too, with less.
    std::erase_if(seen.found, [](const Diagnostic& d) { return d.code == "unreadable-plan"; });
    seen.found.insert(seen.found.end(), faults.begin(), faults.end());
  }
  Output& out = context.out();
  if (context.json()) {
    nlohmann::ordered_json facts = nlohmann::ordered_json::object();
    for (const Fact& fact : seen.facts) facts[fact.name] = fact.text;
    out.line(json_text({{"schema", 1},
                        {"diagnostics", diagnostics_json(seen.found)},
                        {"facts", std::move(facts)}}));
  } else {
    print(out, seen);
    if (arguments.has("--verbose")) {
      GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
      out.line();
      out.print(settings_table(out, *settings));
    }
  }
  return has_error(seen.found) ? exit_status(ErrorCode::kFailed) : 0;
}

}  // namespace

const CommandInfo kDoctorCommand{
    .name = "doctor",
    .summary = "Look for what is wrong with repository, configuration and plans",
    .usage = "git plan doctor [--fsck] [--verbose] [--json]",
    .group = Group::kSetup,
    .json = true,
    .options = {{.name = "--fsck", .help = "also fold every plan again and compare"},
                {.name = "--verbose", .letter = "-v", .help = "also list every configuration key"}},
    .run = doctor,
};

}  // namespace gitplan
