// The words of a decision: what happened, why, what it blocks, what one can do.
//
// Made by the engine when it stops to ask (those about landing in landing_questions.cc); shown by
// `execute`, `status` and `resolve`. What each key does is told in git-plan-resolve(1) and done in
// core/ledger/resolution.h. Ids and the run are filled in by the engine.
#pragma once

#include <string>
#include <vector>

#include "core/engine/input.h"
#include "core/engine/other_plan.h"
#include "core/engine/stale_reference.h"
#include "core/journal/event.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"

namespace gitplan {

// A task that failed, timed out or was dropped. `blocked`: the names of those that wait for it.
DecisionAsked ask_about_failure(std::string_view task, const TaskRecord& record,
                                const std::vector<std::string>& blocked);
// Before it starts (approval_gate), and after it has finished (checkpoint).
DecisionAsked ask_for_approval(const Task& task, const std::vector<std::string>& blocked);
DecisionAsked ask_about_checkpoint(const Task& task, const TaskRecord& record,
                                   const std::vector<std::string>& blocked);
// What was spent, in USD, reaches the task's or the plan's budget_usd.
DecisionAsked ask_about_budget(const Task& task, double spent,
                               const std::vector<std::string>& blocked);
DecisionAsked ask_about_plan_budget(double spent);
// A plan that is waited for and will not get there by itself; `queued`: after it by a person.
DecisionAsked ask_about_other_plan(const WaitsFor& other, const OtherPlan& found, bool queued);
DecisionAsked ask_about_stale_references(const std::vector<StaleReference>& stale);
DecisionAsked ask_about_plan_overlap(const std::vector<PlanOverlap>& others);
// `rerunnable`: the other parties that are not completed yet.
DecisionAsked ask_about_overlap(const Merged::Overlap& overlap,
                                const std::vector<std::string>& rerunnable,
                                const std::vector<std::string>& blocked);
// Of a task in the working tree: what it changed beside the user's own changes.
DecisionAsked ask_about_mixed(const Collected& collected, const std::vector<std::string>& blocked);
DecisionAsked ask_about_commit(const Wave& wave, const CommitRefused& refused);
// `blocked`: what needs each of the wave's tasks, task by task.
DecisionAsked ask_about_verify(const Wave& wave, const Verified& verified,
                               const std::vector<std::vector<std::string>>& blocked);
DecisionAsked ask_about_integration_branch(std::string_view plan, const Wave& wave,
                                           const AdvanceRefused& refused);
DecisionAsked ask_about_landing(const LandConflict& conflict);
DecisionAsked ask_about_landing_commit(const LandRefused& refused);
DecisionAsked ask_about_branch(const LandRefused& refused);

}  // namespace gitplan
