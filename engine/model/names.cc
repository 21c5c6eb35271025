// The naming functions that the public headers promise, over the tables of names.h.
#include "engine/model/names.h"

namespace muster {

std::string_view KindName(ObjectKind kind) { return RowOf(kind).name; }
std::string_view ReasonName(PendingReason reason) { return EnumName(reason); }
std::string_view ReasonName(PreemptionReason reason) { return EnumName(reason); }
std::string_view ModeName(FlavorMode mode) { return EnumName(mode); }
std::string_view ProofName(SearchProof proof) { return EnumName(proof); }
std::string_view RuleName(SparingRule rule) { return EnumName(rule); }
std::string_view PhaseName(WorkloadPhase phase) { return EnumName(phase); }
std::string_view EventName(EventKind kind) { return EnumName(kind); }
std::string_view CommandName(CommandKind kind) { return EnumName(kind); }
std::string_view DecisionName(DecisionKind kind) { return EnumName(kind); }
std::string_view HookName(Hook hook) { return EnumName(hook); }
std::optional<Hook> HookFromName(std::string_view name) { return EnumFromName<Hook>(name); }

Key KeyOf(const Object& object) {
  return std::visit([](const auto& spec) { return KeyOfSpec(spec); }, object);
}

}  // namespace muster
