// Histories made by chance, of which it is known where every file went.
//
// All of them lie in one repository, written by one `git fast-import`.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace gitplan::test {

struct MadeFile {
  int name = 0;  // which file it is, whatever its path
  int blob = 0;  // its mark
  std::vector<std::string> lines;
};
using MadeState = std::map<std::string, MadeFile>;

// Where a file of the first commit is in the last.
struct Truth {
  std::string from;
  std::string to;         // "": deleted
  bool doubtful = false;  // split or copied: another answer may be as good
};

struct MadeHistory {
  std::string from, to;  // refs
  std::vector<Truth> files;
};

class HistoryMaker {
 public:
  // Appends a history to the stream.
  MadeHistory make(std::uint64_t seed);
  const std::string& stream() const { return stream_; }

 private:
  struct Side {
    MadeState state;
    int tip = 0;
  };
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  std::string new_line();
  std::string new_path();
  MadeFile new_file();
  void store(MadeFile& file);
  void edit(MadeFile& file, unsigned percent);
  int commit(const MadeState& state, const std::vector<int>& parents);
  std::string any_of(const MadeState& state, int parity);
  // On files whose name has this parity; -1: on all.
  void change(MadeState& state, int parity);
  void rename(MadeState& state, const std::string& path, unsigned percent);
  void move_folder(MadeState& state, const std::string& folder, int parity);
  void split(MadeState& state, const std::string& path);
  Side side(const Side& start, int parity);
  Side merged(const MadeState& base, const Side& ours, const Side& theirs);

  std::mt19937_64 random_;
  std::string stream_;
  int marks_ = 0, names_ = 0, paths_ = 0, time_ = 1700000000;
  std::uint64_t text_ = 0;
  std::map<int, bool> doubtful_, copied_;
};

}  // namespace gitplan::test
