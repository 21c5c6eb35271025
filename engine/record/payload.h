// Payloads of events: what happened, as compact JSON with Kueue's words.
#ifndef MUSTER_ENGINE_RECORD_PAYLOAD_H_
#define MUSTER_ENGINE_RECORD_PAYLOAD_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

/// {"clusterQueue":..., "podSets":[{"name":..., "count":..., "flavors":{...}}]}
std::string AdmissionPayload(const Admission& admission);
/// {"reason":..., "by":"ns/name"}
std::string PreemptionPayload(std::string_view reason, const Key& by);
/// {"hash":...}
std::string HashPayload(std::string_view hash);
/// {"reason":...}
std::string ReasonPayload(std::string_view reason);

}  // namespace muster

#endif  // MUSTER_ENGINE_RECORD_PAYLOAD_H_
