// A plan as people write it: for the tests that read it and the one that runs it.
#pragma once

namespace gitplan::test {

inline constexpr const char* kExamplePlan = R"(---
id: 2026-03-03-combat-refactor
status: active
created: 2026-03-03T10:00:00Z
orchestration:
  default_mode: forked
  team: false
  retry:
    max_attempts: 3
    backoff: exponential
  waits_for:
    plan: vfx-overhaul
    tasks: [cleanup]
  tasks:
    - name: extract-counter-module
      description: Pull counter swap logic into its own module
      mode: inline
      approval_gate: false
    - name: refactor-hit-pipeline
      description: Restructure hit processing pipeline
      mode: forked
      approval_gate: true
      timeout_minutes: 60
    - name: verify-integration
      description: Full integration verification
      mode: clean
      depends_on: [extract-counter-module, refactor-hit-pipeline]
naming: "{date}-{title}"
tags: [combat, refactor]
---

# Combat System Refactor

## Context
Counter swaps are spread over two files.

## Changes
- [modify] src/combat/HitPipeline.lua — calls the module
- [create] src/combat/CounterModule.lua — the swap logic
- [delete] src/combat/OldSwap.lua — nothing is left in it
)";

}  // namespace gitplan::test
