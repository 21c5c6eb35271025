// What is shown of a disagreement can be trusted: it is small, still wrong, and can be run.
#include "tests/property/judge.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bindings/manifest/manifest.h"
#include "tests/property/for_each_world.h"

namespace muster::testing {
namespace {

bool HasWorkload(const World& world, const std::string& name) {
  return std::any_of(world.begin(), world.end(), [&](const Object& object) {
    return KindOf(object) == ObjectKind::kWorkload && KeyOf(object).name == name;
  });
}

TEST(Judge, ShrinksToWhatTheFailureNeeds) {
  ForEachWorld(100, Seeds::kFixed, [](const World& world, Choices&) {
    const World small = Shrink(world, [](const World& w) { return HasWorkload(w, "w1"); });
    EXPECT_TRUE(HasWorkload(small, "w1"));
    int workloads = 0;
    int queues = 0;
    for (const Object& object : small) {
      workloads += KindOf(object) == ObjectKind::kWorkload;
      queues += KindOf(object) == ObjectKind::kClusterQueue;
    }
    EXPECT_EQ(workloads, 1);
    EXPECT_EQ(queues, 1) << "the queue that the workload is in stays, the others go";
  });
}

TEST(Judge, ACaseReadsBackAsTheWorldItShows) {
  ForEachWorld(300, Seeds::kFixed, [](const World& world, Choices&) {
    const manifest::Source source{"case.yaml", ToCase(world)};
    const manifest::Manifests read = manifest::Parse(std::span(&source, 1));
    for (const manifest::Diagnostic& diagnostic : read.diagnostics) {
      EXPECT_NE(diagnostic.severity, manifest::Severity::kError) << diagnostic.ToString();
    }
    EXPECT_TRUE(read.objects == world) << source.text;
    ASSERT_TRUE(read.scenario.has_value());
    EXPECT_EQ(read.scenario->now, kNow);
  });
}

}  // namespace
}  // namespace muster::testing
