#include "refs/wave/origin.h"

#include <charconv>
#include <map>

#include "refs/wave/trailer_settings.h"

namespace gitplan {
namespace {

template <typename Number>
Number number(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<std::string> pieces(std::string_view text, char separator) {
  std::vector<std::string> result;
  for (;;) {
    const std::size_t end = text.find(separator);
    result.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + 1);
  }
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view result = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return result;
}

bool is_zero(std::string_view id) { return id.find_first_not_of('0') == std::string_view::npos; }

}  // namespace

Result<CommitOrigin> origin_of(const Repository& repository, const std::string& commit) {
  std::vector<std::string> words = trailer_settings();
  const auto trailer = [](std::string_view key) {
    return "%x00%(trailers:key=" + std::string(key) + ",valueonly,unfold,separator=%x0a)";
  };
  words.insert(words.end(), {"log", "-1", "--no-show-signature", "--no-color",
                             "--format=%H%x00%an%x00%at%x00%s" + trailer("Plan") +
                                 trailer("Plan-Run") + trailer("Wave") + trailer("Task"),
                             "--end-of-options", commit});
  GITPLAN_TRY_ASSIGN(const std::string told, repository.git().read(words));
  const std::vector<std::string> fields = pieces(told, '\0');
  if (fields.size() < 8) return failed("git log does not tell about commit " + commit);
  CommitOrigin origin;
  origin.commit = fields[0];
  origin.author = fields[1];
  origin.when = number<Millis>(fields[2]) * 1000;
  origin.subject = fields[3];
  if (fields[4].empty() || fields[6].empty()) return origin;
  origin.plan = pieces(fields[4], '\n').back();
  origin.run = pieces(fields[5], '\n').back();
  origin.wave = number<int>(pieces(fields[6], '\n').back());
  for (std::string& task : pieces(fields[7], '\n'))
    if (!task.empty()) origin.tasks.push_back(std::move(task));
  return origin;
}

Result<std::vector<BlamedLines>> blamed_lines(const Repository& repository, const std::string& path,
                                              const LineRange& lines) {
  std::vector<std::string> words{"--literal-pathspecs", "blame", "--porcelain", "-M"};
  if (lines.first > 0)
    words.push_back("-L" + std::to_string(lines.first) + "," + std::to_string(lines.last));
  if (repository.bare()) words.emplace_back("HEAD");
  words.insert(words.end(), {"--", path});
  GITPLAN_TRY_ASSIGN(const std::string told, repository.git().read(words));
  std::vector<BlamedLines> result;
  std::map<std::string, std::string, std::less<>> names;  // by commit: the file's there
  std::string_view rest = told;
  while (!rest.empty()) {
    const std::vector<std::string> head = pieces(take_line(rest), ' ');  // "<id> <there> <now> …"
    if (head.size() < 3) continue;
    std::string& name = names[head[0]];
    std::string_view line;
    while (!rest.empty() && !(line = take_line(rest)).starts_with('\t'))
      if (line.starts_with("filename ")) name = line.substr(9);
    const int now = number<int>(head[2]);
    const std::string commit = is_zero(head[0]) ? std::string() : head[0];
    if (!result.empty() && result.back().commit == commit && result.back().lines.last + 1 == now)
      result.back().lines.last = now;
    else
      result.push_back({commit, name, {now, now}, std::string(line.substr(1))});
  }
  return result;
}

bool adds_line(const Repository& repository, const std::string& base, const std::string& commit,
               const std::string& path, std::string_view text) {
  const auto diff =
      repository.git().read({"--literal-pathspecs", "diff-tree", "-r", "-p", "-U0", "--no-renames",
                             "--no-ext-diff", "--no-color", base, commit, "--", path});
  if (!diff.ok()) return false;
  std::string_view rest = *diff;
  while (!rest.empty())
    if (const std::string_view line = take_line(rest);
        line.starts_with('+') && line.substr(1) == text)
      return true;
  return false;
}

}  // namespace gitplan
