// git plan blame: the plan behind a commit, a file or a line.
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "git-plan/blame/origin_story.h"
#include "git-plan/command/table.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/story_view.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

struct Spot {
  std::string path;  // from the top of the work tree
  LineRange lines;   // 0 to 0: all
};

// "a/b.c:12-40" -> "a/b.c" and the lines; without such an end the whole word, and no lines.
Spot split_spot(const std::string& word) {
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos) return {word, {}};
  LineRange lines;
  const char* const end = word.data() + word.size();
  auto read = std::from_chars(word.data() + colon + 1, end, lines.first);
  lines.last = lines.first;
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-')
    read = std::from_chars(read.ptr + 1, end, lines.last);
  const bool good =
      read.ec == std::errc() && read.ptr == end && lines.first > 0 && lines.last >= lines.first;
  return good ? Spot{word.substr(0, colon), lines} : Spot{word, {}};
}

// A path is meant from where the user stands; nothing: there is no such file.
std::optional<Spot> find_spot(const Repository& repository, const std::string& word) {
  namespace fs = std::filesystem;
  const auto there = [&](Spot spot) -> std::optional<Spot> {
    spot.path = (fs::path(repository.prefix()) / spot.path).lexically_normal().string();
    if (spot.path.starts_with("..")) return std::nullopt;
    const auto head = repository.head_commit();
    std::error_code code;
    const bool in_head = head.ok() && *head && repository.path_at(**head, spot.path);
    if (in_head ||
        (!repository.bare() && fs::exists(fs::path(repository.work_tree()) / spot.path, code)))
      return spot;
    return std::nullopt;
  };
  if (auto whole = there({word, {}})) return whole;  // a name may end in ":12"
  const Spot spot = split_spot(word);
  return spot.lines.first > 0 ? there(spot) : std::nullopt;
}

Result<std::optional<std::string>> commit_of(const Repository& repository,
                                             const std::string& word) {
  const auto found = repository.git().read(
      {"rev-parse", "--verify", "-q", "--end-of-options", word + "^{commit}"});
  return found.ok() ? std::optional(*found) : std::nullopt;
}

// One that several pieces of a file came with.
struct Share {
  std::string commit;
  std::vector<LineRange> ranges;
  int lines = 0;
};

std::vector<Share> shares_of(const std::vector<BlamedLines>& blamed) {
  std::vector<Share> shares;
  for (const BlamedLines& piece : blamed) {
    auto share = std::ranges::find_if(
        shares, [&piece](const Share& one) { return one.commit == piece.commit; });
    if (share == shares.end()) share = shares.insert(shares.end(), {piece.commit, {}, 0});
    share->ranges.push_back(piece.lines);
    share->lines += piece.lines.last - piece.lines.first + 1;
  }
  return shares;
}

Json spot_json(const std::string& path, const std::vector<LineRange>& ranges, Json story) {
  Json lines = Json::array();
  for (const LineRange& range : ranges)
    lines.push_back({{"first", range.first}, {"last", range.last}});
  Json document = {{"path", path}, {"lines", std::move(lines)}};
  document.update(story);
  return document;
}

Json uncommitted() {
  return {{"commit", nullptr},
          {"plan", nullptr},
          {"tasks", Json::array()},
          {"decisions", Json::array()}};
}

void print_document(Context& context, Json origins) {
  context.out().line(json_text({{"schema", 1}, {"origins", std::move(origins)}}));
}

Result<int> blame_commit(Context& context, const std::string& commit) {
  Stories stories(context);
  GITPLAN_TRY_ASSIGN(const Story story, stories.of(commit));
  if (context.json())
    print_document(context, Json::array({story_json(story)}));
  else
    context.out().print(story_text(context.out(), story, context.now()));
  return 0;
}

// Each commit that the lines came with, in full.
Result<int> blame_lines(Context& context, const Spot& spot,
                        const std::vector<BlamedLines>& blamed) {
  Output& out = context.out();
  Stories stories(context);
  Json origins = Json::array();
  for (const BlamedLines& piece : blamed) {
    if (!context.json())
      out.line(out.styled(Style::kBold, printable(spot.path) + ":" + ranges_text({piece.lines})));
    if (piece.commit.empty()) {
      if (context.json())
        origins.push_back(spot_json(spot.path, {piece.lines}, uncommitted()));
      else
        out.line("  not committed yet");
      continue;
    }
    GITPLAN_TRY_ASSIGN(const Story story,
                       stories.of(piece.commit, Stories::Line{piece.path, piece.text}));
    if (context.json())
      origins.push_back(spot_json(spot.path, {piece.lines}, story_json(story)));
    else
      out.print(story_text(out, story, context.now()));
  }
  if (context.json()) print_document(context, std::move(origins));
  return 0;
}

// A row for each commit that lines of the file came with.
Result<int> blame_file(Context& context, const Spot& spot, const std::vector<BlamedLines>& blamed) {
  Stories stories(context);
  Json origins = Json::array();
  Table table({"lines", "commit", "plan", "wave", "task", "agent"});
  int others = 0;
  for (const Share& share : shares_of(blamed)) {
    if (share.commit.empty()) {
      if (context.json()) origins.push_back(spot_json(spot.path, share.ranges, uncommitted()));
      others += share.lines;
      continue;
    }
    const auto piece = std::ranges::find_if(
        blamed, [&share](const BlamedLines& one) { return one.commit == share.commit; });
    GITPLAN_TRY_ASSIGN(const Story story, stories.of(share.commit, Stories::Line{piece->path, ""}));
    if (context.json()) origins.push_back(spot_json(spot.path, share.ranges, story_json(story)));
    if (story.origin.plan.empty()) {
      others += share.lines;
      continue;
    }
    std::vector<std::string> tasks, agents;
    for (const TaskStory& task : story.tasks) {
      tasks.push_back(task.name);
      if (task.attempt != nullptr && std::ranges::count(agents, task.attempt->agent) == 0)
        agents.push_back(task.attempt->agent);
    }
    if (story.plan == nullptr) tasks = story.origin.tasks;
    table.row({{ranges_text(share.ranges)},
               {short_id(share.commit), Style::kAccent},
               {story.origin.plan},
               {story.origin.wave > 0 ? std::to_string(story.origin.wave) : ""},
               {joined(tasks), Style::kBold},
               {joined(agents)}});
  }
  if (context.json()) {
    print_document(context, std::move(origins));
    return 0;
  }
  Output& out = context.out();
  out.print(table.render(out, 0));
  if (blamed.empty()) out.note("The file is empty.");
  if (others > 0)
    out.note(counted(static_cast<std::size_t>(others), "line") + (others == 1 ? " is" : " are") +
             " no plan's work.");
  return 0;
}

Result<int> blame(Context& context, const Arguments& arguments) {
  const std::string word = *arguments.positional(0);
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const std::optional<Spot> spot = find_spot(*repository, word);
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> commit, commit_of(*repository, word));
  if (spot && commit)
    return error(ErrorCode::kAmbiguous, "'" + word + "' is both a commit and a file",
                 "'./" + word + "' is the file, '" + word + "^0' the commit");
  if (commit) return blame_commit(context, *commit);
  if (!spot)
    return error(ErrorCode::kNotFound, "'" + word + "' is no commit and no file here",
                 "git plan blame <commit>, <path> or <path>:<line>");
  GITPLAN_TRY_ASSIGN(const std::vector<BlamedLines> blamed,
                     blamed_lines(*repository, spot->path, spot->lines));
  return spot->lines.first > 0 ? blame_lines(context, *spot, blamed)
                               : blame_file(context, *spot, blamed);
}

}  // namespace

const CommandInfo kBlameCommand{
    .name = "blame",
    .summary = "Say which plan, task and decision is behind a commit, a file or a line",
    .usage = "git plan blame (<commit> | <path>[:<line>[-<line>]]) [--json]",
    .group = Group::kGit,
    .json = true,
    .positionals = {{.name = "<what>", .completes = Completes::kFile}},
    .run = blame,
};

}  // namespace gitplan
