// A story in which every call of an engine has something to do, each on arguments made before: what
// is allocated while it runs is the engine's.
#ifndef MUSTER_TESTS_FAULT_ENGINE_MEMORY_STORY_H_
#define MUSTER_TESTS_FAULT_ENGINE_MEMORY_STORY_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "muster/engine.h"

namespace muster::testing {

struct MemoryStep {
  std::string name;
  std::function<Status(Engine&)> call;
};

/// Two queues of a cohort, jobs with checks and podsets; a policy in C++ that asks for memory, and
/// `lua`, which is activated behind it when it is not null.
std::vector<MemoryStep> MemoryStory(std::shared_ptr<Policy> lua);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_FAULT_ENGINE_MEMORY_STORY_H_
