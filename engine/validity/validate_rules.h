// The rules that many kinds share. Each function adds a problem at `path` when its rule is broken.
#ifndef MUSTER_ENGINE_VALIDITY_VALIDATE_RULES_H_
#define MUSTER_ENGINE_VALIDITY_VALIDATE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "engine/validity/field_path.h"
#include "engine/validity/problem_list.h"
#include "muster/spec.h"

namespace muster {

/// `"text"`, for messages.
std::string Quote(std::string_view text);

// ---- names -------------------------------------------------------------------------------------

/// A required object name or reference: a DNS subdomain, but capitals and underscores are let pass.
void CheckName(const FieldPath& path, std::string_view name, ProblemList& problems);
/// The same where empty means "none".
void CheckOptionalName(const FieldPath& path, std::string_view name, ProblemList& problems);
/// The same without dots, at most 63 characters: namespaces and podsets.
void CheckShortName(const FieldPath& path, std::string_view name, ProblemList& problems);
/// metadata.namespace and metadata.name.
void CheckKey(const Key& key, ProblemList& problems);

/// Prefix/name as labels, taints and resources are called.
void CheckQualifiedName(const FieldPath& path, std::string_view name, std::string_view noun,
                        ProblemList& problems);
void CheckLabelValue(const FieldPath& path, std::string_view value, ProblemList& problems);
void CheckLabels(const FieldPath& path, const LabelMap& labels, ProblemList& problems);

// ---- numbers -----------------------------------------------------------------------------------

/// A list or map that may have at most `max` entries.
void CheckSize(const FieldPath& path, std::size_t size, std::size_t max, ProblemList& problems);
void CheckNotEmpty(const FieldPath& path, std::size_t size, ProblemList& problems);
void CheckAtLeast(const FieldPath& path, std::int64_t value, std::int64_t min,
                  ProblemList& problems);
void CheckNotNegative(const FieldPath& path, Quantity quantity, ProblemList& problems);
/// Names of resources valid, quantities not negative, those of devices whole. Not for quotas, which
/// Kueue lets be divided.
void CheckResources(const FieldPath& path, const ResourceList& resources, ProblemList& problems);
/// A fair sharing weight.
void CheckWeight(const FieldPath& path, double weight, ProblemList& problems);

// ---- uniqueness --------------------------------------------------------------------------------

/// Remembers what was seen; the second of two equal names is the mistake.
class UniqueNames {
 public:
  void Check(const FieldPath& path, std::string_view name, ProblemList& problems);
  void Add(std::span<const std::string> names) { seen_.insert(names.begin(), names.end()); }
  bool Contains(std::string_view name) const { return seen_.contains(name); }

 private:
  std::set<std::string_view> seen_;
};

/// The list names nothing twice.
void CheckUnique(const FieldPath& list, std::span<const std::string> names, ProblemList& problems);

// ---- placement ---------------------------------------------------------------------------------

enum class SelectorUse { kLabels, kNodes };  ///< only nodes know Gt and Lt

void CheckRequirement(const FieldPath& path, const SelectorRequirement& requirement,
                      SelectorUse use, ProblemList& problems);
void CheckSelector(const FieldPath& path, const LabelSelector& selector, ProblemList& problems);
void CheckTaints(const FieldPath& path, std::span<const Taint> taints, ProblemList& problems);
void CheckTolerations(const FieldPath& path, std::span<const Toleration> tolerations,
                      ProblemList& problems);

}  // namespace muster

#endif  // MUSTER_ENGINE_VALIDITY_VALIDATE_RULES_H_
