// A shared library with the engine in it: what it shows is the embedder's own.
#include <cstdio>

#include "muster/muster.h"

extern "C" int PluginDecides();

int PluginDecides() {
  muster::Engine engine;
  const muster::Status applied = muster::ApplyYaml(
      engine,
      "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}",
      muster::WallClock());
  const auto cycle = engine.RunCycle(muster::WallClock());
  if (!applied.ok()) std::printf("plugin: %s\n", applied.message().c_str());
  return applied.ok() && cycle.ok() && cycle->at_rest ? 0 : 1;
}
