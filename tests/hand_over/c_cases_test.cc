// The cases through the C library, as commands in JSON.
#include <gtest/gtest.h>

#include "tests/hand_over/c_door.h"
#include "tests/hand_over/cases.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

TEST(HandOverCases, ComeOutThroughC) {
  const nlohmann::json file = HandOverCases();
  for (const auto& one : file["cases"]) {
    SCOPED_TRACE(NameOf(one));
    const TemporaryDirectory directory;
    CDoor door((directory.path() / "ledger").string());
    Play(file, one, door);
  }
}

}  // namespace
}  // namespace muster::testing
