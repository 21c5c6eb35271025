#include "bindings/http/unsaid.h"

#include <gtest/gtest.h>

#include <string>

#include "bindings/http/shared_text.h"

namespace muster::http {
namespace {

std::string PartsOf(const Unsaid& unsaid) {
  std::string text;
  for (const auto& part : unsaid.parts()) {
    EXPECT_GT(part.size(), 0U);
    text.append(static_cast<const char*>(part.data()), part.size());
  }
  return text;
}

/// All that is said of it, where each write takes at most `most` bytes at once.
std::string SaidBy(Unsaid unsaid, std::size_t most) {
  std::string said;
  while (!unsaid.empty()) {
    unsaid.TakeParts();
    while (!unsaid.parts().empty()) {
      const std::string part = PartsOf(unsaid).substr(0, most);
      said += part;
      unsaid.DropSent(part.size());
    }
    unsaid.Said();
  }
  EXPECT_EQ(unsaid.bytes(), 0U);
  return said;
}

TEST(Unsaid, TextsThatGatheredAreOneChunk) {
  Unsaid unsaid;
  unsaid.Push(Share("head\r\n"), /*chunk=*/false);
  for (const char* text : {"one", "", "and two", "3"}) unsaid.Push(Share(text), /*chunk=*/true);
  unsaid.Push(Share("0\r\n\r\n"), /*chunk=*/false);
  EXPECT_EQ(unsaid.bytes(), 22U);
  for (const std::size_t most : {1U, 2U, 7U, 1000U}) {
    EXPECT_EQ(SaidBy(unsaid, most), "head\r\nb\r\noneand two3\r\n0\r\n\r\n");
  }
}

TEST(Unsaid, OfManyTextsEachIsSaidOnceAndInOrder) {
  Unsaid unsaid;
  std::string all;
  for (int i = 0; i < 500; ++i) {
    const std::string text = std::to_string(i) + "\n";
    unsaid.Push(Share(text), /*chunk=*/false);
    all += text;
  }
  EXPECT_EQ(SaidBy(unsaid, 1), all);
  EXPECT_EQ(SaidBy(unsaid, 4096), all);
}

}  // namespace
}  // namespace muster::http
