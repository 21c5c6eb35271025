// Texts: shared, compared, and the words that are known.
#include "muster/text.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "engine/base/words.h"

namespace muster {
namespace {

TEST(Text, ReadsAsWhatItWasMadeOf) {
  const Text text = "Preempted to accommodate a workload";
  EXPECT_EQ(text, "Preempted to accommodate a workload");
  EXPECT_EQ(text.size(), 35u);
  EXPECT_EQ(std::string(text), text.str());
  EXPECT_EQ("why: " + text, "why: Preempted to accommodate a workload");
  EXPECT_EQ(text + "!", "Preempted to accommodate a workload!");
  EXPECT_TRUE(text.starts_with("Preempted"));
  std::ostringstream out;
  out << text;
  EXPECT_EQ(out.str(), text.str());
}

TEST(Text, IsEmptyInOneWayOnly) {
  Text cleared = "some";
  cleared.clear();
  EXPECT_TRUE(cleared.empty());
  EXPECT_TRUE(Text("").empty());
  EXPECT_EQ(Text(""), Text());
  EXPECT_EQ(Text(), "");
}

TEST(Text, CopiesShareTheirCharacters) {
  const Text first = "not a known word";
  Text second = first;
  EXPECT_EQ(first.view().data(), second.view().data());
  second = "another";
  EXPECT_EQ(first, "not a known word");
  second = first;
  Text& itself = second;
  second = std::move(itself);
  EXPECT_EQ(second, first);
}

TEST(Text, OutlivesTheOneItWasCopiedFrom) {
  Text copy;
  {
    const Text text = std::string("made and forgotten");
    copy = text;
  }
  EXPECT_EQ(copy, "made and forgotten");
}

TEST(Text, ComparesByCharacters) {
  EXPECT_EQ(Text("one"), Text("one"));
  EXPECT_NE(Text("one"), Text("two"));
  EXPECT_LT(Text("a"), Text("b"));
  EXPECT_LT(Text(), Text("a"));
  EXPECT_EQ((std::set<Text>{"b", "a", "b"}).size(), 2u);
}

TEST(Text, AKnownWordIsTheSameWhereverItComesFrom) {
  const std::string read = "Admitted";
  const Text text = read;
  EXPECT_EQ(text, condition::kAdmitted);
  EXPECT_NE(text, condition::kEvicted);
  EXPECT_EQ(text.view().data(), Text(condition::kAdmitted).view().data());
  EXPECT_EQ(Text(condition::kAdmitted), Text(read));
  EXPECT_NE(Text(condition::kAdmitted), Text(condition::kEvicted));
}

TEST(Text, AWordThatNobodyListedIsComparedByCharacters) {
  constexpr KnownWord kUnlisted = kWord<"NobodyListedThis">;
  EXPECT_EQ(Text(std::string("NobodyListedThis")), kUnlisted);
  EXPECT_EQ(Text(kUnlisted), Text(std::string("NobodyListedThis")));
  EXPECT_NE(Text(std::string("another")), kUnlisted);
}

TEST(KnownWords, AreInOrderAndEachOnce) {
  const auto words = KnownWords();
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view before = words[i - 1];
    const std::string_view word = words[i];
    EXPECT_TRUE(before.size() < word.size() || (before.size() == word.size() && before < word));
  }
  for (const KnownWord word : words) EXPECT_EQ(Text(std::string_view(word)), word);
}

}  // namespace
}  // namespace muster
