#include "hooks/quick/watch.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "hooks/quick/git_state.h"

namespace gitplan {
namespace {

constexpr std::string_view kMagic = "git-plan watch 1";
// A file that changed so shortly before the watch was written may have changed once more without
// another time.
constexpr std::int64_t kRacy = 20'000'000;

std::int64_t changed(const struct stat& info) {
  return std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

Stamp stamp_of(const std::string& common_dir, std::string name, bool folder = false) {
  Stamp stamp;
  stamp.name = std::move(name);
  struct stat info;
  if (::stat((common_dir + "/" + stamp.name).c_str(), &info) != 0) return stamp;
  stamp.device = info.st_dev;
  stamp.inode = info.st_ino;
  stamp.size = folder ? 0 : info.st_size;
  stamp.changed = changed(info);
  return stamp;
}

// One field of a line: a tab, a line end and the sign itself are written with \.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '\t': result += "\\t"; break;
      case '\n': result += "\\n"; break;
      case '\\': result += "\\\\"; break;
      default: result += c;
    }
  return result;
}

std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    ++i;
    result += text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i];
  }
  return result;
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    const std::size_t end = line.find('\t');
    fields.push_back(plain(line.substr(0, end)));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

std::string line(std::initializer_list<std::string_view> fields) {
  std::string text;
  for (const std::string_view field : fields) text += (text.empty() ? "" : "\t") + escaped(field);
  return text + "\n";
}

template <typename Number>
Number number(const std::string& text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view result = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return result;
}

std::optional<Stamp> stamp_from(const std::vector<std::string>& fields) {
  if (fields.size() != 6 || fields[0] != "stamp") return std::nullopt;
  return Stamp{fields[1], number<std::uint64_t>(fields[2]), number<std::uint64_t>(fields[3]),
               number<std::int64_t>(fields[4]), number<std::int64_t>(fields[5])};
}

}  // namespace

std::string watch_path(const std::string& common_dir) { return common_dir + "/git-plan/watch"; }

std::vector<Stamp> stamps_of(const std::string& common_dir) {
  std::vector<Stamp> stamps{stamp_of(common_dir, "packed-refs"),
                            stamp_of(common_dir, "refs/plans", true)};
  std::vector<std::string> names;
  if (DIR* folder = ::opendir((common_dir + "/git-plan/wal").c_str())) {
    while (const dirent* entry = ::readdir(folder))
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    ::closedir(folder);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names)
    stamps.push_back(stamp_of(common_dir, "git-plan/wal/" + name));
  return stamps;
}

std::string to_text(const Stamp& stamp) {
  return line({"stamp", stamp.name, std::to_string(stamp.device), std::to_string(stamp.inode),
               std::to_string(stamp.size), std::to_string(stamp.changed)});
}

std::string to_text(const Watch& watch) {
  std::size_t paths = 0, scopes = 0, waves = 0;
  std::string body;
  for (const WatchedPlan& plan : watch.plans) {
    paths += plan.paths.size();
    scopes += plan.scopes.size();
    waves += plan.waves.size();
    body += line({"plan", plan.id, plan.tip, plan.identity, plan.ahead});
    for (const WatchedPath& path : plan.paths)
      body += line({"path", path.path, path.id, path.tasks});
    for (const WatchedScope& scope : plan.scopes)
      body += line({"scope", scope.task, scope.pathspec});
    for (const WatchedWave& wave : plan.waves)
      body += line({"wave", wave.commit, wave.run, std::to_string(wave.number)});
  }
  std::string text = line({kMagic, watch.whole ? "1" : "0", std::to_string(paths),
                           std::to_string(scopes), std::to_string(waves)});
  for (const Stamp& stamp : watch.stamps) text += to_text(stamp);
  return text + body;
}

std::optional<Watch> parse_watch(std::string_view text) {
  const std::vector<std::string> head = fields_of(take_line(text));
  if (head.size() < 5 || head[0] != kMagic) return std::nullopt;
  Watch watch;
  watch.whole = head[1] == "1";
  while (!text.empty()) {
    const std::vector<std::string> fields = fields_of(take_line(text));
    const std::string& kind = fields[0];
    if (kind == "stamp") {
      const auto stamp = stamp_from(fields);
      if (!stamp) return std::nullopt;
      watch.stamps.push_back(*stamp);
    } else if (kind == "plan" && fields.size() == 5) {
      watch.plans.push_back({fields[1], fields[2], fields[3], fields[4], {}, {}, {}});
    } else if (watch.plans.empty()) {
      return std::nullopt;
    } else if (kind == "path" && fields.size() == 4) {
      watch.plans.back().paths.push_back({fields[1], fields[2], fields[3]});
    } else if (kind == "scope" && fields.size() == 3) {
      watch.plans.back().scopes.push_back({fields[1], fields[2]});
    } else if (kind == "wave" && fields.size() == 4) {
      watch.plans.back().waves.push_back({fields[2], number<int>(fields[3]), fields[1]});
    } else {
      return std::nullopt;
    }
  }
  return watch;
}

bool WatchHead::has_wave(const std::vector<std::string>& commits) const {
  return std::any_of(commits.begin(), commits.end(), [&](const std::string& commit) {
    return text.find("\nwave\t" + commit + "\t") != std::string::npos;
  });
}

WatchHead read_watch_head(const std::string& common_dir) {
  WatchHead result;
  struct stat info;
  const std::string path = watch_path(common_dir);
  auto text = read_whole(path);
  if (!text || ::stat(path.c_str(), &info) != 0) return result;
  result.text = std::move(*text);
  std::string_view rest = result.text;
  const std::vector<std::string> head = fields_of(take_line(rest));
  if (head.size() < 5 || head[0] != kMagic) return result;
  result.paths = number<std::size_t>(head[2]);
  result.scopes = number<std::size_t>(head[3]);
  result.waves = number<std::size_t>(head[4]);
  std::vector<Stamp> then;
  bool settled = head[1] == "1";
  while (rest.starts_with("stamp\t")) {
    const auto stamp = stamp_from(fields_of(take_line(rest)));
    if (!stamp) return result;
    settled = settled && stamp->changed + kRacy < changed(info);
    then.push_back(*stamp);
  }
  result.current = settled && then == stamps_of(common_dir);
  return result;
}

}  // namespace gitplan
