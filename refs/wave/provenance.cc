#include "refs/wave/provenance.h"

#include <algorithm>

#include "refs/fork/tree_making.h"
#include "refs/wave/line_diff.h"
#include "refs/wave/objects.h"
#include "refs/wave/trailer_settings.h"

namespace gitplan {
namespace {

constexpr std::string_view kUser = "user";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> result;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    if (end > start) result.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return result;
}

// Without their ends.
std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    result.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return result;
}

// For each line of the text after a step: the line before it came from (1-based), 0: it is new. A
// line behind which something was removed is negative.
struct Origin {
  int line = 0;
  bool removal = false;
};

std::vector<Origin> origins(std::string_view before, std::string_view after) {
  std::vector<Origin> result(static_cast<std::size_t>(count_lines(after)));
  const std::vector<Hunk> hunks = diff_lines(before, after);
  int old_line = 1, new_line = 1;
  const auto copy_until = [&](int end) {
    for (; new_line < end && new_line <= static_cast<int>(result.size()); ++new_line)
      result[static_cast<std::size_t>(new_line - 1)].line = old_line++;
  };
  for (const Hunk& hunk : hunks) {
    copy_until(hunk.new_count == 0 ? hunk.new_first + 1 : hunk.new_first);
    old_line = hunk.old_count == 0 ? hunk.old_first + 1 : hunk.old_first + hunk.old_count;
    new_line += hunk.new_count;
    const int at = std::max(hunk.new_first, 1);
    if (hunk.new_count == 0 && at <= static_cast<int>(result.size()))
      result[static_cast<std::size_t>(at - 1)].removal = true;
  }
  copy_until(static_cast<int>(result.size()) + 1);
  return result;
}

bool within(int line, const std::vector<LineRange>& ranges) {
  return ranges.empty() || std::any_of(ranges.begin(), ranges.end(), [line](const LineRange& r) {
           return r.first <= line && line <= r.last;
         });
}

}  // namespace

std::map<std::string, std::string> renames_between(const Repository& repository,
                                                   const std::string& before,
                                                   const std::string& after) {
  std::map<std::string, std::string> result;
  const auto output = repository.git().read(
      {"diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", before, after});
  if (!output) return result;
  const std::vector<std::string> words = split_nul(*output);
  for (std::size_t i = 0; i + 2 < words.size(); i += 3) result[words[i + 2]] = words[i + 1];
  return result;
}

Status Provenance::add_commits(const std::string& from, const std::string& to) {
  if (from == to) return {};
  std::vector<std::string> words = trailer_settings();
  words.insert(words.end(),
               {"log", "--first-parent", "--reverse", "--no-show-signature", "--no-color",
                "--format=%x01%T%x02%(trailers:key=Wave,valueonly,separator=%x03)%x02"
                "%(trailers:key=Task,valueonly,separator=%x03)%x02",
                to, "--not", from});
  GITPLAN_TRY_ASSIGN(const std::string log, repository_.git().read(words));
  for (const std::string& record : split(log, '\x01')) {
    std::vector<std::string> fields;
    for (std::size_t start = 0; start < record.size();) {
      const std::size_t end = record.find('\x02', start);
      if (end == std::string::npos) break;
      fields.push_back(record.substr(start, end - start));
      start = end + 1;
    }
    if (fields.size() < 3) continue;
    Step step;
    step.tree = fields[0];
    if (!fields[1].empty()) step.tasks = split(fields[2], '\x03');
    add(std::move(step));
  }
  return {};
}

std::optional<std::string> Provenance::name_before(std::size_t step,
                                                   const std::string& path) const {
  auto known = renames_.find(step);
  if (known == renames_.end())
    known =
        renames_.emplace(step, renames_between(repository_, tree_before(step), steps_[step].tree))
            .first;
  const auto found = known->second.find(path);
  if (found == known->second.end()) return std::nullopt;
  return found->second;
}

std::vector<int> Provenance::owners(const std::string& path) const {
  auto entry = entry_at(repository_, last_tree(), path);
  auto text = entry ? blob_text(repository_, entry->id) : std::nullopt;
  if (!text || looks_binary(*text)) return {};
  const std::size_t lines = static_cast<std::size_t>(count_lines(*text));
  std::vector<int> owner(lines, -1), removal(lines, -1), position(lines);
  for (std::size_t i = 0; i < lines; ++i) position[i] = static_cast<int>(i) + 1;

  std::string name = path;
  for (std::size_t step = steps_.size(); step-- > 0;) {
    std::string older_name = name;
    auto older = entry_at(repository_, tree_before(step), name);
    if (older && *older == *entry) continue;
    if (!older) {
      if (const auto renamed = name_before(step, name)) {
        older_name = *renamed;
        older = entry_at(repository_, tree_before(step), older_name);
      }
    }
    const std::string before =
        older ? blob_text(repository_, older->id).value_or("") : std::string();
    const std::vector<Origin> origin = origins(before, *text);
    for (std::size_t i = 0; i < lines; ++i) {
      if (owner[i] >= 0 || position[i] == 0) continue;
      const Origin& from = origin[static_cast<std::size_t>(position[i] - 1)];
      if (from.removal && removal[i] < 0) removal[i] = static_cast<int>(step);
      if (from.line == 0) owner[i] = static_cast<int>(step);
      position[i] = from.line;
    }
    if (!older) break;
    name = older_name;
    entry = older;
    text = before;
  }
  for (std::size_t i = 0; i < lines; ++i)
    if (owner[i] < 0) owner[i] = removal[i];
  return owner;
}

const std::set<std::string>& Provenance::lines_of(const std::string& task,
                                                  const std::string& path) const {
  const auto [entry, fresh] = lines_.try_emplace(task + '\n' + path);
  if (!fresh) return entry->second;
  const TaskWork& work = done_->at(task);
  const auto text_at = [&](const std::string& commit) -> std::string {
    const auto tree = tree_of_commit(repository_, commit);
    const auto found = tree ? entry_at(repository_, *tree, path) : std::nullopt;
    return found ? blob_text(repository_, found->id).value_or("") : std::string();
  };
  const std::string after = text_at(work.commit);
  const std::vector<Origin> origin = origins(text_at(work.base), after);
  const std::vector<std::string> lines = lines_in(after);
  for (std::size_t i = 0; i < std::min(origin.size(), lines.size()); ++i)
    if (origin[i].line == 0) entry->second.insert(lines[i]);
  return entry->second;
}

std::vector<std::string> Provenance::names_of(const Step& step, const std::string& path,
                                              std::string_view line) const {
  if (step.tasks.empty()) return {std::string(kUser)};
  if (done_ == nullptr || step.tasks.size() == 1) return step.tasks;
  std::vector<std::string> touching, writing;
  for (const std::string& task : step.tasks) {
    const auto known = done_->find(task);
    if (known == done_->end()) continue;
    const auto& paths = known->second.paths;
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) continue;
    touching.push_back(task);
    if (!line.empty() && lines_of(task, path).contains(std::string(line))) writing.push_back(task);
  }
  if (!writing.empty()) return writing;
  return touching.empty() ? step.tasks : touching;
}

std::vector<Side> Provenance::sides(const std::string& path,
                                    const std::vector<LineRange>& lines) const {
  std::map<std::string, std::vector<LineRange>> found;
  std::vector<std::string> order;
  const std::vector<int> owner = owners(path);
  const auto entry = entry_at(repository_, last_tree(), path);
  const std::vector<std::string> text =
      lines_in(entry ? blob_text(repository_, entry->id).value_or("") : std::string());
  for (std::size_t i = 0; i < owner.size(); ++i) {
    const int line = static_cast<int>(i) + 1;
    if (owner[i] < 0 || !within(line, lines)) continue;
    const Step& step = steps_[static_cast<std::size_t>(owner[i])];
    for (const std::string& who : names_of(step, path, i < text.size() ? text[i] : ""))
      found[who].push_back({line, line});
  }
  // In the order in which they were merged.
  for (const Step& step : steps_) {
    for (const std::string& who :
         step.tasks.empty() ? std::vector<std::string>{std::string(kUser)} : step.tasks)
      if (found.contains(who) && std::find(order.begin(), order.end(), who) == order.end())
        order.push_back(who);
  }
  std::vector<Side> result;
  for (const std::string& who : order) result.push_back({who, joined(found[who])});
  return result;
}

std::vector<std::string> Provenance::who_changed(const std::vector<std::string>& paths) const {
  std::vector<std::string> result;
  for (std::size_t step = 0; step < steps_.size(); ++step)
    for (const std::string& path : paths) {
      if (entry_at(repository_, tree_before(step), path) ==
          entry_at(repository_, steps_[step].tree, path))
        continue;
      for (std::string& who : names_of(steps_[step], path))
        if (std::find(result.begin(), result.end(), who) == result.end())
          result.push_back(std::move(who));
    }
  return result;
}

}  // namespace gitplan
