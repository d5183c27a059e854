#include "refs/git/signature.h"

#include <charconv>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

#include "refs/git/config_files.h"

namespace gitplan {
namespace {

struct Person {
  std::string name, email;
  git_time_t when = 0;
  int offset = 0;
};

// Git strips these from both ends, and < > and line ends anywhere.
bool plain(std::string_view text) {
  constexpr std::string_view kCleaned = ".,:;<>\"\\'";
  if (text.empty()) return false;
  for (const char end : {text.front(), text.back()})
    if (static_cast<unsigned char>(end) <= ' ' || kCleaned.find(end) != std::string_view::npos)
      return false;
  return text.find_first_of("<>\n") == std::string_view::npos;
}

// "<seconds> +0100" or "@<seconds> +0100": what git itself writes into hooks' environments.
bool plain_date(std::string_view text, Person& person) {
  if (text.starts_with('@')) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), person.when);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  // Fewer digits could be a day or a year to git.
  if (code != std::errc() || person.when < 100000000 || text.size() != 6 || text[0] != ' ' ||
      (text[1] != '+' && text[1] != '-'))
    return false;
  int zone = 0;
  const auto [stop, fault] = std::from_chars(text.data() + 2, text.data() + 6, zone);
  if (fault != std::errc() || stop != text.data() + 6) return false;
  person.offset = (zone / 100 * 60 + zone % 100) * (text[1] == '-' ? -1 : 1);
  return true;
}

void set_now(Person& person) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  person.when = now;
  person.offset = static_cast<int>(local.tm_gmtoff / 60);
}

std::optional<Person> known(const ConfigEntries& config, const std::string& who) {
  const std::string section = who == "AUTHOR" ? "author" : "committer";
  const auto find = [&](const std::string& variable,
                        const std::string& key) -> std::optional<std::string> {
    if (const char* value = std::getenv(("GIT_" + who + "_" + variable).c_str())) return value;
    for (const std::string& start : {section, std::string("user")})
      if (const auto entry = config.find(start + "." + key); entry != config.end())
        return entry->second;
    return std::nullopt;
  };
  Person person;
  person.name = find("NAME", "name").value_or("");
  person.email = find("EMAIL", "email").value_or("");
  if (!plain(person.name) || !plain(person.email)) return std::nullopt;
  const char* date = std::getenv(("GIT_" + who + "_DATE").c_str());
  if (date == nullptr)
    set_now(person);
  else if (!plain_date(date, person))
    return std::nullopt;
  return person;
}

Result<Handle<git_signature>> ask_git(const Repository& repository, const std::string& who) {
  GitCall call;
  call.args = {"var", "GIT_" + who + "_IDENT"};
  GITPLAN_TRY_ASSIGN(const Outcome outcome, repository.git().call(call));
  if (!outcome.ok()) {
    std::string advice = outcome.error;
    while (advice.ends_with('\n')) advice.pop_back();
    return failed("git does not know who you are, and a plan's changes carry that", advice);
  }
  const std::string line = outcome.output.substr(0, outcome.output.find('\n'));
  Handle<git_signature> signature;
  if (const int code = git_signature_from_buffer(signature.out(), line.c_str()); code != 0)
    return libgit2_error("cannot read the identity '" + line + "'", code);
  return signature;
}

Result<Handle<git_signature>> signature(const Repository& repository, const ConfigEntries& config,
                                        const std::string& who) {
  const auto person = known(config, who);
  if (!person) return ask_git(repository, who);
  Handle<git_signature> result;
  if (git_signature_new(result.out(), person->name.c_str(), person->email.c_str(), person->when,
                        person->offset) != 0)
    return ask_git(repository, who);
  return result;
}

}  // namespace

Result<Signatures> signatures(const Repository& repository) {
  GITPLAN_TRY_ASSIGN(const ConfigEntries config, read_config(repository));
  Signatures both;
  GITPLAN_TRY_ASSIGN(both.author, signature(repository, config, "AUTHOR"));
  GITPLAN_TRY_ASSIGN(both.committer, signature(repository, config, "COMMITTER"));
  return both;
}

}  // namespace gitplan
