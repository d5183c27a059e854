// Reads the front matter's mappings into a Plan: one table of keys for each level.
//
// parse_plan() calls this with the tree; a new key is one row of a table in plan_keys.cc.
#pragma once

#include <string>
#include <vector>

#include "core/plan/definition.h"
#include "core/plan/yaml_reader.h"

namespace gitplan {

// Fills what the front matter says; body and a title that is missing are the caller's.
void read_front_matter(const YamlNode& root, YamlReader& reader, Plan& plan);

// The keys of a task, in the order of the table.
const std::vector<std::string>& task_keys();

// Those of every level, one table after the other: what the manual has to tell.
std::vector<std::string> all_keys();

}  // namespace gitplan
