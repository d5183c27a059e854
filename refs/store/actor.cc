#include "refs/store/actor.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "refs/git/errno_error.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

using Json = nlohmann::json;

struct Place {  // what tells a directory from its copy
  std::uint64_t device = 0, inode = 0;
  std::string machine;
  bool operator==(const Place&) const = default;
};

std::string machine_id() {
  for (const char* path : {"/etc/machine-id", "/var/lib/dbus/machine-id"})
    if (auto text = read_file(path); text.ok() && *text)
      return (*text)->substr(0, (*text)->find('\n'));
  return {};
}

Result<Place> place_of(const std::string& local_dir) {
  const std::string common = local_dir.substr(0, local_dir.rfind('/'));
  struct stat info;
  if (stat(common.c_str(), &info) != 0) return errno_error("read", common, errno);
  return Place{info.st_dev, info.st_ino, machine_id()};
}

bool is_actor(const std::string& id) {
  return id.size() == 12 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

struct Stored {
  std::string id;
  Place place;
};

std::optional<Stored> parse(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Stored stored;
  const auto id = json.find("actor"), device = json.find("device"), inode = json.find("inode"),
             machine = json.find("machine");
  if (id == json.end() || !id->is_string() || !is_actor(id->get<std::string>()))
    return std::nullopt;
  stored.id = id->get<std::string>();
  if (device != json.end() && device->is_number_unsigned())
    stored.place.device = device->get<std::uint64_t>();
  if (inode != json.end() && inode->is_number_unsigned())
    stored.place.inode = inode->get<std::uint64_t>();
  if (machine != json.end() && machine->is_string())
    stored.place.machine = machine->get<std::string>();
  return stored;
}

Result<std::string> random_actor() {
  unsigned char bytes[6];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    return errno_error("read", "random bytes", errno);
  std::string id;
  for (const unsigned char byte : bytes)
    for (const int digit : {byte >> 4, byte & 15}) id += "0123456789abcdef"[digit];
  return id;
}

std::string text_of(const Stored& stored) {
  const Json json = {{"actor", stored.id},
                     {"device", stored.place.device},
                     {"inode", stored.place.inode},
                     {"machine", stored.place.machine}};
  return json.dump() + "\n";
}

}  // namespace

Result<std::optional<Actor>> known_actor(const std::string& local_dir) {
  GITPLAN_TRY_ASSIGN(const auto text, read_file(local_dir + "/actor"));
  if (!text) return std::optional<Actor>();
  GITPLAN_TRY_ASSIGN(const Place place, place_of(local_dir));
  const auto stored = parse(*text);
  if (!stored || stored->place != place) return std::optional<Actor>();
  return std::optional(Actor{stored->id, false});
}

Status forget_actor(const std::string& local_dir) {
  const std::string path = local_dir + "/actor";
  GITPLAN_TRY_ASSIGN(const auto text, read_file(path));
  const auto stored = text ? parse(*text) : std::nullopt;
  if (!stored) return {};
  return replace_file(path, text_of({stored->id, {}}), true);
}

Result<Actor> actor_of(const std::string& local_dir) {
  GITPLAN_TRY_ASSIGN(const auto known, known_actor(local_dir));
  if (known) return *known;
  const std::string path = local_dir + "/actor";
  GITPLAN_TRY_ASSIGN(const auto before, read_file(path));
  Stored fresh;
  GITPLAN_TRY_ASSIGN(fresh.place, place_of(local_dir));
  GITPLAN_TRY_ASSIGN(fresh.id, random_actor());
  if (before) {
    GITPLAN_TRY(replace_file(path, text_of(fresh), true));
    return Actor{fresh.id, parse(*before).has_value()};
  }
  // Two first commands may run at once: whoever links first is the actor for both.
  const std::string candidate = path + "." + fresh.id;
  GITPLAN_TRY(replace_file(candidate, text_of(fresh), true));
  const int linked = link(candidate.c_str(), path.c_str());
  const int number = errno;
  unlink(candidate.c_str());
  if (linked == 0) return Actor{fresh.id, false};
  if (number != EEXIST) return errno_error("write", path, number);
  GITPLAN_TRY_ASSIGN(const auto other, known_actor(local_dir));
  if (other) return *other;
  return failed("cannot read " + path + ", which was written a moment ago");
}

}  // namespace gitplan
