// The helper that runs programs: a wrong exit code here would hide failures everywhere else.
#include "tests/testing/command.h"

#include <gtest/gtest.h>

#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

TEST(RunCommand, KeepsBothStreamsApartAndTheExitCode) {
  const CommandResult result = RunCommand({"sh", "-c", "echo said; echo wrong >&2; exit 3"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "said\n");
  EXPECT_EQ(result.err, "wrong\n");
}

TEST(RunCommand, PassesInputDirectoryAndEnvironment) {
  const TemporaryDirectory directory;
  directory.Write("file.txt", "from the file\n");
  const CommandResult result = RunCommand(
      {"sh", "-c", "cat; cat file.txt; echo $WORD"},
      {.input = "typed\n", .directory = directory.path(), .environment = {{"WORD", "set"}}});
  EXPECT_EQ(result.out, "typed\nfrom the file\nset\n");
}

TEST(RunCommand, SaysWhenAProgramIsMissingOrKilled) {
  EXPECT_EQ(RunCommand({"no-such-program-here"}).exit_code, 127);
  EXPECT_EQ(RunCommand({"sh", "-c", "kill -9 $$"}).exit_code, 128 + 9);
}

}  // namespace
}  // namespace muster::testing
