// Names that are close to one that was not found, or that nothing else uses.
#ifndef MUSTER_BINDINGS_LAB_NEAR_NAMES_H_
#define MUSTER_BINDINGS_LAB_NEAR_NAMES_H_

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "muster/engine.h"
#include "muster/object.h"
#include "muster/status.h"

namespace muster::lab {

/// Whether one of two names may be the other misspelt: few letters differ, and not in a number nor
/// in a part of one or two letters, as names differ on purpose (team-a and team-b, h100 and a100).
bool LookAlike(std::string_view a, std::string_view b);

/// Gives each problem about something that is not there a better cure where `objects` or `engine`
/// have a name close to it: of the same kind and namespace, or the same LocalQueue elsewhere.
void ProposeNames(std::span<const Object> objects, const Engine& engine,
                  std::vector<Problem>* problems);

/// "there is no ClusterQueue rde; write red"; the name that is close, or else `otherwise`.
std::string UnknownObject(const Engine& engine, ObjectKind kind, const Key& key,
                          const std::string& otherwise);

/// The same, where `keys` are those that there are.
std::string UnknownObject(const std::set<Key>& keys, ObjectKind kind, const Key& key,
                          const std::string& otherwise);

/// "; write red" when there is an object of that kind with a name close to that of `key`.
std::string NearName(const Engine& engine, ObjectKind kind, const Key& key);

/// "there is no workload 'x'; " and what to write instead: the one of a name that looks alike, or
/// of that name in another namespace, else how to find it. Names that differ on purpose, as run-1
/// and run-2 do, are not proposed: what follows may evict. `nothing`: what to say when the engine
/// has no workload at all. O(workloads).
std::string UnknownWorkload(const Engine& engine, const Key& key, std::string_view nothing);
/// The same, where `all` are those that there are.
std::string UnknownWorkload(const std::set<Key>& all, const Key& key, std::string_view nothing);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_NEAR_NAMES_H_
