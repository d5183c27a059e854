#include "git-plan/executor/evidence.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/plan/references.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

constexpr int kTransient = 75;             // EX_TEMPFAIL
constexpr std::size_t kNamed = 5;          // paths in one sentence
constexpr std::size_t kLooked = 1u << 20;  // files, for a pattern

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
    text += (i > 0 ? ", '" : "'") + names[i] + "'";
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text;
}

// The program that a shell command starts first, past assignments.
std::string first_word(std::string_view command) {
  for (std::size_t at = 0; at < command.size();) {
    at = command.find_first_not_of(" \t\n", at);
    if (at == std::string_view::npos) break;
    const std::size_t end = std::min(command.find_first_of(" \t\n;|&<>()", at), command.size());
    const std::string_view word = command.substr(at, end - at);
    if (word.empty()) break;
    if (word.find('=') == std::string_view::npos || word.front() == '=') return std::string(word);
    at = end;
  }
  return {};
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (::access((std::string(rest.substr(0, end)) + "/" + program).c_str(), X_OK) == 0)
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::string not_runnable(const Left& left) {
  const std::string program = first_word(left.command);
  const bool plain = program.find_first_of("/\"'$`{}\\") == std::string::npos;
  const bool found = program.empty() || !plain || on_path(program);
  std::string text = left.exit_code == 126
                         ? (found ? "a program that its command starts cannot be run"
                                  : "'" + program + "' cannot be run")
                         : (found ? "a program that its command starts was not found"
                                  : "'" + program + "' was not found");
  text += " (status " + std::to_string(left.exit_code) + ")";
  if (left.agent != "run") text += "; see plan.agent." + left.agent + ".command";
  return text;
}

void fail(AttemptEnded& ended, std::string failure, std::string error) {
  ended.outcome = "failed";
  ended.failure = std::move(failure);
  ended.error = std::move(error);
}

bool says_done(const Left& left) {
  return left.exit_code == 0 && left.report.failure.empty() &&
         (!left.end_event || left.report.ended);
}

// Never in the agent's words: they may hold anything, and what is said here is stored.
std::string told(const Left& left) {
  const std::string agent = "its agent '" + left.agent + "' ";
  switch (left.failure.failure) {
    case FailureClass::kRateLimit: return agent + "met a rate limit";
    case FailureClass::kQuota: return agent + "has used up its quota";
    case FailureClass::kOverload: return agent + "met an overloaded service";
    case FailureClass::kNetwork: return agent + "could not reach its service";
    case FailureClass::kAuth: return agent + "is not signed in; start it once by hand";
    case FailureClass::kConfig: return agent + "is not set up; start it once by hand";
    case FailureClass::kTask: break;
  }
  return agent + "failed";
}

// How the process ended; false: that decides it.
bool ended_well(const Left& left, AttemptEnded& ended) {
  if (left.lost) {
    ended.outcome = "lost";
    ended.error = "its process was lost";
  } else if (left.stopped_by == "wall") {
    fail(ended, "task", "its time was up");
  } else if (left.stopped_by == "idle") {
    fail(ended, "idle", "it wrote nothing and used no processor time for too long");
  } else if (!left.stopped_by.empty()) {
    ended.outcome = "cancelled";
  } else if (!left.error.empty()) {
    fail(ended, "config", left.error);
  } else if (left.exit_code == kTransient && left.failure.line.empty()) {
    fail(ended, "network", "it asked to be tried again later (status 75)");
  } else if (left.exit_code == 126 || left.exit_code == 127) {
    fail(ended, "config", not_runnable(left));
  } else if (!says_done(left) && left.failure.failure != FailureClass::kTask) {
    fail(ended, std::string(name(left.failure.failure)), told(left));
  } else if (left.exit_code > 128) {
    fail(ended, "task", "its command was ended by signal " + std::to_string(left.exit_code - 128));
  } else if (left.exit_code != 0) {
    fail(ended, "task", "its command ended with status " + std::to_string(left.exit_code));
  } else if (!left.report.failure.empty()) {
    fail(ended, "task", "its agent says itself that it failed");
  } else if (!says_done(left)) {
    fail(ended, "task", "its agent ended with status 0, but without saying that it was done");
  } else {
    return true;
  }
  return false;
}

std::vector<std::string> outside_scope(const Task& task, const std::vector<std::string>& paths) {
  std::vector<std::string> outside;
  if (task.files.empty()) return outside;
  for (const std::string& path : paths)
    if (std::none_of(task.files.begin(), task.files.end(),
                     [&](const std::string& spec) { return pathspec_matches(spec, path); }))
      outside.push_back(path);
  return outside;
}

std::string missing_change(const Task& task, const Left& left) {
  if (left.work.changed || !task.run.empty() || task.allow_no_change) return {};
  const bool declared =
      std::any_of(left.findings.begin(), left.findings.end(),
                  [](const Finding& finding) { return finding.status == "no_change"; });
  std::vector<std::string> instead;
  for (const std::string& path : left.strayed)
    if (std::any_of(task.files.begin(), task.files.end(),
                    [&](const std::string& spec) { return pathspec_matches(spec, path); }))
      instead.push_back(path);
  if (!instead.empty())
    return "it changed nothing in its own tree, but " + listed(instead) +
           " in your checkout changed";
  return declared ? "" : "it changed nothing";
}

std::vector<std::string> missing_evidence(const Task& task, const Left& left, const Proof& proof,
                                          AttemptEnded& ended) {
  std::vector<std::string> missing;
  const auto add = [&missing](std::string text) {
    if (!text.empty()) missing.push_back(std::move(text));
  };
  for (const std::string& text : left.work.missing) add(text);
  if (!left.work.planted.empty())
    add("its commits hold ignored files of yours: " + listed(left.work.planted));
  for (const std::string& remark : left.work.remarks)
    if (remark.starts_with("left conflicts") ||
        (remark.starts_with("left a ") && remark.find("half done") != std::string::npos))
      add("it " + remark);
  add(missing_change(task, left));
  for (const Finding& finding : left.findings)
    if (finding.reading != "rejected" &&
        (finding.status == "failed" || finding.status == "partial"))
      add("it says itself that '" + finding.item_id + "' " +
          (finding.status == "failed" ? "failed" : "is done in part only"));
  std::vector<std::string> absent;
  for (const std::string& path : task.expects)
    if (left.tree.empty() || !exists_in_tree(left.tree, path)) absent.push_back(path);
  if (!absent.empty())
    add(listed(absent) +
        (absent.size() == 1 ? ", which it should leave, is" : ", which it should leave, are") +
        " not there");
  if (const auto outside = outside_scope(task, left.work.paths); !outside.empty()) {
    const std::string text = "changed files outside its scope: " + listed(outside);
    if (proof.enforce_scope)
      add("it " + text);
    else
      ended.remarks.push_back(text);
  }
  for (const std::string& check : task.checks) {
    if (!missing.empty() && left.tree.empty()) break;
    add(proof.run_check(check));
  }
  return missing;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

}  // namespace

AttemptEnded judge(const Task& task, const Left& left, const Proof& proof) {
  AttemptEnded ended;
  ended.task = task.name;
  ended.exit_code = left.exit_code;
  ended.commit = left.work.commit;
  ended.paths = left.work.paths;
  ended.remarks = left.work.remarks;
  ended.findings = left.findings;
  if (left.hung) ended.remarks.push_back("hung after its last word, and was ended");
  if (!left.strayed.empty())
    ended.remarks.push_back("files in your checkout changed while it ran: " + listed(left.strayed));
  if (!ended_well(left, ended)) return ended;
  const auto missing = missing_evidence(task, left, proof, ended);
  if (!missing.empty()) {
    fail(ended, "evidence", joined(missing));
    return ended;
  }
  ended.outcome = "finished";
  if (ended.findings.empty()) {
    Finding made;
    made.item_id = task.name;
    made.status = left.work.changed ? "completed" : "no_change";
    made.produced = left.work.paths;
    ended.findings.push_back(std::move(made));
  }
  return ended;
}

bool exists_in_tree(const std::string& tree, std::string_view pattern) {
  std::string literal(pattern);
  while (literal.ends_with('/')) literal.pop_back();
  if (exists(tree + "/" + literal)) return true;
  if (pattern.find_first_of("*?[") == std::string_view::npos) return false;
  std::error_code code;
  std::size_t looked = 0;
  fs::recursive_directory_iterator entry(tree, code), end;
  while (!code && entry != end && ++looked < kLooked) {
    const std::string path = entry->path().string().substr(tree.size() + 1);
    if (path == ".git" || path == ".git-plan")
      entry.disable_recursion_pending();
    else if (pathspec_matches(pattern, path))
      return true;
    entry.increment(code);
  }
  return false;
}

}  // namespace gitplan
