// Memory runs out while a long text is read by several threads: the caller is told, and no thread
// ends the process.
#include <gtest/gtest.h>

#include <new>
#include <string>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_parser.h"
#include "tests/testing/failing_memory.h"

namespace muster::manifest {
namespace {

using testing::FailingMemory;

std::string LongText() {
  std::string text;
  while (text.size() < (std::size_t{1} << 19)) {
    text += "---\nkind: ANameThatIsTooLongForAWord\nitems: [1, 2, 3]\n";
  }
  return text;
}

bool RunsOut(const std::string& text) {
  try {
    const FailingMemory::While counting;
    YamlArena arena;
    Reporter reporter;
    ParseYaml(text, arena, reporter);
  } catch (const std::bad_alloc&) {
    return true;
  }
  return false;
}

TEST(ReadingWithoutMemory, TellsItsCaller) {
  const std::string text = LongText();
  FailingMemory::Arm(0, FailingMemory::Lasting::kOnce);
  EXPECT_FALSE(RunsOut(text));
  const std::int64_t all = FailingMemory::allocations();
  ASSERT_GT(all, 1000);
  for (const auto lasting : {FailingMemory::Lasting::kOnce, FailingMemory::Lasting::kFromThenOn}) {
    for (const std::int64_t part : {1, 2, 5, 10, 50, 90}) {
      FailingMemory::Arm(all * part / 100, lasting);
      EXPECT_TRUE(RunsOut(text)) << part << " of a hundred";
    }
  }
  FailingMemory::Arm(0, FailingMemory::Lasting::kOnce);
}

}  // namespace
}  // namespace muster::manifest
