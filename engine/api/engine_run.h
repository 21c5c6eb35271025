// Engine::State::Run: what every call that changes something has in common.
#ifndef MUSTER_ENGINE_API_ENGINE_RUN_H_
#define MUSTER_ENGINE_API_ENGINE_RUN_H_

#include "engine/api/engine_state.h"
#include "engine/codec/command_codec.h"
#include "engine/concurrent/controller.h"
#include "engine/hand_over/consumers.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/policy/policy_ticks.h"
#include "engine/state/records.h"
#include "engine/state/variant_marks.h"

namespace muster {

template <typename Input, typename Function>
Status Engine::State::Run(const Input& input, TimeNs now, Function command) {
  constexpr CommandKind kKind = kCommandKindOf<Input>;
  if (Status far = CheckTime(now); !far.ok()) return far;
  if (kKind == CommandKind::kCycle && world.hand_over.IsFull()) {
    return TooFarBehind(world.hand_over);
  }
  touched = true;
  const TimeNs before = world.now;
  AdvanceTo(now);
  if (kKind != CommandKind::kCycle || before != world.now) memory.rest.Disturb();
  if (!world.changes.empty()) world.changes = Changes{};
  world.changes.recording = journal != nullptr;
  world.changes.watching = !world.jobs.empty() || MakesVariants(world);
  WakeByTicks(world, policies, before);
  if (!world.accounts.empty()) world.accounts.ForgetEmpty(world, before);
  TakeWakesDue(world, kKind == CommandKind::kCycle ? NextCall::kCycle : NextCall::kOther,
               before != world.now);
  FlushWakes(world);
  Status status = command();
  ReconcileJobs(world);
  ForgetOldFinished(world);
  ForgetResources(world);
  FlushWakes(world);
  if (!status.ok() || journal == nullptr || world.changes.empty()) return status;
  ByteWriter writer;
  EncodeCommand(writer, input);
  return MakeDurable(kKind, writer.Take());
}

inline Status NoPolicy() {
  return Status(StatusCode::kInvalidArgument, "a policy is missing: the pointer to it is null");
}

inline Status UnknownWorkload(const Key& key) {
  if (!key.ns.empty()) {
    return Status(StatusCode::kNotFound, "there is no workload " + key.ToString());
  }
  return Status(StatusCode::kNotFound, "there is no workload " + key.name +
                                           " without a namespace; name it as NAMESPACE/" +
                                           key.name);
}

/// A gateway knows of the job alone: what becomes of it is said of the job. Ok: it is no variant
/// that the engine made.
inline Status MayBeTold(const World& world, const WorkloadRecord& workload) {
  const WorkloadRecord* const job = workload.of_job ? JobOf(world, workload) : nullptr;
  if (job == nullptr) return Status::Ok();
  return Status(StatusCode::kFailedPrecondition, workload.spec.key.ToString() +
                                                     " is a variant of " +
                                                     job->spec.key.ToString() + "; name that");
}

}  // namespace muster

#endif  // MUSTER_ENGINE_API_ENGINE_RUN_H_
