// The situations in which git runs hooks, and what ours say in each: one table, that the tests go
// through alone and beside other managers of hooks.
#pragma once

#include <ostream>
#include <vector>

#include "tests/hooks/hook_repo.h"

namespace gitplan::test {

struct Situation {
  const char* name;
  const char* script;  // of sh; the last command's status counts
  const char* said;    // by our hooks; "" is silence
};
void PrintTo(const Situation& situation, std::ostream* out);

const std::vector<Situation>& situations();

// What they start from, made without hooks: a branch `gone` without src/a.txt, `moved` with
// src/b.txt at lib/b.txt, `changed` with another src/a.txt, and `beside`, which changes nothing
// that the plan refers to.
void make_branches(const HookRepo& repo);

}  // namespace gitplan::test
