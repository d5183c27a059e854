#include "refs/history/contents.h"

#include <algorithm>
#include <functional>

#include "refs/wave/objects.h"

namespace gitplan::history {
namespace {

constexpr std::uint64_t kLargest = 10u << 20;
constexpr std::uint64_t kHeld = 64u << 20;  // bytes of text whose lines stay in memory
constexpr std::size_t kPiece = 64;

int percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 100 : static_cast<int>(part * 100 / whole);
}

}  // namespace

Lines lines_of(std::string_view text) {
  Lines result;
  const bool pieces = looks_binary(text);
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (pieces && line.size() > kPiece) {
      line = text.substr(0, kPiece);
      end = kPiece - 1;
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // Other line ends alone are no other content.
    if (!pieces && line.ends_with('\r')) line.remove_suffix(1);
    const auto bytes = static_cast<std::uint32_t>(line.size() + 1);
    result.lines.push_back({std::hash<std::string_view>()(line), bytes, 1});
    result.bytes += bytes;
    ++result.count;
  }
  std::sort(result.lines.begin(), result.lines.end(),
            [](const LineCount& a, const LineCount& b) { return a.hash < b.hash; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < result.lines.size(); ++i) {
    if (kept > 0 && result.lines[kept - 1].hash == result.lines[i].hash)
      ++result.lines[kept - 1].count;
    else
      result.lines[kept++] = result.lines[i];
  }
  result.lines.resize(kept);
  return result;
}

Common common(const Lines& one, const Lines& other) {
  Common result;
  auto b = other.lines.begin();
  for (const LineCount& a : one.lines) {
    while (b != other.lines.end() && b->hash < a.hash) ++b;
    if (b == other.lines.end()) break;
    if (b->hash != a.hash) continue;
    const std::uint64_t count = std::min(a.count, b->count);
    result.count += count;
    result.bytes += count * a.bytes;
  }
  return result;
}

int similarity(const Lines& one, const Lines& other) {
  return percent(common(one, other).bytes, std::max(one.bytes, other.bytes));
}

int changed_percent(const Lines& noted, const Lines& now) {
  const std::uint64_t left = common(noted, now).count;
  if (left == noted.count && left == now.count) return 0;
  if (left == 0) return 100;
  return std::clamp(100 - percent(left, std::max(noted.count, now.count)), 1, 99);
}

std::optional<std::string> Contents::text(const Item& item) {
  if (item.submodule() || item.folder()) return std::nullopt;
  Handle<git_odb> odb;
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  if (git_repository_odb(odb.out(), repository_) != 0 ||
      git_odb_read_header(&size, &type, odb.get(), &item.id) != 0) {
    lacked_ = true;
    return std::nullopt;
  }
  if (size > kLargest || type != GIT_OBJECT_BLOB) return std::nullopt;
  Handle<git_odb_object> object;
  if (git_odb_read(object.out(), odb.get(), &item.id) != 0) {
    lacked_ = true;
    return std::nullopt;
  }
  return std::string(static_cast<const char*>(git_odb_object_data(object.get())),
                     git_odb_object_size(object.get()));
}

std::shared_ptr<const Lines> Contents::lines(const Item& item) {
  if (const auto found = known_.find(item.id); found != known_.end()) return found->second;
  std::shared_ptr<const Lines> made;
  if (const auto content = text(item)) made = std::make_shared<Lines>(lines_of(*content));
  held_ += 64 + (made ? made->bytes : 0);
  if (held_ > kHeld) {
    known_.clear();
    held_ = 0;
  }
  known_[item.id] = made;
  return made;
}

std::uint64_t Contents::size(const Item& item) {
  const auto found = lines(item);
  return found ? found->bytes : 0;
}

int similarity(Contents& contents, const Item& one, const Item& other) {
  if (one.same(other)) return 100;
  if (!one.like(other)) return 0;
  const auto a = contents.lines(one), b = contents.lines(other);
  return a && b ? std::min(similarity(*a, *b), 99) : -1;
}

}  // namespace gitplan::history
