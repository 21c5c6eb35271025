#include "bindings/http/unsaid.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "bindings/http/shared_text.h"

namespace muster::http {
namespace {

std::shared_ptr<const SharedText> Text(const std::string& text, std::size_t connections = 1) {
  return std::make_shared<const SharedText>(text, connections);
}

std::string PartsOf(const Unsaid& unsaid) {
  std::string text;
  for (const auto& part : unsaid.parts()) {
    EXPECT_GT(part.size(), 0U);
    text.append(static_cast<const char*>(part.data()), part.size());
  }
  return text;
}

std::string FileOf(const Unsaid& unsaid) {
  std::string text(100'000, '\0');
  const ssize_t got = pread(unsaid.file(), text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
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
  unsaid.Push(Text("head\r\n"), /*chunk=*/false);
  for (const char* text : {"one", "", "and two", "3"}) unsaid.Push(Text(text), /*chunk=*/true);
  unsaid.Push(Text("0\r\n\r\n"), /*chunk=*/false);
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
    unsaid.Push(Text(text), /*chunk=*/false);
    all += text;
  }
  EXPECT_EQ(SaidBy(unsaid, 1), all);
  EXPECT_EQ(SaidBy(unsaid, 4096), all);
}

TEST(Unsaid, ALongTextForManyIsAChunkOfItsOwnInAFile) {
  const std::string text(20'000, 'x');
  const auto shared = Text(text, 100);
  ASSERT_GE(shared->chunk_file(), 0);
  Unsaid unsaid;
  unsaid.Push(Text("before"), /*chunk=*/true);
  unsaid.Push(shared, /*chunk=*/true);
  unsaid.Push(Text("behind"), /*chunk=*/true);
  EXPECT_EQ(SaidBy(unsaid, 777), "6\r\nbefore\r\n4e20\r\n" + text + "\r\n6\r\nbehind\r\n");
  unsaid.TakeParts();
  EXPECT_EQ(unsaid.file(), -1);
  unsaid.Said();
  unsaid.TakeParts();
  EXPECT_EQ(FileOf(unsaid), PartsOf(unsaid));
}

TEST(Unsaid, WithoutChunksNoFileIsUsed) {
  Unsaid unsaid;
  unsaid.Push(Text(std::string(20'000, 'x'), 100), /*chunk=*/false);
  unsaid.TakeParts();
  EXPECT_EQ(unsaid.file(), -1);
  EXPECT_EQ(PartsOf(unsaid).size(), 20'000U);
}

TEST(SharedText, HasAFileOnlyWhereThatPays) {
  EXPECT_EQ(Text(std::string(20'000, 'x'), 2)->chunk_file(), -1);
  EXPECT_EQ(Text("short", 1000)->chunk_file(), -1);
  SharedTexts many;
  for (int i = 0; i < 1100; ++i) many.push_back(Text(std::string(10'000, 'x'), 10));
  EXPECT_GE(many.front()->chunk_file(), 0);
  EXPECT_EQ(many.back()->chunk_file(), -1);
  many.clear();
  EXPECT_GE(Text(std::string(10'000, 'x'), 10)->chunk_file(), 0);
}

}  // namespace
}  // namespace muster::http
