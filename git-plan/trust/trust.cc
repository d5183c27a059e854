#include "git-plan/trust/trust.h"

#include <algorithm>

#include "core/base/sha256.h"
#include "git-plan/trust/trust_file.h"

namespace gitplan {
namespace {

// What another clone's attempt left: it becomes part of the briefs of what depends on it. That it
// began, or ended without a word, is nothing that a brief could hold.
Status add_foreign(std::string& text, const Store& store, const std::string& plan,
                   const std::string& task, const Attempt& attempt) {
  if (!attempt.output && attempt.findings.empty()) return {};
  text += "attempt " + task + " " + attempt.id + "\n";
  if (attempt.output) {
    GITPLAN_TRY_ASSIGN(const std::optional<std::string> output,
                       store.file(plan, "outputs/" + task + "/" + attempt.id + ".md"));
    text += "output " + sha256_hex(output.value_or("")) + "\n";
  }
  for (const Finding& finding : attempt.findings) {
    text += "finding " + finding.item_id + "\n" + finding.prose_notes + "\n";
    for (const DepDiscovery& d : finding.dep_discoveries)
      text += "discovery " + d.type + " " + d.item_id + " " + d.on + "\n" + d.notes + "\n";
  }
  return {};
}

}  // namespace

Result<std::string> trust_hash(const Store& store, const PlanView& view) {
  std::string text = "git-plan trust 1\n";
  std::vector<std::string> heads = view.ledger.heads;
  std::sort(heads.begin(), heads.end());
  for (const std::string& head : heads) text += "definition " + head + "\n";
  for (const auto& [name, task] : view.ledger.tasks)
    for (const Attempt& attempt : task.attempts)
      if (attempt.actor != store.actor())
        GITPLAN_TRY(add_foreign(text, store, view.id, name, attempt));
  return sha256_hex(text);
}

Result<bool> is_trusted(Context& context, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(const TrustFile file, TrustFile::of(context, view));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::string hash, trust_hash(*store, view));
  for (const TrustLine& line : file.lines())
    if (line.hash == hash) return true;
  return false;
}

Status trust(Context& context, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(TrustFile file, TrustFile::of(context, view));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  TrustLine line;
  GITPLAN_TRY_ASSIGN(line.hash, trust_hash(*store, view));
  line.actor = file.actor();
  line.time = context.now();
  line.definition = view.definition;
  return file.add(line);
}

Result<bool> revoke_trust(Context& context, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(const TrustFile file, TrustFile::of(context, view));
  return file.revoke(context.now());
}

std::vector<PlanCommand> commands_of(const Plan& plan) {
  std::vector<PlanCommand> commands;
  const auto add = [&](const std::string& where, const std::vector<std::string>& all) {
    for (const std::string& text : all) commands.push_back({where, text});
  };
  if (!plan.orchestration) return commands;
  add("setup", plan.orchestration->setup);
  for (const Task& task : plan.tasks()) {
    const std::string where = "task '" + task.name + "'";
    if (task.run.empty())
      commands.push_back({where, task.description, true});
    else
      commands.push_back({where, task.run});
    add("check of '" + task.name + "'", task.checks);
  }
  add("verify", plan.orchestration->verify);
  add("teardown", plan.orchestration->teardown);
  return commands;
}

}  // namespace gitplan
