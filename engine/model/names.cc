// The naming functions that the public headers promise, over the tables of names.h.
#include "engine/model/names.h"

namespace muster {
namespace {

/// Name used for objects of which there is one.
constexpr std::string_view kSingleton = "default";

template <typename T>
Key KeyOfSpec(const T& spec) {
  if constexpr (requires { spec.key; }) {
    return spec.key;
  } else if constexpr (requires { spec.name; }) {
    return Key{{}, spec.name};
  } else {
    return Key{{}, std::string(kSingleton)};
  }
}

}  // namespace

std::string_view KindName(ObjectKind kind) { return EnumName(kind); }
std::string_view ReasonName(PendingReason reason) { return EnumName(reason); }
std::string_view ReasonName(PreemptionReason reason) { return EnumName(reason); }
std::string_view ModeName(FlavorMode mode) { return EnumName(mode); }
std::string_view PhaseName(WorkloadPhase phase) { return EnumName(phase); }
std::string_view EventName(EventKind kind) { return EnumName(kind); }
std::string_view CommandName(CommandKind kind) { return EnumName(kind); }
std::string_view HookName(Hook hook) { return EnumName(hook); }
std::optional<Hook> HookFromName(std::string_view name) { return EnumFromName<Hook>(name); }

Key KeyOf(const Object& object) {
  return std::visit([](const auto& spec) { return KeyOfSpec(spec); }, object);
}

}  // namespace muster
