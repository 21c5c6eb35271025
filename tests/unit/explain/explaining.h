// Explaining: an engine whose explanations are asked for, in short words.
#ifndef MUSTER_TESTS_UNIT_EXPLAIN_EXPLAINING_H_
#define MUSTER_TESTS_UNIT_EXPLAIN_EXPLAINING_H_

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {

/// Evicts lower priorities of its own queue, and any workload of another queue that borrows.
inline constexpr PreemptionRules kLowerOrAny{PreemptionPolicy::kLowerPriority,
                                             PreemptionPolicy::kAny, PreemptionPolicy::kNever,
                                             std::nullopt};

class Explaining : public ::testing::Test {
 protected:
  /// Behind a namespace and these flavors.
  explicit Explaining(std::vector<std::string> flavors = {"default"})
      : flavors_(std::move(flavors)) {}

  void Apply(std::vector<Object> objects) {
    std::vector<Object> all{testing::MakeNamespace()};
    for (const std::string& flavor : flavors_) all.emplace_back(testing::MakeFlavor(flavor));
    all.insert(all.end(), objects.begin(), objects.end());
    const Status status = engine_.Apply(all, testing::kNoon, MissingReference::kAccept);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Explanation Of(const std::string& name) { return *engine_.Explain(testing::DefaultKey(name)); }
  Explanation OfNew(const Workload& workload) {
    const Status status = engine_.Submit(std::span(&workload, 1), testing::kNoon);
    EXPECT_TRUE(status.ok()) << status.message();
    return Of(workload.key.name);
  }

  Engine engine_;

 private:
  std::vector<std::string> flavors_;
};

}  // namespace muster

#endif  // MUSTER_TESTS_UNIT_EXPLAIN_EXPLAINING_H_
