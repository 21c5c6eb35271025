// Prefetch: asks the memory for what is needed soon, so that there is no wait for it when its turn
// comes. Changes nothing but the time it takes.
#ifndef MUSTER_ENGINE_BASE_PREFETCH_H_
#define MUSTER_ENGINE_BASE_PREFETCH_H_

#include <cstddef>
#include <cstdint>

namespace muster {

inline constexpr std::size_t kCacheLine = 64;  ///< bytes, on all machines that matter

/// The line of `at`, which may point anywhere. The empty statement is for compilers that take a
/// function of nothing but requests for one that does nothing, and leave out calls of it.
inline void PrefetchLine(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}
/// `bytes` from `from` on; may point anywhere.
inline void Prefetch(const void* from, std::size_t bytes) {
  // By number: from nothing on there is no further byte to point at.
  const auto start = reinterpret_cast<std::uintptr_t>(from);
  for (std::size_t at = 0; at < bytes; at += kCacheLine) {
    PrefetchLine(reinterpret_cast<const void*>(start + at));  // NOLINT(performance-no-int-to-ptr)
  }
}
inline void PrefetchRange(const void* from, const void* to) {
  Prefetch(from,
           static_cast<std::size_t>(static_cast<const char*>(to) - static_cast<const char*>(from)));
}
/// The object itself, not what it points to.
template <typename T>
void Prefetch(const T& object) {
  Prefetch(&object, sizeof(T));
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_PREFETCH_H_
