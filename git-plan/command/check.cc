// git plan check: which of a plan's references are stale, and --fix puts them right.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/remap.h"
#include "git-plan/definition/stale.h"
#include "git-plan/terminal/prompt.h"
#include "git-plan/trust/inside_task.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/reference_view.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

Error usage(std::string message) {
  return error(ErrorCode::kUsage, std::move(message), "usage: " + std::string(kCheckCommand.usage));
}

struct Question {
  std::vector<std::string> plans;  // ids
  TraceTarget target;
  bool at_head = true;  // which is what --fix goes by
};

// Those that a stale reference can still lead astray.
Result<std::vector<std::string>> active_plans(Context& context) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> all, store->list());
  std::vector<std::string> ids;
  for (const Summary& summary : all) {
    if (!summary.fault.empty()) {
      context.out().warning("plan '" + summary.id + "' cannot be read: " + summary.fault);
      continue;
    }
    switch (summary.state) {
      case PlanState::kCompleted:
      case PlanState::kAborted:
      case PlanState::kArchived:
      case PlanState::kDeleted: break;
      default: ids.push_back(summary.id);
    }
  }
  return ids;
}

Result<std::string> commit_of(const Repository& repository, const std::string& revision) {
  Result<std::string> commit = repository.git().read(
      {"rev-parse", "--verify", "-q", "--end-of-options", revision + "^{commit}"});
  if (commit.ok()) return commit;
  return error(ErrorCode::kNotFound, "'" + revision + "' is no commit here");
}

// `check <plan>`, `check <revision>`, `check <plan> <revision>`: a plan's name comes first.
Result<Question> question_of(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, repository->head_commit());
  Question question;
  question.target.commit = head.value_or("");
  std::optional<std::string> plan = arguments.positional(0), revision = arguments.positional(1);
  if (plan && !revision && !store->resolve(*plan).ok() && commit_of(*repository, *plan).ok())
    std::swap(plan, revision);
  if (plan) {
    GITPLAN_TRY_ASSIGN(PlanView view, context.plan(*plan));
    question.plans = {std::move(view.id)};
  } else {
    GITPLAN_TRY_ASSIGN(question.plans, active_plans(context));
  }
  const bool staged = arguments.has("--staged"), worktree = arguments.has("--worktree");
  if (staged + worktree + revision.has_value() > 1)
    return usage("'--staged', '--worktree' and a revision exclude each other");
  if (arguments.has("--fix") && (staged || worktree || revision))
    return usage("'--fix' goes by HEAD: it takes no '--staged', '--worktree' or revision");
  if (revision) {
    GITPLAN_TRY_ASSIGN(question.target.commit, commit_of(*repository, *revision));
  }
  if ((staged || worktree) && repository->bare())
    return error(ErrorCode::kRefused, "this repository is bare: it has no index and no work tree",
                 "git plan check <plan> <revision>");
  question.at_head = !staged && !worktree && !revision;
  if (staged) question.target.kind = TraceTarget::Kind::Index;
  if (worktree) question.target.kind = TraceTarget::Kind::WorkTree;
  return question;
}

// On a terminal, in the manner of `git add -p`; elsewhere what is uncertain stays as it is.
ChoosePlace chooser(Context& context) {
  if (!context.interactive() || context.json())
    return [](const CheckedReference&) { return std::optional<Place>(); };
  return [&context](const CheckedReference& reference) -> Result<std::optional<Place>> {
    const Reference& written = reference.mention.reference;
    const std::vector<Place> possible = candidates(reference);
    DecisionAsked asked;
    asked.what = "plan.md:" + std::to_string(written.position.line) + " names " +
                 with_lines(written.path, written.first_line, written.last_line);
    asked.why = what_became_of(reference, context.now());
    for (std::size_t i = 0; i < possible.size() && i < 9; ++i)
      asked.options.push_back(
          {std::to_string(i + 1),
           "write " + with_lines(possible[i].path, possible[i].first_line, possible[i].last_line),
           ""});
    asked.options.push_back({"keep", "leave it as it is", ""});
    const std::optional<Choice> choice = ask_decision(context.out(), asked);
    if (!choice) return error(ErrorCode::kInterrupted, "nothing was changed");
    if (choice->key == "keep") return std::optional<Place>();
    return std::optional(possible[static_cast<std::size_t>(choice->key[0] - '1')]);
  };
}

std::size_t stale_ones(const CheckedReferences& found) {
  return static_cast<std::size_t>(
      std::ranges::count_if(found.all, [](const auto& one) { return one.stale(); }));
}

class Report {
 public:
  explicit Report(Context& context) : context_(context) {}

  Status check(const PlanView& view, const Question& question) {
    GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
    GITPLAN_TRY_ASSIGN(const Settings* settings, context_.settings());
    GITPLAN_TRY_ASSIGN(const CheckedReferences found,
                       check_against(*repository, *settings, view, question.target));
    tell(view, found, found.all.size());
    for (const RewrittenWave& wave : found.rewritten) {
      if (!context_.json()) context_.out().note(view.id + ": " + words(wave));
      rewritten_.push_back({{"plan", view.id},
                            {"run", wave.run},
                            {"wave", wave.wave},
                            {"from", wave.from},
                            {"to", wave.to},
                            {"by", wave.by_trailer ? "trailer" : "patch"}});
    }
    if (question.at_head &&
        std::ranges::any_of(found.all, [](const auto& one) { return one.certain; }))
      fixable_.push_back(view.id);
    return {};
  }

  Status fix(const PlanView& view) {
    GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
    GITPLAN_TRY_ASSIGN(const Settings* settings, context_.settings());
    GITPLAN_TRY_ASSIGN(const CheckedReferences found, check_at_head(*repository, *settings, view));
    GITPLAN_TRY_ASSIGN(const Remapped done, remap(context_, view, found, chooser(context_)));
    for (const Remapped::Change& change : done.changes) {
      fixed_.push_back(
          {{"plan", view.id}, {"line", change.line}, {"from", change.from}, {"to", change.to}});
      if (!context_.json())
        context_.out().line(view.id + ": plan.md:" + std::to_string(change.line) + ": " +
                            printable(change.from) + " -> " + printable(change.to));
    }
    for (const std::string& path : done.noted_anew) {
      noted_anew_.push_back({{"plan", view.id}, {"path", path}});
      if (!context_.json())
        context_.out().line(view.id + ": " + printable(path) + " is noted as it is now");
    }
    CheckedReferences left;
    left.unseen = found.unseen;
    for (const Remapped::Left& one : done.left) {
      left.all.push_back(one.reference);
      uncertain_ = uncertain_ || one.uncertain;
    }
    tell(view, left, found.all.size());
    if (!context_.json())
      for (const Remapped::Left& one : done.left)
        context_.out().note(
            printable(one.reference.mention.reference.path + " was left: " + one.why));
    return {};
  }

  int end(bool fixing) {
    Output& out = context_.out();
    if (context_.json()) {
      nlohmann::ordered_json document{{"schema", 1}, {"references", std::move(references_)}};
      document["unseen"] = unseen_;
      document["rewritten"] = std::move(rewritten_);
      if (fixing) document["fixed"] = std::move(fixed_);
      if (fixing) document["noted_anew"] = std::move(noted_anew_);
      out.line(json_text(document));
    } else {
      for (const std::string& sentence : unseen_) out.note("note: " + printable(sentence));
      if (checked_ == 0)
        out.note("No plan refers to anything.");
      else if (stale_ == 0 && fixed_.empty() && noted_anew_.empty())
        out.line(checked_ == 1
                     ? "The reference is as it was noted."
                     : "All " + std::to_string(checked_) + " references are as they were noted.");
      for (const std::string& id : fixable_)
        out.note("'git plan check " + id + " --fix' puts right what is certain.");
    }
    if (fixing && uncertain_) return exit_status(ErrorCode::kDecision);
    return stale_ > 0 ? exit_status(ErrorCode::kStale) : 0;
  }

 private:
  void tell(const PlanView& view, const CheckedReferences& found, std::size_t of) {
    const std::size_t stale = stale_ones(found);
    stale_ += stale;
    checked_ += of;
    for (const std::string& sentence : found.unseen)
      if (std::ranges::find(unseen_, sentence) == unseen_.end()) unseen_.push_back(sentence);
    if (context_.json()) {
      for (const CheckedReference& one : found.all)
        references_.push_back(reference_json(view.id, one));
      return;
    }
    if (stale == 0) return;
    Output& out = context_.out();
    out.line(out.styled(Style::kBold, view.id) + ": " + counted(stale, "stale reference") + " of " +
             std::to_string(of));
    out.print(references_text(out, found, context_.now()));
  }

  Context& context_;
  std::size_t stale_ = 0, checked_ = 0;
  bool uncertain_ = false;
  std::vector<std::string> unseen_, fixable_;
  nlohmann::ordered_json references_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json rewritten_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json fixed_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json noted_anew_ = nlohmann::ordered_json::array();
};

Result<int> check(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const Question question, question_of(context, arguments));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  const bool fixing = arguments.has("--fix");
  if (fixing) GITPLAN_TRY(refuse_inside_task(context, "check --fix"));
  Report report(context);
  for (const std::string& id : question.plans) {
    GITPLAN_TRY_ASSIGN(const PlanView view, store->load(id));
    GITPLAN_TRY(fixing ? report.fix(view) : report.check(view, question));
  }
  return report.end(fixing);
}

}  // namespace

const CommandInfo kCheckCommand{
    .name = "check",
    .summary = "Say which references of a plan are stale, and put them right",
    .usage =
        "git plan check [<plan>] [--staged | --worktree | <revision>] [--json]\n"
        "       git plan check [<plan>] --fix [--json]",
    .group = Group::kGit,
    .json = true,
    .options = {{.name = "--fix", .help = "write the new places into the plan, and note it anew"},
                {.name = "--staged", .help = "compare with the index in place of HEAD"},
                {.name = "--worktree", .help = "compare with the work tree in place of HEAD"}},
    .positionals = {{.name = "<plan>", .required = false, .completes = Completes::kPlan},
                    {.name = "<revision>", .required = false}},
    .run = check,
};

}  // namespace gitplan
