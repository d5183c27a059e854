// The environment that every test has, on every machine.
//
// Linking temp_repo.cc pins it before main: this process and all that it starts see a fresh home
// with a known configuration, one identity, one date, the C locale, UTC, and none of the caller's
// other variables. So a library under test that asks libgit2 or runs git gets the same answers
// everywhere.
#pragma once

#include <filesystem>
#include <string>

namespace gitplan::test {

inline constexpr long kPinnedTime = 1772532000;  // 2026-03-03T10:00:00Z

// Makes `home` with the configuration that tests share.
void make_home(const std::filesystem::path& home);

// A new directory below the system's temporary one.
std::filesystem::path make_temporary_directory();

// Removes a tree, directories without write permission included.
void remove_tree(const std::filesystem::path& root);

// "1772532060 +0000": the pinned time and some minutes, as git takes dates.
std::string pinned_date(int minutes);

// Pins this process once; later calls do nothing.
void pin_environment();

}  // namespace gitplan::test
