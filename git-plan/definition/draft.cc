#include "git-plan/definition/draft.h"

#include <unistd.h>

#include <fstream>

#include "git-plan/terminal/prompt.h"

namespace gitplan {
namespace {

constexpr std::string_view kCut = "# ------------------------ >8 ------------------------\n";

std::string without_help(std::string text) {
  if (text.starts_with(kCut)) return {};
  const std::size_t at = text.find("\n" + std::string(kCut));
  if (at != std::string::npos) text.erase(at + 1);
  return text;
}

}  // namespace

const std::string_view kNewPlanHelp =
    "# Nothing from the line above on becomes part of the plan. Leave the text as it was, or\n"
    "# remove it, and no plan is created.\n"
    "#\n"
    "# Tasks go into the front matter, between the lines of '---' at the top:\n"
    "#\n"
    "# orchestration:\n"
    "#   tasks:\n"
    "#     - name: parser\n"
    "#       run: make parser\n"
    "#     - name: lexer\n"
    "#       run: make lexer\n"
    "#       depends_on: [parser]\n";

const std::string_view kEditPlanHelp =
    "# Nothing from the line above on becomes part of the plan. Leave the text as it was, or\n"
    "# remove it, and nothing changes.\n";

Result<Draft> edit_draft(Context& context, std::string_view name, std::string_view text,
                         std::string_view help) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  Draft draft;
  draft.path = repository->local_dir() + "/edit/" + std::string(name) + ".md";
  std::string shown(text);
  if (!shown.empty() && !shown.ends_with('\n')) shown += '\n';
  shown += std::string(kCut) + std::string(help);
  GITPLAN_TRY_ASSIGN(std::optional<std::string> edited,
                     edit_text(repository->git(), shown, draft.path));
  if (edited) draft.text = without_help(*std::move(edited));
  draft.changed = draft.text.find_first_not_of(" \t\r\n") != std::string::npos &&
                  draft.text != std::string(text);
  if (!draft.changed) drop_draft(draft.path);
  return draft;
}

Error keep_draft(const std::string& path, std::string_view text, Error error) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  error.hint += (error.hint.empty() ? "" : "\n") + std::string("your text is kept in ") + path;
  return error;
}

void drop_draft(const std::string& path) { unlink(path.c_str()); }

}  // namespace gitplan
