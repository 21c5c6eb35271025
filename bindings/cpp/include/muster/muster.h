// muster.h: the one header an embedder includes. The engine, and helpers that read manifests and
// policy packages from text and disk.
//
//   muster::Engine engine;
//   muster::ApplyFile(engine, "queues.yaml", muster::WallClock());
//   engine.Submit(jobs, muster::WallClock());
//   auto cycle = engine.RunCycle(muster::WallClock());
//
// This engine forgets everything with the process; one that does not is a DurableEngine.
#ifndef MUSTER_MUSTER_H_
#define MUSTER_MUSTER_H_

#if __cplusplus < 202002L
#error "Muster's headers are C++20: compile with -std=c++20 or later"
#endif

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "muster/durable_engine.h"
#include "muster/engine.h"

namespace muster {

/// Applies every document of `yaml` (Kueue objects, Jobs, ...; see Engine::Apply). All or nothing:
/// on kInvalidArgument nothing changed, and the message holds every mistake on a line of its own as
/// "name:line:column: what is wrong; what to write instead". `name` stands for the text there.
Status ApplyYaml(Engine& engine, std::string_view yaml, TimeNs now,
                 std::string_view name = "manifest",
                 MissingReference missing = MissingReference::kRefuse);

/// ApplyYaml of a file. kNotFound when it cannot be opened, kUnavailable when it cannot be read.
Status ApplyFile(Engine& engine, const std::string& path, TimeNs now,
                 MissingReference missing = MissingReference::kRefuse);

/// Loads a policy package; hand the result to Engine::ActivatePolicy. `params` as in a
/// PolicyBinding. kNotFound, or kInvalidArgument with the places of the package's mistakes.
Result<std::shared_ptr<Policy>> LoadPolicy(
    const std::string& folder, const std::map<std::string, std::string, std::less<>>& params = {});

/// The system's clock, cut down to the second: conditions are stored at that resolution.
TimeNs WallClock();

}  // namespace muster

#endif  // MUSTER_MUSTER_H_
