// Payloads of events: what happened, as compact JSON with Kueue's words.
#ifndef MUSTER_ENGINE_RECORD_PAYLOAD_H_
#define MUSTER_ENGINE_RECORD_PAYLOAD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/codec/written_memory.h"
#include "engine/state/whole_workload.h"
#include "muster/decision.h"
#include "muster/policy.h"
#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

/// The workload as it was submitted: its canonical JSON.
std::string SubmittedPayload(const WorkloadRecord& workload, WrittenMemory& memory);
/// {"clusterQueue":..., "podSets":[{"name":..., "count":..., "flavors":{...}, "charged":{...}}]};
/// "charged" is what all pods of the podset take of each resource, in base units: thousandths of a
/// cpu, bytes, whole units of everything else. Behind them "boost", unless it is 0.
std::string AdmissionPayload(const Admission& admission, std::int32_t boost);
/// {"reason":..., "by":"ns/name", "boost":..., "byBoost":...}; boosts of 0 are left out
std::string PreemptionPayload(std::string_view reason, std::int32_t boost, const Key& by,
                              std::int32_t by_boost);
/// {"hash":..., "by":..., "why":..., "stopped":["package hook", ...]}; what is empty is left out
std::string ActivatedPayload(std::string_view hash, const PolicyChange& change,
                             const std::vector<StoppedHook>& stopped);
/// {"active":[hash, ...], "by":..., "why":...}
std::string GenerationsPayload(const std::vector<std::string>& hashes, const PolicyChange& change);
/// {"hash":..., "refused":..., "by":..., "why":...}; "refused" when it was
std::string StagedPayload(std::string_view hash, std::string_view refused,
                          const PolicyChange& change);
/// {"priority":..., "active":..., "reclaimablePods":[{"podSet":..., "count":...}],
/// "podSets":[{...}], "openGates":[...]}; all that Engine::Update can change, as it is afterwards;
/// a priority that is not set is left out.
std::string UpdatePayload(const Workload& workload);
/// {"checkpointed":"2026-01-01T12:00:00Z"}
std::string CheckpointPayload(TimeNs at);
/// The answer of a check as it stands in the status: canonical JSON of AdmissionCheckStatus.
std::string CheckPayload(const AdmissionCheckStatus& check);
/// {"hook":..., "clusterQueue":..., "message":..., "fuel":...}
std::string PolicyFailurePayload(const PolicyFailure& failure);
/// {"reason":..., "message":..., "boost":...}; a boost of 0 is left out
std::string PendingPayload(PendingReason reason, std::string_view message, std::int32_t boost);
/// {"variant":"ns/name", "flavor":...}
std::string VariantPayload(const WorkloadRecord& variant);
/// {"reason":...}
std::string ReasonPayload(std::string_view reason);

}  // namespace muster

#endif  // MUSTER_ENGINE_RECORD_PAYLOAD_H_
