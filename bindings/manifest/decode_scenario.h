// Scenario: what happens to the objects of the files, step by step.
#ifndef MUSTER_BINDINGS_MANIFEST_DECODE_SCENARIO_H_
#define MUSTER_BINDINGS_MANIFEST_DECODE_SCENARIO_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "bindings/manifest/decode.h"

namespace muster::manifest {

/// A key that a step names, and where, so that it can be looked up when all files are read.
struct KeyUse {
  Key workload;
  Place place;
};

struct ScenarioText {
  Scenario scenario;
  std::vector<KeyUse> uses;  ///< workloads that steps name
  /// What the step of that index submits: workloads that any of the files may describe.
  std::vector<std::pair<std::size_t, std::vector<Key>>> submits;
};

/// Reads a Scenario document; reports every mistake in it.
ScenarioText DecodeScenario(const Value& document);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_DECODE_SCENARIO_H_
