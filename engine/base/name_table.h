// NameTable: gives every name of one kind a dense id, which stays valid until it is forgotten.
// What decisions are about stays; the names of resources that workloads ask for
// and no queue has go, so that memory follows what waits and not what was ever asked for.
#ifndef MUSTER_ENGINE_BASE_NAME_TABLE_H_
#define MUSTER_ENGINE_BASE_NAME_TABLE_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/ids.h"

namespace muster {

template <typename IdType>
class NameTable {
 public:
  /// The id of `name`, given now if it is new. O(log names).
  IdType Intern(std::string_view name) {
    const auto it = ids_.find(name);
    if (it != ids_.end()) return it->second;
    const IdType id =
        free_.empty() ? IdType{static_cast<std::uint32_t>(names_.size())} : free_.back();
    const auto inserted = ids_.emplace(std::string(name), id).first;
    if (free_.empty()) {
      names_.push_back(&inserted->first);
    } else {
      free_.pop_back();
      names_[id.value] = &inserted->first;
    }
    return id;
  }
  /// The id will be another name's. Precondition: it is one's, and nothing has it any more.
  void Forget(IdType id) {
    ids_.erase(*std::exchange(names_[id.value], nullptr));
    free_.push_back(id);
  }
  bool Has(IdType id) const { return names_[id.value] != nullptr; }
  /// Invalid when `name` was never interned.
  IdType Find(std::string_view name) const {
    const auto it = ids_.find(name);
    return it == ids_.end() ? IdType{} : it->second;
  }
  const std::string& Name(IdType id) const { return *names_[id.value]; }
  std::size_t size() const { return names_.size(); }  ///< ids below it are names', or free

 private:
  std::map<std::string, IdType, std::less<>> ids_;
  std::vector<const std::string*> names_;  ///< null: free
  std::vector<IdType> free_;
};

/// The names that decisions are about: flavors, resources, and their pairs.
class FlavorResources {
 public:
  FlavorId Flavor(std::string_view name) { return flavors_.Intern(name); }
  ResourceId Resource(std::string_view name) {
    const ResourceId known = resources_.Find(name);
    if (known.valid()) return known;
    const ResourceId id = resources_.Intern(name);
    if (id.value == visit_order_.size()) {
      visit_order_.push_back(0);
      paired_.push_back(false);
    }
    visit_order_[id.value] = Fnv1a64(name);
    ++unpaired_;
    return id;
  }
  /// Whether resources that are in no pair must be looked through: many came since the last time.
  bool HasManyUnpaired() const { return unpaired_ > most_unpaired_; }
  /// Forgets those that are in no pair and not in `living`, which is by id.
  void KeepResources(const std::vector<bool>& living) {
    for (std::uint32_t r = 0; r < resources_.size(); ++r) {
      const bool lives = r < living.size() && living[r];
      if (lives || paired_[r] || !resources_.Has(ResourceId{r})) continue;
      resources_.Forget(ResourceId{r});
      --unpaired_;
    }
    most_unpaired_ = kFewUnpaired + 2 * unpaired_;
  }
  /// Invalid when it was never named.
  ResourceId FindResource(std::string_view name) const { return resources_.Find(name); }
  FlavorResourceId Pair(FlavorId flavor, ResourceId resource) {
    const auto [it, is_new] = pair_ids_.try_emplace(
        {flavor, resource}, FlavorResourceId{static_cast<std::uint32_t>(pairs_.size())});
    if (!is_new) return it->second;
    pairs_.emplace_back(flavor, resource);
    if (!paired_[resource.value]) --unpaired_;
    paired_[resource.value] = true;
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
  static constexpr std::size_t kFewUnpaired = 1024;
  std::vector<bool> paired_;  ///< by ResourceId: a pair has it, and keeps it for ever
  std::size_t unpaired_ = 0;  ///< resources that no pair has
  std::size_t most_unpaired_ = kFewUnpaired;
  std::map<std::pair<FlavorId, ResourceId>, FlavorResourceId> pair_ids_;
  std::vector<std::pair<FlavorId, ResourceId>> pairs_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_NAME_TABLE_H_
