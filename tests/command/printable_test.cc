// Nothing that a plan or an agent writes may move the cursor, change colours or hide text.
#include <gtest/gtest.h>

#include "git-plan/terminal/output.h"

namespace gitplan {
namespace {

TEST(Printable, KeepsTextTabsAndNewlines) {
  EXPECT_EQ(printable("a\tb\nc ä € 😀"), "a\tb\nc ä € 😀");
}

TEST(Printable, DropsEscapeSequencesWhole) {
  EXPECT_EQ(printable("a\x1b[31mb\x1b[0mc"), "abc");
  EXPECT_EQ(printable("a\x1b]0;title\x07"
                      "b"),
            "ab");
  EXPECT_EQ(printable("a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b"), "alinkb");
  EXPECT_EQ(printable("a\x1bPdcs\x1b\\b\x1b(Bc\x1b"
                      "7d"),
            "abcd");
  EXPECT_EQ(printable("a\xC2\x9B"
                      "31mb"),
            "ab");  // C1 CSI
  EXPECT_EQ(printable("a\xC2\x9Dtitle\xC2\x9C"
                      "b"),
            "ab");
  EXPECT_EQ(printable("cut\x1b"), "cut");
  EXPECT_EQ(printable("cut\x1b["), "cut");
}

TEST(Printable, AnOpenSequenceSwallowsItsLineOnly) {
  EXPECT_EQ(printable("a\x1b]0;never ended\nnext"), "a\nnext");
}

TEST(Printable, DropsControlAndReorderingCharacters) {
  EXPECT_EQ(printable(std::string("a\0b\rc\bd\x7f"
                                  "e\x0b",
                                  10)),
            "abcde");
  EXPECT_EQ(printable("a\xC2\x85"
                      "b"),
            "ab");
  EXPECT_EQ(printable("user\u202Egnp.exe\u2066x\u2069"), "usergnp.exex");
}

TEST(Printable, InvalidBytesBecomeTheReplacementCharacter) {
  EXPECT_EQ(printable("a\xff"
                      "b\xC3"),
            "a\uFFFDb\uFFFD");
  EXPECT_EQ(printable("\xC0\xAF"), "\uFFFD\uFFFD");             // overlong
  EXPECT_EQ(printable("\xED\xA0\x80").substr(0, 3), "\uFFFD");  // surrogate
}

TEST(PrintableColored, KeepsColoursAndNothingElse) {
  EXPECT_EQ(printable_colored("\x1b[1;32m+a\x1b[m\x1b[2J\x1b]0;t\x07"), "\x1b[1;32m+a\x1b[m");
}

TEST(OneLine, FlattensAndCuts) {
  EXPECT_EQ(one_line("  a\n\tb  c ", 80), "a b c");
  EXPECT_EQ(one_line("abcdef", 6), "abcdef");
  EXPECT_EQ(one_line("abcdefg", 6), "abcde…");
  EXPECT_EQ(one_line("日本語です", 6), "日本…");
  EXPECT_EQ(one_line("abc", 0), "");
}

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("日本"), 4);
  EXPECT_EQ(display_width("e\u0301"), 1);
}

}  // namespace
}  // namespace gitplan
