// What becomes of workloads, read from the status that their objects' own controllers write: the
// way back of start_objects.h.
#ifndef MUSTER_BINDINGS_MANIFEST_OBSERVE_OBJECTS_H_
#define MUSTER_BINDINGS_MANIFEST_OBSERVE_OBJECTS_H_

#include <span>
#include <string>
#include <vector>

#include "bindings/manifest/job_objects.h"
#include "muster/command.h"
#include "muster/engine.h"

namespace muster::manifest {

/// What an object says of a workload, and the commands that tell an engine what it did not know.
struct Observed {
  Key workload;
  std::string result;  ///< finished, failed, evicted, reclaimed, ready, not ready, unchanged,
                       ///< cannot start, on hold, queued of one that is on hold no more, or waits
                       ///< of a group that has lost a pod before it had all
  std::vector<Command> commands;
  bool silent = false;  ///< the object has no status, and so says nothing
};

/// Whether one of them is of a job kind and in a queue.
bool AreQueued(const Engine& engine, const JobObjects& read);

/// What `job` says; nothing of one that is in no queue. Of an elastic job that has ended all slices
/// are meant, else the one that runs. kNotFound: the engine has no workload of it.
Result<std::vector<Observed>> Observe(const Engine& engine, const JobObject& job);

/// What is said of workloads of replicas that their objects have no more.
std::vector<Observed> ObserveGone(const Engine& engine, const JobObjects& read);

/// What Observe has not found, and the cure.
std::string WhatLacks(const JobObject& job);
std::string CureOfLack(const JobObject& job);

/// Tells the engine what all jobs say, one after another; all of them are known to it, or nothing
/// is told. Telling it twice changes nothing.
Result<std::vector<Observed>> ObserveAll(Engine* engine, const JobObjects& read, TimeNs now);

/// {"objects": [{"kind": "Workload", "name", "result"}]}, as `muster observe -o json` prints it,
/// and "warnings": [{"message", "cure"}] where objects say nothing.
std::string ToJson(std::span<const Observed> observed);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_OBSERVE_OBJECTS_H_
