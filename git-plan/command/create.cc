// `git plan create`: a new plan from a file, standard input, another plan or the editor.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/plan/names.h"
#include "core/plan/plan_edit.h"
#include "core/plan/plan_file.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/check.h"
#include "git-plan/definition/draft.h"
#include "git-plan/definition/input.h"
#include "git-plan/definition/stale.h"
#include "git-plan/trust/trust.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/words.h"
#include "refs/snapshot/snapshot.h"

namespace gitplan {
namespace {

struct Source {
  std::string text, file;
  std::string from = {};   // the plan that it was copied from
  bool trusted = true;     // not where it is the copy of a plan that nobody read here
  std::string draft = {};  // where the edited text is kept until the plan exists
};

Status as_status(Result<ParsedPlan> parsed) {
  return parsed ? Status() : Status(std::move(parsed).error());
}

Error usage(std::string message) {
  return error(ErrorCode::kUsage, std::move(message),
               "usage: " + std::string(kCreateCommand.usage));
}

// Ids are the same for a file system that knows no case.
bool same_id(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c + 0; };
    return lower(x) == lower(y);
  });
}

// --title and --tag win over what the text says. What is wrong with the text itself says more than
// that it cannot be changed.
Result<std::string> with_options(const Source& source, const Arguments& arguments) {
  std::string text = source.text;
  const auto take = [&](Result<std::string> changed) -> Status {
    if (!changed) {
      GITPLAN_TRY(as_status(parse_plan(source.text, source.file)));
      return changed.error();
    }
    text = *std::move(changed);
    return {};
  };
  if (const auto title = arguments.value("--title"))
    GITPLAN_TRY(take(set_key(text, "title", *title)));
  if (arguments.has("--tag")) GITPLAN_TRY(take(set_list(text, "tags", arguments.values("--tag"))));
  return text;
}

Result<Source> from_file(const std::string& file) {
  GITPLAN_TRY_ASSIGN(InputText input, read_input(file));
  return Source{std::move(input.text), std::move(input.name)};
}

Result<Source> from_plan(Context& context, const std::string& name) {
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(name));
  Source source{.text = view.text, .file = "plan '" + view.id + "'", .from = view.id};
  GITPLAN_TRY_ASSIGN(source.trusted, is_trusted(context, view));
  return source;
}

Result<std::string> template_text(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  const std::optional<std::string> given = arguments.value("--template");
  GITPLAN_TRY_ASSIGN(const std::string configured, settings->text("plan.bodyTemplate"));
  const std::string file = given.value_or(configured);
  const std::string title = arguments.value("--title").value_or("");
  if (file == "default") return compose_plan(title, arguments.values("--tag"), default_body(title));
  GITPLAN_TRY_ASSIGN(const InputText body, read_input(file));
  if (body.text.starts_with("---\n"))
    return with_options(Source{.text = body.text, .file = body.name}, arguments);
  return compose_plan(title, arguments.values("--tag"), body.text);
}

Result<Source> from_editor(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const std::string start, template_text(context, arguments));
  Source source{start, "plan.md"};
  if (context.interactive() || !context.environment("GIT_EDITOR").value_or("").empty()) {
    GITPLAN_TRY_ASSIGN(Draft draft, edit_draft(context, "new", start, kNewPlanHelp));
    if (!draft.changed)
      return error(ErrorCode::kInvalid, "the text was left as it was; no plan was created");
    source.text = std::move(draft.text);
    source.draft = draft.path;
  } else if (!arguments.has("--template")) {
    return error(ErrorCode::kInvalid, "no text for the plan, and no terminal to edit one on",
                 "'-F <file>' takes a file, '-F -' standard input");
  }
  return source;
}

Result<Source> source_of(Context& context, const Arguments& arguments) {
  const auto file = arguments.value("--file");
  const auto from = arguments.value("--from");
  if (file && from) return usage("'--file' and '--from' exclude each other");
  if (arguments.has("--template") && (file || from))
    return usage("'--template' goes with neither '--file' nor '--from'");
  GITPLAN_TRY_ASSIGN(Source source, file   ? from_file(*file)
                                    : from ? from_plan(context, *from)
                                           : from_editor(context, arguments));
  if (file && source.text.find_first_not_of(" \t\r\n") == std::string::npos)
    return error(ErrorCode::kInvalid, source.file + " is empty", "a plan needs a title and a body");
  if (file || from) {
    GITPLAN_TRY_ASSIGN(source.text, with_options(source, arguments));
  }
  return source;
}

// --naming, else what the text says (parse_plan() has checked that), else plan.naming.
Result<std::string> naming_of(Context& context, const Arguments& arguments, const Plan& plan) {
  if (const auto given = arguments.value("--naming")) {
    if (const auto unknown = unknown_tokens(*given); !unknown.empty())
      return error(ErrorCode::kInvalid,
                   "'--naming' has '" + unknown.front() + "', which is no token",
                   "tokens: " + joined(naming_tokens()));
    return *given;
  }
  if (!plan.naming.empty()) return plan.naming;
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  return settings->text("plan.naming");
}

// The id that the plan gets: the one it names, else by the naming template.
Result<std::string> id_of(Context& context, const Arguments& arguments, const Plan& plan,
                          const std::string& file, const std::vector<std::string>& taken,
                          bool copied) {
  if (!plan.id.empty() && !copied) {
    Diagnostic d;
    d.file = file;
    d.target = "id";
    if (const auto at = plan.keys.find("id"); at != plan.keys.end()) {
      d.line = at->second.line;
      d.column = at->second.column;
    }
    if (const auto fault = plan_id_fault(plan.id)) {
      d.code = "bad-id";
      d.message = "the id '" + plan.id + "' " + *fault;
      d.fix = "leave it out, and the plan gets one";
    }
    for (const std::string& id : taken) {
      if (!same_id(id, plan.id)) continue;
      d.code = "taken-id";
      d.message = "there is a plan '" + id + "' already";
      d.fix = "leave the id out, and the plan gets a free one";
    }
    if (d.code.empty()) return plan.id;
    Error e = error(ErrorCode::kInvalid, file + " has 1 error");
    e.diagnostics.push_back(std::move(d));
    return e;
  }
  GITPLAN_TRY_ASSIGN(const std::string naming, naming_of(context, arguments, plan));
  return plan_id(naming, plan.title, context.now(), context.random_hex(8), taken);
}

void report(Context& context, const PlanView& view, const std::vector<Diagnostic>& warnings) {
  if (context.json()) {
    context.out().line(json_text({{"schema", 1},
                                  {"plan", plan_json(summary_of(view), false)},
                                  {"warnings", diagnostics_json(warnings)}}));
    return;
  }
  print_warnings(context.out(), warnings);
  context.out().line(view.id);
  const std::size_t tasks = view.plan.tasks().size();
  context.out().note(tasks == 0 ? "Created without tasks. Next: git plan edit " + view.id
                                : "Created with " + counted(tasks, "task") +
                                      ". Next: git plan execute " + view.id);
}

Result<PlanView> write_plan(Context& context, const Arguments& arguments, const Source& source,
                            std::vector<Diagnostic>& warnings) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(ParsedPlan parsed, parse_plan(source.text, source.file));
  for (int attempt = 0;; ++attempt) {
    std::vector<std::string> taken;
    GITPLAN_TRY_ASSIGN(const std::vector<Summary> plans, store->list());
    for (const Summary& summary : plans) taken.push_back(summary.id);
    GITPLAN_TRY_ASSIGN(const std::string id, id_of(context, arguments, parsed.plan, source.file,
                                                   taken, !source.from.empty()));
    std::string text = source.text;
    if (!parsed.plan.id.empty() && parsed.plan.id != id) {
      GITPLAN_TRY_ASSIGN(text, set_key(text, "id", id));
    }
    GITPLAN_TRY_ASSIGN(CheckedDefinition checked,
                       check_definition(*store, std::move(text), source.file, id));
    GITPLAN_TRY_ASSIGN(SnapshotTaken snapshot, take_snapshot(*repository, checked.plan));
    PlanCreated event;
    event.from = source.from.empty() ? checked.plan.from : source.from;
    Result<PlanView> created =
        store->create(id, checked.text, checked.plan, {std::move(event), std::move(snapshot)}, "");
    // Somebody took the name in between: the next free one.
    if (!created && created.error().code == ErrorCode::kRefused && attempt < 20 &&
        parsed.plan.id.empty())
      continue;
    warnings = std::move(checked.warnings);
    return created;
  }
}

// What the plan means to make and is there already.
Result<std::vector<Diagnostic>> there_already(Context& context, const PlanView& view,
                                              const std::string& file) {
  const std::vector<Reference> named =
      references_of(view.plan, [](std::string_view) { return false; });
  if (std::ranges::find(named, "create", &Reference::action) == named.end())
    return std::vector<Diagnostic>();
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const CheckedReferences found, check_at_head(*repository, *settings, view));
  std::vector<Diagnostic> warnings;
  for (const CheckedReference& one : found.all) {
    if (one.state != Staleness::kExists) continue;
    const Reference& written = one.mention.reference;
    Diagnostic warning;
    warning.severity = Severity::kWarning;
    warning.code = "exists";
    warning.file = file;
    warning.line = written.position.line;
    warning.column = written.position.column;
    warning.target = written.path;
    warning.message = "'" + written.path + "' is to be created, and is there already";
    warning.fix = "write [modify], or another name";
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

Result<int> create(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const Source source, source_of(context, arguments));
  std::vector<Diagnostic> warnings;
  Result<PlanView> created = write_plan(context, arguments, source, warnings);
  if (!created) {
    if (source.draft.empty()) return created.error();
    return keep_draft(source.draft, source.text, std::move(created).error());
  }
  if (!source.draft.empty()) drop_draft(source.draft);
  if (source.trusted) GITPLAN_TRY(trust(context, *created));
  GITPLAN_TRY_ASSIGN(const std::vector<Diagnostic> overlapping,
                     overlaps(context, created->plan, created->id, source.file));
  warnings.insert(warnings.end(), overlapping.begin(), overlapping.end());
  GITPLAN_TRY_ASSIGN(const std::vector<Diagnostic> existing,
                     there_already(context, *created, source.file));
  warnings.insert(warnings.end(), existing.begin(), existing.end());
  report(context, *created, warnings);
  return 0;
}

}  // namespace

const CommandInfo kCreateCommand{
    .name = "create",
    .summary = "Make a plan from a file, standard input, another plan or the editor",
    .usage = "git plan create [-F <file> | --from <plan>] [--title <text>] [--tag <tag>]...",
    .group = Group::kPlans,
    .json = true,
    .options = {{"--title", "", "<text>",
                 "the title; else the front matter's, or the first heading"},
                {"--file", "-F", "<file>", "the plan's text; '-' is standard input", false,
                 Completes::kFile},
                {"--from", "", "<plan>", "copy another plan's text", false, Completes::kPlan},
                {"--tag", "", "<tag>", "a tag", true},
                {"--naming", "", "<template>",
                 "how to name it: {date}, {time}, {datetime}, {title}, {id}"},
                {"--template", "", "<file>",
                 "start the editor on this text ('default': the built-in one)", false,
                 Completes::kFile}},
    .run = create,
};

}  // namespace gitplan
