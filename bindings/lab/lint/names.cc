// A cohort and a namespace come to be by being named, so a misspelt one is a new one. It shows by
// being named once, beside a name that is nearly the same. A misspelt Cohort object shows by being
// named by none, while others name one of nearly the same name that no object declares.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/quote.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;

constexpr std::size_t kComparisons = 200000;  ///< in one call; advice is not worth more

/// Where a name is used: by an object of the call, or by one that the engine holds.
struct Uses {
  std::size_t count = 0;
  std::optional<std::size_t> object;  ///< the last of the call's
  std::string field;
};

class NameUses {
 public:
  void Declare(const std::string& name) { declared_.emplace(name, std::nullopt); }
  /// By an object of the call.
  void Declare(const std::string& name, std::size_t object) { declared_[name] = object; }
  void Use(const std::string& name) {
    if (!name.empty()) ++uses_[name].count;
  }
  void Use(const std::string& name, std::size_t object, std::string field) {
    if (name.empty()) return;
    Uses& uses = uses_[name];
    ++uses.count;
    uses.object = object;
    uses.field = std::move(field);
  }

  /// A warning for every object of the call that declares a name which none uses, beside one that
  /// looks alike, is not declared, and is used by several or by what the engine holds.
  std::vector<Diagnostic> Unused(const manifest::Manifests& manifests,
                                 std::string_view kind) const {
    std::vector<Diagnostic> found;
    std::size_t compared = 0;
    for (const auto& [name, object] : declared_) {
      if (!object || uses_.contains(name)) continue;
      compared += uses_.size();
      if (compared > kComparisons) break;
      const auto near = std::find_if(uses_.begin(), uses_.end(), [&, &name = name](auto& each) {
        const bool stands = each.second.count > 1 || !each.second.object;
        return stands && !declared_.contains(each.first) && LookAlike(name, each.first);
      });
      if (near == uses_.end()) continue;
      found.push_back(Advice(manifests, *object, "metadata.name",
                             "nothing names the " + std::string(kind) + " " +
                                 manifest::Quoted(name) + ", and no object declares " +
                                 manifest::Quoted(near->first) + ", which is named",
                             "write " + manifest::Quoted(near->first) + " if that is meant"));
    }
    return found;
  }

  /// A warning for every name that one object of the call alone uses and that looks misspelt.
  std::vector<Diagnostic> Suspicious(const manifest::Manifests& manifests,
                                     std::string_view noun) const {
    std::set<std::string_view> known;
    for (const auto& [name, object] : declared_) known.insert(name);
    for (const auto& [name, uses] : uses_) {
      if (uses.count > 1 || !uses.object) known.insert(name);
    }
    std::vector<Diagnostic> found;
    std::size_t compared = 0;
    for (const auto& [name, uses] : uses_) {
      if (known.contains(name)) continue;
      compared += known.size();
      if (compared > kComparisons) break;
      const auto near = std::find_if(known.begin(), known.end(),
                                     [&name = name](auto each) { return LookAlike(name, each); });
      // Of two such names the second is the one that is warned of.
      known.insert(name);
      if (near == known.end()) continue;
      found.push_back(Advice(manifests, *uses.object, uses.field,
                             "only this names the " + std::string(noun) + " " +
                                 manifest::Quoted(name) + ", which is created with it",
                             "write " + manifest::Quoted(*near) + " if that is meant"));
    }
    return found;
  }

 private:
  std::map<std::string, std::optional<std::size_t>> declared_;  ///< and by which of the call's
  std::map<std::string, Uses> uses_;
};

/// Calls `look` with every object of the call and its number. Those with mistakes are among them:
/// what they name is named, so that no other seems alone.
template <typename Look>
void ForEachObject(const manifest::Manifests& manifests, const Look& look) {
  std::size_t number = 0;
  for (const auto* const objects : {&manifests.objects, &manifests.left_out}) {
    for (const Object& object : *objects) look(object, number++);
  }
}

/// Names of the objects of one kind in the call: what the engine holds of them is replaced.
std::set<std::string> NamesIn(const manifest::Manifests& manifests, ObjectKind kind) {
  std::set<std::string> names;
  ForEachObject(manifests, [&](const Object& object, std::size_t) {
    if (KindOf(object) == kind) names.insert(KeyOf(object).name);
  });
  return names;
}

std::vector<Diagnostic> LintCohortNames(const manifest::Manifests& manifests,
                                        const Engine& engine) {
  if (!AnyObject(manifests, [](const Object& object) {
        return std::holds_alternative<Cohort>(object) ||
               std::holds_alternative<ClusterQueue>(object);
      })) {
    return {};
  }
  NameUses names;
  ForEachObject(manifests, [&names](const Object& object, std::size_t i) {
    if (const auto* cohort = std::get_if<Cohort>(&object)) {
      names.Declare(cohort->name, i);
      names.Use(cohort->parent, i, "spec.parentName");
    } else if (const auto* queue = std::get_if<ClusterQueue>(&object)) {
      names.Use(queue->cohort, i, "spec.cohortName");
    }
  });
  const std::set<std::string> cohorts = NamesIn(manifests, ObjectKind::kCohort);
  for (const CohortView& cohort : Read(engine.Cohorts())) {
    if (cohort.implicit || cohorts.contains(cohort.spec.name)) continue;
    names.Declare(cohort.spec.name);
    names.Use(cohort.spec.parent);
  }
  const std::set<std::string> queues = NamesIn(manifests, ObjectKind::kClusterQueue);
  for (const ClusterQueueView& queue : Read(engine.ClusterQueues())) {
    if (!queues.contains(queue.spec.name)) names.Use(queue.spec.cohort);
  }
  std::vector<Diagnostic> found = names.Suspicious(manifests, "cohort");
  for (Diagnostic& unused : names.Unused(manifests, "Cohort")) found.push_back(std::move(unused));
  return found;
}

/// A ledger does not know which of its namespaces an object declared; so any that it has is one,
/// and a LocalQueue in another may be misspelt, or lack its `namespace`.
std::vector<Diagnostic> NewNamespaces(const manifest::Manifests& manifests,
                                      std::set<std::string> known) {
  known.merge(NamesIn(manifests, ObjectKind::kNamespace));
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* local = std::get_if<LocalQueue>(&manifests.objects[i]);
    if (local == nullptr || !known.insert(local->key.ns).second) continue;
    found.push_back(Advice(manifests, i, "metadata.namespace",
                           "no Namespace declares " + manifest::Quoted(local->key.ns) +
                               ", which is created with this LocalQueue",
                           "add kind: Namespace, or correct the name"));
  }
  return found;
}

std::vector<Diagnostic> LintNamespaceNames(const manifest::Manifests& manifests,
                                           const Engine& engine) {
  if (!AnyObject(manifests, [](const Object& object) { return !KeyOf(object).ns.empty(); })) {
    return {};
  }
  NameUses names;
  std::set<std::string> there;
  for (const Object& object : Read(engine.Objects(ObjectKind::kNamespace))) {
    names.Declare(KeyOf(object).name);
    there.insert(KeyOf(object).name);
  }
  names.Declare("default");
  ForEachObject(manifests, [&names](const Object& object, std::size_t i) {
    if (KindOf(object) == ObjectKind::kNamespace) names.Declare(KeyOf(object).name);
    names.Use(KeyOf(object).ns, i, "metadata.namespace");
  });
  std::vector<Diagnostic> found = names.Suspicious(manifests, "namespace");
  if (found.empty() && !there.empty()) found = NewNamespaces(manifests, std::move(there));
  return found;
}

}  // namespace

std::vector<Diagnostic> LintNames(const manifest::Manifests& manifests, const Engine& engine) {
  std::vector<Diagnostic> found = LintCohortNames(manifests, engine);
  const std::vector<Diagnostic> namespaces = LintNamespaceNames(manifests, engine);
  found.insert(found.end(), namespaces.begin(), namespaces.end());
  return found;
}

}  // namespace muster::lab
