#include "git-plan/executor/wave_files.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "git-plan/executor/findings_text.h"

namespace gitplan {
namespace {

std::string folder_of(const Wave& wave) {
  char number[16];
  std::snprintf(number, sizeof number, "%03d", wave.number);
  return "waves/" + std::string(number) + "-" + wave.run + "/";
}

std::string lines_of(const Side& side) {
  std::string text;
  for (const LineRange& range : side.lines) {
    text += (text.empty() ? "" : ", ") + std::to_string(range.first);
    if (range.last > range.first) text += "-" + std::to_string(range.last);
  }
  return text;
}

const Attempt* taken(const TaskRecord& record) {
  for (auto attempt = record.attempts.rbegin(); attempt != record.attempts.rend(); ++attempt)
    if (attempt->outcome == "finished") return &*attempt;
  return record.last();
}

std::string wave_text(const Ledger& ledger, const Wave& wave) {
  std::string text = "# Wave " + std::to_string(wave.number) + "\n\n";
  text += "Run: " + wave.run + "\nBase: " + wave.base + "\n";
  text += wave.commit.empty() ? "Nothing changed.\n" : "Commit: " + wave.commit + "\n";
  if (!wave.transition.empty()) text += "Transition: " + wave.transition + "\n";
  for (const std::string& name : wave.tasks) {
    const Attempt* attempt = taken(ledger.task(name));
    text += "\n## " + name + "\n\n";
    if (attempt == nullptr) continue;
    text += "Attempt: " + attempt->id + "\nCommit: " + attempt->commit + "\n";
    for (const std::string& path : attempt->paths) text += "- " + path + "\n";
    for (const std::string& remark : attempt->remarks) text += "\nRemark: " + remark + ".\n";
  }
  if (!wave.dropped.empty()) text += "\n## Not in it\n\n";
  for (const std::string& name : wave.dropped) text += "- " + name + "\n";
  if (!wave.auto_merged.empty()) text += "\n## Merged by git\n\n";
  for (const AutoMerge& merge : wave.auto_merged) {
    text += "- " + merge.path;
    for (const Side& side : merge.sides) text += "; " + side.who + ": " + lines_of(side);
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<Attachment> wave_files(const Plan& plan, const Ledger& ledger, const Wave& wave) {
  const std::string folder = folder_of(wave);
  std::string findings, summary;
  for (const std::string& name : wave.tasks) {
    const Attempt* attempt = taken(ledger.task(name));
    if (attempt == nullptr) continue;
    findings += findings_lines(attempt->findings);
    const std::string text = findings_text(attempt->findings);
    summary += "## " + name + "\n\n" + (text.empty() ? "Done, without remarks.\n" : text) + "\n";
  }
  std::vector<Attachment> files;
  files.push_back({folder + "wave.md", wave_text(ledger, wave)});
  files.push_back({folder + "findings.jsonl", std::move(findings)});
  files.push_back({folder + "summary.md", std::move(summary)});
  if (plan.orchestration && !plan.orchestration->verify.empty() && !wave.commit.empty()) {
    const nlohmann::json verify = {{"commands", plan.orchestration->verify},
                                   {"commit", wave.commit},
                                   {"passed", wave.verified},
                                   {"accepted", wave.accepted},
                                   {"failed_command", wave.failed_command}};
    files.push_back({folder + "verify.json",
                     verify.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"});
  }
  return files;
}

}  // namespace gitplan
