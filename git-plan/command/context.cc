#include "git-plan/command/context.h"

#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "refs/git/errno_error.h"

namespace gitplan {
namespace {

// "true", "yes", "on", "1" and a key without a value, as git reads them; nothing: no boolean.
std::optional<bool> as_boolean(std::string_view text) {
  std::string word;
  for (const char c : text) word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0" || word.empty()) return false;
  return std::nullopt;
}

// color.plan, else color.ui, as `git config --get-color` words: "always", "never", "auto".
std::string_view color_mode(const Settings& settings) {
  std::optional<std::string> value = settings.raw("color.plan");
  if (!value) value = settings.raw("color.ui");
  if (!value || *value == "auto") return "auto";
  if (*value == "always") return "always";
  if (*value == "never" || as_boolean(*value) == false) return "never";
  return "auto";
}

}  // namespace

Context::Context(bool json) : json_(json) {}
Context::~Context() = default;

Result<Repository*> Context::repository() {
  if (!repository_) {
    GITPLAN_TRY_ASSIGN(Repository opened, Repository::open());
    repository_ = std::make_unique<Repository>(std::move(opened));
  }
  return repository_.get();
}

Result<const Settings*> Context::settings() {
  if (!settings_) {
    GITPLAN_TRY_ASSIGN(Repository * opened, repository());
    GITPLAN_TRY_ASSIGN(Settings read, Settings::read(*opened));
    settings_ = std::make_unique<Settings>(std::move(read));
    output_.set_color(color_mode(*settings_));
  }
  return settings_.get();
}

Result<Store*> Context::store() {
  if (!store_) {
    GITPLAN_TRY_ASSIGN(Repository * opened, repository());
    GITPLAN_TRY_ASSIGN(Store made, Store::open(*opened));
    store_ = std::make_unique<Store>(std::move(made));
  }
  return store_.get();
}

Result<PlanView> Context::plan(std::string_view name) {
  GITPLAN_TRY_ASSIGN(Store * opened, store());
  GITPLAN_TRY_ASSIGN(const std::string id, opened->resolve(name));
  return opened->load(id);
}

Status Context::move_to(const std::string& directory) {
  GITPLAN_TRY_ASSIGN(Repository opened, Repository::open_at(directory));
  if (::chdir(directory.c_str()) != 0) return errno_error("enter", directory, errno);
  store_.reset();
  settings_.reset();
  repository_ = std::make_unique<Repository>(std::move(opened));
  GITPLAN_TRY_ASSIGN(Settings read, Settings::read(*repository_));
  settings_ = std::make_unique<Settings>(std::move(read));
  return {};
}

void Context::page() {
  if (json_ || !output_.terminal()) return;
  const Result<const Settings*> read = settings();
  if (!read) return;
  const std::optional<std::string> own = (*read)->raw("pager.plan");
  const std::optional<bool> wanted = own ? as_boolean(*own) : std::nullopt;
  if (wanted == false) return;
  std::optional<std::string> pager = environment("GIT_PAGER");
  if (!pager && own && !wanted) pager = own;
  if (!pager) pager = (*read)->raw("core.pager");
  if (!pager) pager = environment("PAGER");
  if (!pager) pager = "less";
  if (*pager != "cat") output_.start_pager(*pager);
}

Millis Context::now() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string Context::random_hex(int digits) const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex(static_cast<std::size_t>(digits), '0');
  for (char& digit : hex) {
    unsigned char byte = 0;
    while (getrandom(&byte, 1, 0) != 1) {
    }
    digit = kDigits[byte & 15];
  }
  return hex;
}

std::optional<std::string> Context::environment(const char* name) const {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::string Context::program_path() const {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "git-plan";
}

bool Context::interactive() const {
  const auto set = [&](const char* name) { return !environment(name).value_or("").empty(); };
  return isatty(STDIN_FILENO) == 1 && output_.terminal() && !set("CI") && !set("GIT_PAGER_IN_USE");
}

}  // namespace gitplan
