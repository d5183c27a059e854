#include "core/base/packed.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/ledger/ledger_codec.h"
#include "core/plan/definition_fields.h"
#include "tests/core/journal/random_fields.h"

namespace gitplan {
namespace {

using testing_fields::field_count;
using testing_fields::member_count;
using testing_fields::RandomFields;

template <class T>
std::string packed_text(const T& value) {
  std::string out;
  pack(value, out);
  return out;
}

TEST(Packed, EveryMemberOfADefinitionIsStored) {
  EXPECT_EQ(field_count<Diagnostic>(), member_count<Diagnostic>());
  EXPECT_EQ(field_count<Position>(), member_count<Position>());
  EXPECT_EQ(field_count<Task>(), member_count<Task>());
  EXPECT_EQ(field_count<WaitsFor>(), member_count<WaitsFor>());
  EXPECT_EQ(field_count<Retry>(), member_count<Retry>());
  EXPECT_EQ(field_count<Orchestration>(), member_count<Orchestration>());
  EXPECT_EQ(field_count<Intent>(), member_count<Intent>());
  EXPECT_EQ(field_count<Plan>(), member_count<Plan>());
}

TEST(Packed, AnyLedgerComesBackAsItWas) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    RandomFields random(seed);
    const Ledger ledger = random.make<Ledger>();
    const std::string bytes = packed_text(ledger);
    Ledger read;
    Unpacker unpacker(bytes);
    unpacker.read(read);
    EXPECT_TRUE(unpacker.complete());
    EXPECT_EQ(ledger_to_json(read), ledger_to_json(ledger));
  }
}

TEST(Packed, AnyDefinitionComesBackAsItWas) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    RandomFields random(seed);
    const std::string bytes = packed_text(random.make<Plan>());
    Plan read;
    Unpacker unpacker(bytes);
    unpacker.read(read);
    EXPECT_TRUE(unpacker.complete());
    EXPECT_EQ(packed_text(read), bytes);
  }
}

struct Numbers {
  std::int64_t least = 0, most = 0;
  std::uint64_t large = 0;
  double fraction = 0;
  bool yes = false;
};
void each_field(Is<Numbers> auto& x, auto&& field) {
  field("least", x.least);
  field("most", x.most);
  field("large", x.large);
  field("fraction", x.fraction);
  field("yes", x.yes);
}

TEST(Packed, TheLargestAndSmallestNumbersComeBack) {
  using Signed = std::numeric_limits<std::int64_t>;
  const Numbers numbers{Signed::min(), Signed::max(), ~std::uint64_t{0}, -0.1, true};
  Numbers read;
  const std::string bytes = packed_text(numbers);
  Unpacker unpacker(bytes);
  unpacker.read(read);
  EXPECT_TRUE(unpacker.complete());
  EXPECT_EQ(read.least, numbers.least);
  EXPECT_EQ(read.most, numbers.most);
  EXPECT_EQ(read.large, numbers.large);
  EXPECT_EQ(read.fraction, numbers.fraction);
  EXPECT_TRUE(read.yes);
}

TEST(Packed, WhatIsCutOrLongerIsNotComplete) {
  RandomFields random(7);
  const std::string bytes = packed_text(random.make<Ledger>());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Ledger read;
    Unpacker unpacker(std::string_view(bytes).substr(0, size));
    unpacker.read(read);
    EXPECT_FALSE(unpacker.complete()) << size;
  }
  Ledger read;
  const std::string longer = bytes + "x";
  Unpacker unpacker(longer);
  unpacker.read(read);
  EXPECT_FALSE(unpacker.complete());
}

TEST(Packed, AHugeLengthAllocatesNothing) {
  std::vector<std::string> list;
  std::string text;
  const std::string bytes(9, '\xff');
  for (const std::string& end : {std::string("\x01"), std::string()}) {
    const std::string huge = bytes + end;
    Unpacker one(huge), two(huge);
    one.read(list);
    two.read(text);
    EXPECT_TRUE(list.empty() && text.empty());
    EXPECT_FALSE(one.complete() || two.complete());
  }
}

TEST(Packed, TheShapeTellsNamesAndNesting) {
  std::string shape;
  shape_of<Numbers>(shape);
  EXPECT_EQ(shape, "{least nmost nlarge nfraction nyes n}");
  shape.clear();
  shape_of<std::vector<std::map<std::string, std::optional<Position>>>>(shape);
  EXPECT_EQ(shape, "*%?{line ncolumn n}");
}

}  // namespace
}  // namespace gitplan
