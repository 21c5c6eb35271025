// What one run cannot do, and what the system cannot give, is said; nothing ends the process.
#include "bindings/cli/world/side_by_side.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <new>
#include <sstream>
#include <stdexcept>

namespace muster::cli {
namespace {

class SideBySide : public ::testing::Test {
 protected:
  std::vector<Status> Run(const std::vector<SideRun>& runs) {
    Io io{in_, out_, err_, Paint(), Paint()};
    return RunSideBySide(runs, 1, "job", io);
  }

  std::istringstream in_;
  std::ostringstream out_, err_;
};

TEST_F(SideBySide, ARunThatFindsNoMemoryEndsAlone) {
  const SideRun runs_well = [](const KeepOn&) { return Status::Ok(); };
  const std::vector<Status> ends =
      Run({runs_well, [](const KeepOn&) -> Status { throw std::bad_alloc(); }, runs_well,
           [](const KeepOn&) -> Status { throw std::runtime_error("odd"); }});
  ASSERT_EQ(ends.size(), 4U);
  EXPECT_TRUE(ends[0].ok() && ends[2].ok());
  EXPECT_EQ(ends[1].message(), "out of memory");
  EXPECT_EQ(ends[1].code(), StatusCode::kUnavailable);
  EXPECT_EQ(ends[3].message(), "an exception: odd");
}

TEST_F(SideBySide, SaysThatTheSystemGivesNoThread) {
  pthread_attr_t usual, huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_attr_init(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 47),
            0);  // all that can be addressed
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  bool ran = false;
  const std::vector<Status> ends = Run({[&ran](const KeepOn&) {
    ran = true;
    return Status::Ok();
  }});
  ASSERT_EQ(pthread_setattr_default_np(&usual), 0);
  EXPECT_FALSE(ran);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].code(), StatusCode::kUnavailable);
  EXPECT_EQ(ends[0].message(), "the system gives no thread for a run");
}

}  // namespace
}  // namespace muster::cli
