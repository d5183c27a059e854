#include "git-plan/executor/verify_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::string_view kFolder = "/verify-logs";
constexpr std::string_view kLanding = "landing";

}  // namespace

std::string verify_log_path(const std::string& plan_dir, int wave) {
  const std::string name = wave == 0 ? std::string(kLanding) : fmt::format("{:03}", wave);
  return plan_dir + std::string(kFolder) + "/" + name;
}

void keep_verify_log(const std::string& plan_dir, int wave, std::string_view command,
                     const std::string& from, bool first) {
  if (!make_directories(plan_dir + std::string(kFolder))) return;
  auto read = read_file(from);
  std::string log = read ? std::move(*read).value_or("") : std::string();
  if (!log.empty() && !log.ends_with('\n')) log += '\n';
  std::ofstream file(verify_log_path(plan_dir, wave),
                     std::ios::binary | (first ? std::ios::trunc : std::ios::app));
  file << "$ " << command << (command.ends_with('\n') ? "" : "\n") << log;
}

std::vector<int> waves_with_verify_log(const std::string& plan_dir) {
  std::vector<int> waves;
  bool landing = false;
  std::error_code none;  // no verification has ended yet
  for (const auto& entry :
       std::filesystem::directory_iterator(plan_dir + std::string(kFolder), none)) {
    const std::string name = entry.path().filename();
    landing = landing || name == kLanding;
    const bool number = !name.empty() && name.size() < 9 &&
                        name.find_first_not_of("0123456789") == std::string::npos;
    if (number) waves.push_back(std::stoi(name));
  }
  std::sort(waves.begin(), waves.end());
  if (landing) waves.push_back(0);
  return waves;
}

}  // namespace gitplan
