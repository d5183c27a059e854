// From a commit or a line to the wave behind it, as git and the commit's trailers tell.
//
// `git plan blame` asks. What plan, run and tasks are is then looked up in the plan's ledger.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/timestamp.h"
#include "core/journal/event.h"
#include "refs/git/repository.h"

namespace gitplan {

struct CommitOrigin {
  std::string commit, author, subject;
  Millis when = 0;
  std::string plan, run;  // of its trailers; empty: it has none
  int wave = 0;
  std::vector<std::string> tasks;
};
Result<CommitOrigin> origin_of(const Repository& repository, const std::string& commit);

// Lines that stand together and came with one commit.
struct BlamedLines {
  std::string commit;  // empty: not committed yet
  std::string path;    // what the file was called there
  LineRange lines;     // now
  std::string text;    // of the first of them
};
// Of the file in the work tree, in a bare repository of that in HEAD; all of it where `lines` is
// 0 to 0. Renames of the file, and lines that moved within it, are followed.
Result<std::vector<BlamedLines>> blamed_lines(const Repository& repository, const std::string& path,
                                              const LineRange& lines);

// Whether the change from `base` to `commit` added a line with this text to the file.
bool adds_line(const Repository& repository, const std::string& base, const std::string& commit,
               const std::string& path, std::string_view text);

}  // namespace gitplan
