// The tables of the catalog by the kind of their objects, and every object that is not a workload
// by kind and name.
#ifndef MUSTER_ENGINE_STATE_CATALOG_TABLES_H_
#define MUSTER_ENGINE_STATE_CATALOG_TABLES_H_

#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/model/kinds.h"
#include "engine/state/world.h"
#include "muster/object.h"

namespace muster {

/// Every kind of which there is a table. Those that are missing here are queues and workloads,
/// which have a state of their own, and configurations, of which there is one.
inline constexpr auto kCatalogTables = std::tuple{&Catalog::flavors,
                                                  &Catalog::cohorts,
                                                  &Catalog::workload_priority_classes,
                                                  &Catalog::priority_classes,
                                                  &Catalog::namespaces,
                                                  &Catalog::limit_ranges,
                                                  &Catalog::runtime_classes,
                                                  &Catalog::admission_checks,
                                                  &Catalog::topologies,
                                                  &Catalog::nodes,
                                                  &Catalog::pods,
                                                  &Catalog::policy_bindings};

/// The name of an object in its table: the key of a kind that has namespaces, else the bare name.
template <typename Table>
const auto& NameIn(const Table&, const Key& key) {
  if constexpr (std::is_same_v<typename Table::key_type, Key>) {
    return key;
  } else {
    return key.name;
  }
}

/// Calls visit(table) with the table of `kind`; false when it has none. `catalog` may be const.
template <typename AnyCatalog, typename Visitor>
bool VisitTable(AnyCatalog& catalog, ObjectKind kind, Visitor visit) {
  const auto visit_if = [&](auto& table) {
    using Spec = typename std::remove_cvref_t<decltype(table)>::mapped_type;
    if (kKindOf<Spec> != kind) return false;
    visit(table);
    return true;
  };
  return std::apply([&](auto... member) { return (visit_if(catalog.*member) || ...); },
                    kCatalogTables);
}

/// The table of objects of type `Spec`.
template <typename Spec>
auto& TableOf(Catalog& catalog) {
  constexpr auto pick = []<typename First, typename... Rest>(auto self, First member,
                                                             Rest... rest) {
    using Table = std::remove_cvref_t<decltype(std::declval<Catalog&>().*member)>;
    if constexpr (std::is_same_v<typename Table::mapped_type, Spec>) {
      return member;
    } else {
      return self(self, rest...);
    }
  };
  return catalog.*std::apply([&](auto... member) { return pick(pick, member...); }, kCatalogTables);
}

/// The object as applied; nullopt when there is none. Not for workloads. O(log objects).
std::optional<Object> FindObject(const World& world, ObjectKind kind, const Key& key);

/// Whether FindObject would find it; of workloads, whether one has that name.
bool ObjectExists(const World& world, ObjectKind kind, const Key& key);

/// All of a kind, by name. Not for workloads. O(objects).
std::vector<Object> ObjectsOf(const World& world, ObjectKind kind);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_CATALOG_TABLES_H_
