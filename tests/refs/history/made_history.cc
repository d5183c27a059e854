#include "tests/refs/history/made_history.h"

#include <algorithm>

namespace gitplan::test {

std::string HistoryMaker::new_line() {
  // Some lines are in many files.
  if (below(8) == 0) return below(2) == 0 ? "}\n" : "  return false;  // as everywhere\n";
  return "line " + std::to_string(++text_ * 2654435761u) + " of a text that grows\n";
}

std::string HistoryMaker::new_path() {
  const std::string name = "f" + std::to_string(++paths_);
  switch (below(3)) {
    case 0: return name;
    case 1: return "d" + std::to_string(below(4)) + "/" + name;
    default: return "d" + std::to_string(below(4)) + "/e" + std::to_string(below(3)) + "/" + name;
  }
}

void HistoryMaker::store(MadeFile& file) {
  std::string text;
  for (const std::string& line : file.lines) text += line;
  file.blob = ++marks_;
  stream_ += "blob\nmark :" + std::to_string(file.blob) + "\ndata " + std::to_string(text.size()) +
             "\n" + text + "\n";
}

MadeFile HistoryMaker::new_file() {
  MadeFile file;
  file.name = names_++;
  // A licence that many files begin with.
  if (below(2) == 0)
    for (int i = 0; i < 3; ++i) file.lines.push_back("licence " + std::to_string(i) + "\n");
  const unsigned count = 12 + below(60);
  for (unsigned i = 0; i < count; ++i) file.lines.push_back(new_line());
  store(file);
  return file;
}

void HistoryMaker::edit(MadeFile& file, unsigned percent) {
  const auto count = static_cast<unsigned>(file.lines.size());
  for (unsigned left = count * percent / 100; left > 0; --left)
    file.lines[below(count)] = new_line();
  if (below(3) == 0) file.lines.insert(file.lines.begin() + below(count), new_line());
  store(file);
}

int HistoryMaker::commit(const MadeState& state, const std::vector<int>& parents) {
  time_ += 60;
  const int mark = ++marks_;
  stream_ += "commit refs/heads/made\nmark :" + std::to_string(mark) + "\ncommitter A <a@b> " +
             std::to_string(time_) + " +0000\ndata 2\nc\n";
  if (!parents.empty()) stream_ += "from :" + std::to_string(parents[0]) + "\n";
  for (std::size_t i = 1; i < parents.size(); ++i)
    stream_ += "merge :" + std::to_string(parents[i]) + "\n";
  stream_ += "deleteall\n";
  for (const auto& [path, file] : state)
    stream_ += "M 100644 :" + std::to_string(file.blob) + " " + path + "\n";
  stream_ += "\n";
  return mark;
}

std::string HistoryMaker::any_of(const MadeState& state, int parity) {
  std::vector<std::string> paths;
  for (const auto& [path, file] : state)
    if (parity < 0 || file.name % 2 == parity) paths.push_back(path);
  return paths.empty() ? std::string() : paths[below(static_cast<unsigned>(paths.size()))];
}

void HistoryMaker::rename(MadeState& state, const std::string& path, unsigned percent) {
  std::string to = new_path();
  if (below(2) == 0)  // to another folder only
    to = "g" + std::to_string(++paths_) + "/" + path.substr(path.rfind('/') + 1);
  MadeFile file = state[path];
  if (percent > 0) edit(file, percent);
  state.erase(path);
  state[to] = std::move(file);
}

void HistoryMaker::move_folder(MadeState& state, const std::string& folder, int parity) {
  const std::string to = "m" + std::to_string(++paths_) + "/";
  const MadeState before = state;
  for (const auto& [path, file] : before) {
    if (!path.starts_with(folder + "/") || (parity >= 0 && file.name % 2 != parity)) continue;
    MadeFile moved = file;
    if (below(3) == 0) edit(moved, below(20));
    state.erase(path);
    state[to + path.substr(folder.size() + 1)] = std::move(moved);
  }
}

void HistoryMaker::split(MadeState& state, const std::string& path) {
  MadeFile file = state[path], part;
  doubtful_[file.name] = true;
  const auto middle = file.lines.begin() + static_cast<long>(file.lines.size() * 6 / 10);
  part.name = names_++;
  part.lines.assign(middle, file.lines.end());
  file.lines.erase(middle, file.lines.end());
  store(file);
  store(part);
  state.erase(path);
  state[new_path()] = std::move(file);
  state[new_path()] = std::move(part);
}

void HistoryMaker::change(MadeState& state, int parity) {
  const std::string path = any_of(state, parity);
  if (path.empty()) return;
  switch (below(12)) {
    case 0: state.erase(path); break;
    case 1: split(state, path); break;
    case 2: {  // a copy, with or without an edit
      MadeFile copy = state[path];
      copied_[copy.name] = true;
      copy.name = names_++;
      while (parity >= 0 && copy.name % 2 != parity) copy.name = names_++;
      if (below(2) == 0) edit(copy, 10);
      state[new_path()] = std::move(copy);
      break;
    }
    case 3: {
      MadeFile fresh = new_file();
      while (parity >= 0 && fresh.name % 2 != parity) fresh.name = names_++;
      state[new_path()] = std::move(fresh);
      break;
    }
    case 4: {  // another file in the place of one that goes
      const std::string to = new_path();
      state[to] = state[path];
      MadeFile fresh = new_file();
      while (parity >= 0 && fresh.name % 2 != parity) fresh.name = names_++;
      state[path] = std::move(fresh);
      break;
    }
    case 5:
      if (const std::size_t slash = path.find('/'); slash != std::string::npos)
        move_folder(state, path.substr(0, slash), parity);
      break;
    case 6:
    case 7:
    case 8: edit(state[path], below(40)); break;
    case 9: rename(state, path, 0); break;
    default: rename(state, path, below(44)); break;
  }
}

HistoryMaker::Side HistoryMaker::side(const Side& start, int parity) {
  Side side = start;
  for (unsigned commits = 1 + below(4); commits > 0; --commits) {
    const MadeState before = side.state;
    for (unsigned changes = 1 + below(4); changes > 0; --changes) change(side.state, parity);
    // Where a copied file moves, either may be called the copy.
    for (const auto& [path, file] : before)
      if (const auto now = side.state.find(path);
          copied_.contains(file.name) && (now == side.state.end() || now->second.name != file.name))
        doubtful_[file.name] = true;
    side.tip = commit(side.state, {side.tip});
  }
  return side;
}

// Each side has changed its half of the files; theirs was edited a little on the other side as
// well.
HistoryMaker::Side HistoryMaker::merged(const MadeState& base, const Side& ours,
                                        const Side& theirs) {
  Side result;
  for (const auto& [path, file] : ours.state)
    if (file.name % 2 == 0) result.state[path] = file;
  for (const auto& [path, file] : theirs.state) {
    if (file.name % 2 == 0) continue;
    result.state[path] = file;
    MadeFile& now = result.state[path];
    for (const auto& [old_path, old] : base)
      if (old.name == file.name && old.blob == file.blob && below(3) == 0) {
        edit(now, 15);
        break;
      }
  }
  result.tip = commit(result.state, {ours.tip, theirs.tip});
  return result;
}

MadeHistory HistoryMaker::make(std::uint64_t seed) {
  random_.seed(seed);
  names_ = paths_ = 0;
  doubtful_.clear();
  copied_.clear();
  Side now;
  for (unsigned count = 6 + below(20); count > 0; --count) now.state[new_path()] = new_file();
  const int first = commit(now.state, {});
  const MadeState start = now.state;
  now.tip = first;
  for (unsigned parts = 1 + below(5); parts > 0; --parts) {
    if (below(3) != 0) {
      now = side(now, -1);
    } else {
      const MadeState base = now.state;
      const Side ours = side(now, 0), theirs = side(now, 1);
      now = merged(base, ours, theirs);
    }
  }
  MadeHistory made;
  made.from = "refs/heads/from-" + std::to_string(seed);
  made.to = "refs/heads/to-" + std::to_string(seed);
  stream_ += "reset " + made.from + "\nfrom :" + std::to_string(first) + "\n\nreset " + made.to +
             "\nfrom :" + std::to_string(now.tip) + "\n\n";
  for (const auto& [path, file] : start) {
    Truth truth;
    truth.from = path;
    truth.doubtful = doubtful_.contains(file.name);
    for (const auto& [to, there] : now.state)
      if (there.name == file.name) truth.to = to;
    // A copy lives on.
    if (truth.to.empty() && copied_.contains(file.name)) truth.doubtful = true;
    made.files.push_back(truth);
  }
  return made;
}

}  // namespace gitplan::test
