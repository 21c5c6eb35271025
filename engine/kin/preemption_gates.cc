#include "engine/kin/preemption_gates.h"

#include <algorithm>
#include <string>

namespace muster {

bool HasClosedGate(const WorkloadRecord& workload) {
  const auto& open = workload.spec.status.rare->open_preemption_gates;
  const auto& gates = workload.series().preemption_gates;
  return std::any_of(gates.begin(), gates.end(), [&](const std::string& gate) {
    return std::find(open.begin(), open.end(), gate) == open.end();
  });
}

}  // namespace muster
