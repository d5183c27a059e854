// Configure-time probe: does fmt_once.cc define what callers of fmt need?
#include <fmt/format.h>

int main(int count, char** words) {
  const std::string text = fmt::format("{} {:>10} {:.3f} {:08x} {}\n", count, words[0], count * 0.5,
                                       static_cast<unsigned>(count), count * 0.1f);
  return static_cast<int>(fmt::format(fmt::runtime("{:d}{:Lc}{}"), text.size(), 'x', 1e10).size());
}
