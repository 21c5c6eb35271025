// A random story: a random world in which time passes, jobs come, end and are withdrawn, and
// everything that an administrator may change is changed under load.
#ifndef MUSTER_TESTS_PROPERTY_RANDOM_STORY_H_
#define MUSTER_TESTS_PROPERTY_RANDOM_STORY_H_

#include "tests/property/story.h"

namespace muster::testing {

/// 10 to 30 steps. Half of the stories change objects, a third has admission fair sharing.
Story MakeRandomStory(Choices& choices);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_RANDOM_STORY_H_
