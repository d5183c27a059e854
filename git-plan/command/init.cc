// git plan init: hooks, what is fetched, what is not shown, in one step; and --undo.
//
// On disk: the user's own configuration of this repository, and <common>/git-plan/init, which says
// what of it we added: a line "<key>\t<value>" each, and "hooks". Only that is taken back.
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "git-plan/command/context.h"
#include "git-plan/command/run_hook.h"
#include "git-plan/command/table.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/words.h"
#include "hooks/install.h"
#include "hooks/watch_build.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"
#include "refs/sync/remote.h"

namespace gitplan {
namespace {

constexpr std::string_view kHooksLine = "hooks";

// One thing that is set up, and how it went.
struct Piece {
  std::string what;  // "fetch origin"
  std::string done;  // "added", "there already", "removed", "left"
  std::string more;
};

class Setup {
 public:
  Setup(Context& context, Repository& repository, const Settings& settings)
      : context_(context),
        repository_(repository),
        settings_(settings),
        file_(repository.local_dir() + "/init") {
    const std::string text = read_small_file(file_).value_or("");
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      if (end > start) ours_.push_back(text.substr(start, end - start));
      start = end + 1;
    }
  }

  Status make() {
    GITPLAN_TRY(hooks());
    GITPLAN_TRY_ASSIGN(const std::string remotes, repository_.git().read({"remote"}));
    for (std::size_t start = 0; start < remotes.size();) {
      const std::size_t end = std::min(remotes.find('\n', start), remotes.size());
      const std::string name = remotes.substr(start, end - start);
      GITPLAN_TRY_ASSIGN(const Remote remote, remote_of(repository_, settings_, name));
      GITPLAN_TRY(add("fetch " + name, "remote." + name + ".fetch",
                      "+" + remote.plans + "*:" + remote.seen_plans() + "*"));
      start = end + 1;
    }
    if (remotes.empty()) pieces_.push_back({"fetch", "left", "there is no remote yet"});
    for (const char* refs :
         {"refs/plans/*", "refs/plan-keep/*", "refs/plan-remotes/*", "refs/plan-keep-remotes/*"})
      GITPLAN_TRY(add("decorations", "log.excludeDecoration", refs));
    return remember();
  }

  Status undo() {
    const std::vector<std::string> ours = std::move(ours_);
    ours_.clear();
    for (const std::string& line : ours) {
      if (line == kHooksLine) {
        GITPLAN_TRY(no_hooks());
        continue;
      }
      const std::size_t tab = line.find('\t');
      if (tab == std::string::npos) continue;
      GITPLAN_TRY(remove(line.substr(0, tab), line.substr(tab + 1)));
    }
    return remember();
  }

  const std::vector<Piece>& pieces() const { return pieces_; }
  const std::vector<std::string>& hints() const { return hints_; }
  bool all_well() const { return all_well_; }

 private:
  void remember_line(std::string line) {
    if (std::ranges::find(ours_, line) == ours_.end()) ours_.push_back(std::move(line));
  }

  Status remember() {
    std::string text;
    for (const std::string& line : ours_) text += line + "\n";
    if (text.empty()) {
      ::unlink(file_.c_str());
      return {};
    }
    return replace_file(file_, text, true);
  }

  Status hooks() {
    const Result<HooksPlace> place = hooks_place(repository_);
    InstallOptions options;
    options.program = hook_program(context_);
    const Result<std::vector<HookResult>> results =
        place.ok() ? install_hooks(*place, options)
                   : Result<std::vector<HookResult>>(place.error());
    if (!results.ok()) {  // the rest is worth having all the same
      all_well_ = false;
      pieces_.push_back({"hooks", "left", results.error().message});
      if (!results.error().hint.empty()) hints_.push_back(results.error().hint);
      return {};
    }
    prepare_watch(repository_);
    std::vector<std::string> made, left;
    for (const HookResult& result : *results) {
      if (result.change == HookChange::kLeft) {
        left.push_back(result.hook + " " + result.why);
        if (std::ranges::find(hints_, result.fix) == hints_.end()) hints_.push_back(result.fix);
      }
      if (result.change == HookChange::kInstalled || result.change == HookChange::kRenewed)
        made.push_back(result.hook);
    }
    if (!made.empty()) {
      remember_line(std::string(kHooksLine));
      pieces_.push_back({"hooks", "added", joined(made)});
    }
    for (std::string& words : left) pieces_.push_back({"hooks", "left", std::move(words)});
    all_well_ = all_well_ && left.empty();
    if (made.empty() && left.empty()) pieces_.push_back({"hooks", "there already", ""});
    return {};
  }

  Status no_hooks() {
    GITPLAN_TRY_ASSIGN(const HooksPlace place, hooks_place(repository_));
    GITPLAN_TRY_ASSIGN(const std::vector<HookResult> results, uninstall_hooks(place));
    remove_watch(repository_);
    std::vector<std::string> gone;
    for (const HookResult& result : results) {
      if (result.change != HookChange::kLeft) {
        gone.push_back(result.hook);
        continue;
      }
      all_well_ = false;
      remember_line(std::string(kHooksLine));
      pieces_.push_back({"hooks", "left", result.hook + " " + result.why});
    }
    if (!gone.empty()) pieces_.push_back({"hooks", "removed", joined(gone)});
    return {};
  }

  Status add(std::string what, const std::string& key, const std::string& value) {
    GITPLAN_TRY_ASSIGN(const Outcome there, config({"--get-all", "--fixed-value", key, value}));
    if (there.ok()) {
      pieces_.push_back({std::move(what), "there already", value});
      return {};
    }
    GITPLAN_TRY(repository_.git().check({"config", "--local", "--add", key, value}));
    remember_line(key + "\t" + value);
    pieces_.push_back({std::move(what), "added", value});
    return {};
  }

  Status remove(const std::string& key, const std::string& value) {
    GITPLAN_TRY_ASSIGN(const Outcome there, config({"--get-all", "--fixed-value", key, value}));
    if (!there.ok()) return {};  // somebody was faster
    GITPLAN_TRY(
        repository_.git().check({"config", "--local", "--unset-all", "--fixed-value", key, value}));
    pieces_.push_back({key, "removed", value});
    return {};
  }

  Result<Outcome> config(std::vector<std::string> words) const {
    words.insert(words.begin(), {"config", "--local"});
    return repository_.git().call({.args = std::move(words)});
  }

  Context& context_;
  Repository& repository_;
  const Settings& settings_;
  std::string file_;
  std::vector<std::string> ours_, hints_;
  std::vector<Piece> pieces_;
  bool all_well_ = true;
};

Result<int> init(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const bool undo = arguments.has("--undo");
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  Setup setup(context, *repository, *settings);
  GITPLAN_TRY(undo ? setup.undo() : setup.make());
  Output& out = context.out();
  if (context.json()) {
    auto pieces = nlohmann::ordered_json::array();
    for (const Piece& piece : setup.pieces())
      pieces.push_back({{"what", piece.what}, {"done", piece.done}, {"more", piece.more}});
    out.line(json_text({{"schema", 1}, {"pieces", std::move(pieces)}}));
  } else {
    for (const Piece& piece : setup.pieces())
      out.line(piece.what + ": " + piece.done +
               (piece.more.empty() ? "" : ": " + printable(piece.more)));
    for (const std::string& hint : setup.hints()) out.note("hint: " + printable(hint));
    if (undo && setup.pieces().empty()) out.note("Nothing of 'git plan init' is here.");
    if (!undo) out.note("'git plan init --undo' takes back what was added.");
  }
  return setup.all_well() ? 0 : exit_status(ErrorCode::kFailed);
}

}  // namespace

const CommandInfo kInitCommand{
    .name = "init",
    .summary = "Set up hooks, what is fetched and what logs do not show",
    .usage = "git plan init [--undo] [--json]",
    .group = Group::kSetup,
    .inside_task = false,
    .json = true,
    .options = {{.name = "--undo", .help = "take back what 'git plan init' added"}},
    .run = init,
};

}  // namespace gitplan
