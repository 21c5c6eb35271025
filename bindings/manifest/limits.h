// Every limit of the manifest reader in one place. Beyond them an input is refused with its place,
// so that no text can exhaust the stack, the memory or the reader of the messages.
#ifndef MUSTER_BINDINGS_MANIFEST_LIMITS_H_
#define MUSTER_BINDINGS_MANIFEST_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace muster::manifest {

inline constexpr std::size_t kMaxSourceBytes = std::size_t{256} << 20;  ///< one file
inline constexpr std::size_t kMaxDepth = 64;              ///< nesting of lists and mappings
inline constexpr std::size_t kMaxAliasNodes = 1'000'000;  ///< nodes that aliases repeat, a document
inline constexpr std::size_t kMaxDiagnostics = 500;       ///< kept; the rest is only counted
inline constexpr std::int32_t kMaxTopologyDomains = 100'000;  ///< of one slice, as in Kueue
inline constexpr std::int32_t kMaxStepCycles = 10'000;        ///< of one step of a Scenario
inline constexpr std::size_t kMaxListed = 16;                 ///< names that one message enumerates

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_LIMITS_H_
