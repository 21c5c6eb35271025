// Scenario: what happens to the objects of the files, step by step.
#ifndef MUSTER_BINDINGS_MANIFEST_DECODE_SCENARIO_H_
#define MUSTER_BINDINGS_MANIFEST_DECODE_SCENARIO_H_

#include <cstddef>
#include <functional>
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

struct MadeObjects {
  std::vector<Object> objects;
  OpenJobs open;
};
/// What documents of job kinds, read together, are taken for; mistakes in them are reported.
using MakeObjects = std::function<MadeObjects(const std::vector<const YamlNode*>&)>;

/// Reads a Scenario document; reports every mistake in it. `make` is asked about jobs that a step
/// applies.
ScenarioText DecodeScenario(const Value& document, const MakeObjects& make);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_DECODE_SCENARIO_H_
