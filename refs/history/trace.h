// Where the paths that a plan notes went between two states of the repository.
//
// `check` and the hooks call trace() with what a snapshot holds (refs/snapshot/snapshot.h). The
// history is followed commit by commit, so that chains of renames and gradual change are found; it
// costs what changed and what is noted, not the repository. Nothing is written or fetched: what a
// shallow or partial clone lacks is said. Nothing of this is on disk.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/timestamp.h"
#include "refs/git/repository.h"

namespace gitplan {

struct NotedPath {
  std::string path;  // a file, a folder or a submodule; as git knows it, without a slash at the end
  std::string id;    // of its blob or tree when it was noted; "": as `from` has it
  int first_line = 0;  // lines of the text that was noted; 0: the whole file
  int last_line = 0;
};

enum class Fate {
  Same,     // there, as it was noted
  Changed,  // there, with other content
  Moved,    // elsewhere, perhaps changed as well
  Gone,     // nowhere. Where something new has taken its path, `others` names that
  Came,     // was not there when it was noted, and is now
  Absent,   // was not there when it was noted, and is not now
};

struct OtherPlace {
  std::string path;
  int similarity = 0;  // of the noted content and this one's, percent; -1: not known
};

struct Traced {
  Fate fate = Fate::Same;
  std::string path;     // where it is now; for Gone the path that it had last
  bool folder = false;  // of what is there
  int first_line = 0;   // where the lines are now; 0: none were asked for, or they are gone
  int last_line = 0;
  bool lines_gone = false;
  // Of the lines that were noted (of all where none were), the noted text against now: 0 only where
  // nothing changed, 100 only where nothing is left. A binary file has pieces in place of lines.
  // -1: not known, as the content is not here, or too large to compare (10 MB), or a submodule's.
  int changed_percent = 0;
  int similarity = 100;  // of the whole content, percent; -1: not known
  bool certain = false;  // path and lines can be put in the plan without asking
  // Parts after a split, candidates that were as good, what has taken the place: best first.
  std::vector<OtherPlace> others;
  // The commit that moved it last, deleted it or made it; for Changed the last that changed it.
  // "": the index or the work tree did, or it is not known.
  std::string by;
  std::string author, subject;  // of that commit
  Millis when = 0;              // when it was written
};

// The state that is looked at.
struct TraceTarget {
  enum class Kind { Commit, Index, WorkTree };
  Kind kind = Kind::Commit;
  std::string commit;  // for Index and WorkTree that which they stand on; "": HEAD is unborn
  std::string index;   // the index file; "": the repository's own
};

struct TraceResult {
  std::vector<Traced> places;  // one for each noted path, in their order
  // Sentences about what could not be seen: a shallow boundary, objects that a partial clone left
  // out, a commit that is not in the repository.
  std::vector<std::string> unseen;
};

// `from`: the commit at which the paths were noted. One that is no ancestor of the target is
// followed through the merge base; for one that has nothing in common with it, or is not here, or
// is "", only contents are compared, and that is said.
Result<TraceResult> trace(const Repository& repository, const std::string& from,
                          const TraceTarget& target, const std::vector<NotedPath>& noted);

}  // namespace gitplan
