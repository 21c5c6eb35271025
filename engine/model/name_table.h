// NameTable: gives every name of one kind a dense id. Names are never forgotten, so ids stay valid.
#ifndef MUSTER_ENGINE_MODEL_NAME_TABLE_H_
#define MUSTER_ENGINE_MODEL_NAME_TABLE_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/hash.h"
#include "engine/model/ids.h"

namespace muster {

template <typename IdType>
class NameTable {
 public:
  /// The id of `name`, given now if it is new. O(log names).
  IdType Intern(std::string_view name) {
    const auto it = ids_.find(name);
    if (it != ids_.end()) return it->second;
    const IdType id{static_cast<std::uint32_t>(names_.size())};
    const auto inserted = ids_.emplace(std::string(name), id).first;
    names_.push_back(&inserted->first);
    return id;
  }
  /// Invalid when `name` was never interned.
  IdType Find(std::string_view name) const {
    const auto it = ids_.find(name);
    return it == ids_.end() ? IdType{} : it->second;
  }
  const std::string& Name(IdType id) const { return *names_[id.value]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::map<std::string, IdType, std::less<>> ids_;
  std::vector<const std::string*> names_;
};

/// The names that decisions are about: flavors, resources, and their pairs.
class FlavorResources {
 public:
  FlavorId Flavor(std::string_view name) { return flavors_.Intern(name); }
  ResourceId Resource(std::string_view name) {
    const ResourceId id = resources_.Intern(name);
    if (id.value == visit_order_.size()) visit_order_.push_back(Fnv1a64(name));
    return id;
  }
  /// Invalid when it was never named.
  ResourceId FindResource(std::string_view name) const { return resources_.Find(name); }
  FlavorResourceId Pair(FlavorId flavor, ResourceId resource) {
    const auto [it, is_new] = pair_ids_.try_emplace(
        {flavor, resource}, FlavorResourceId{static_cast<std::uint32_t>(pairs_.size())});
    if (is_new) pairs_.emplace_back(flavor, resource);
    return it->second;
  }
  FlavorId FlavorOf(FlavorResourceId fr) const { return pairs_[fr.value].first; }
  ResourceId ResourceOf(FlavorResourceId fr) const { return pairs_[fr.value].second; }
  const std::string& FlavorName(FlavorId id) const { return flavors_.Name(id); }
  const std::string& ResourceName(ResourceId id) const { return resources_.Name(id); }
  /// Order in which Kueue visits resources: by FNV-1a hash of the name, ties by name.
  bool VisitedBefore(ResourceId a, ResourceId b) const {
    const auto hash_a = visit_order_[a.value];
    const auto hash_b = visit_order_[b.value];
    return hash_a != hash_b ? hash_a < hash_b : ResourceName(a) < ResourceName(b);
  }

 private:
  NameTable<FlavorId> flavors_;
  NameTable<ResourceId> resources_;
  std::vector<std::uint64_t> visit_order_;  ///< by ResourceId
  std::map<std::pair<FlavorId, ResourceId>, FlavorResourceId> pair_ids_;
  std::vector<std::pair<FlavorId, ResourceId>> pairs_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_NAME_TABLE_H_
