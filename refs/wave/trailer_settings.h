// Settings under which git reads the trailers of our commits as they were written.
//
// With a core.commentChar of 'P' it would take "Plan: x" for a comment. Only .cc files of refs/wave
// include this.
#pragma once

#include <string>
#include <vector>

namespace gitplan {

// Before the name of the git command.
inline std::vector<std::string> trailer_settings() {
  return {"-c", "core.commentChar=#", "-c", "core.commentString=#", "-c", "trailer.separators=:"};
}

}  // namespace gitplan
