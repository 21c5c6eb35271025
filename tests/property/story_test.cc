// The engine against the naive reference in random stories: after every step the same state.
#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"

namespace muster::testing {
namespace {

void CheckAgreement(const Story& story, Choices&) {
  const std::optional<std::string> disagreement = FindDisagreement(story);
  EXPECT_FALSE(disagreement.has_value()) << *disagreement;
}

TEST(Stories, EngineAndReferenceAgreeAfterEveryStep) {
  ForEach(MakeRandomStory, 400, Seeds::kFixed, CheckAgreement);
}

TEST(LongStories, EngineAndReferenceAgreeAfterEveryStep) {
  ForEach(MakeRandomStory, 20'000, Seeds::kFresh, CheckAgreement);
}

}  // namespace
}  // namespace muster::testing
