// See made_variant.h.
#include "engine/concurrent/made_variant.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/hash.h"
#include "engine/model/concurrent.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

constexpr std::size_t kHashDigits = 5;
constexpr std::size_t kLongestName = 253;
constexpr std::string_view kInfix = "-variant-";

bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// Without "-5e0ab" at its end.
std::string_view WithoutHash(std::string_view name) {
  if (name.size() <= kHashDigits + 1) return name;
  const std::string_view hash = name.substr(name.size() - kHashDigits);
  const bool has_hash = name[name.size() - kHashDigits - 1] == '-' &&
                        std::all_of(hash.begin(), hash.end(), IsHexDigit);
  return has_hash ? name.substr(0, name.size() - kHashDigits - 1) : name;
}

std::string HashOf(std::string_view job, std::string_view flavor, std::uint64_t attempt) {
  std::uint64_t bits = Hasher128().Add(job).Add(flavor).Add(attempt).Value().low;
  std::string digits;
  for (std::size_t i = 0; i < kHashDigits; ++i, bits >>= 4) digits += "0123456789abcdef"[bits % 16];
  return digits;
}

}  // namespace

std::string NameOfVariant(const World& world, const Key& job, std::string_view flavor) {
  std::string stem(WithoutHash(job.name));
  stem.append(kInfix).append(flavor);
  stem.resize(std::min(stem.size(), kLongestName - kHashDigits - 1));
  while (stem.ends_with('-') || stem.ends_with('.')) stem.pop_back();
  for (std::uint64_t attempt = 0;; ++attempt) {
    std::string name = stem + "-" + HashOf(job.name, flavor, attempt);
    if (world.FindWorkload(Key{job.ns, name}) == nullptr) return name;
  }
}

Workload VariantFor(const WorkloadRecord& job, std::string_view flavor) {
  Workload variant = WholeWorkload(job);
  WorkloadStatus status;
  status.reclaimable_pods = variant.status.reclaimable_pods;
  variant.status = status;
  variant.variant_of = ParentWorkload{job.spec.key.name, std::string(variant.uid)};
  variant.uid.clear();
  variant.active = true;
  variant.max_execution_seconds.reset();
  variant.annotations[std::string(kAllowedFlavorsAnnotation)] = std::string(flavor);
  SharedList<std::string>& gates = variant.preemption_gates;
  if (std::find(std::as_const(gates).begin(), std::as_const(gates).end(), kVariantGate) ==
      std::as_const(gates).end()) {
    gates.push_back(std::string(kVariantGate));
  }
  return variant;
}

}  // namespace muster
