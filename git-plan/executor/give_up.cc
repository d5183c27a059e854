#include "git-plan/executor/give_up.h"

#include <fcntl.h>
#include <unistd.h>

namespace gitplan {

GiveUp::GiveUp() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) == 0) {
    reader_ = ends[0];
    writer_ = ends[1];
  }
}

GiveUp::~GiveUp() {
  say();
  if (reader_ >= 0) ::close(reader_);
}

void GiveUp::say() {
  if (writer_ >= 0) ::close(writer_);
  writer_ = -1;
}

}  // namespace gitplan
