// SharedMap: a map whose copies share their entries until one of them is changed; see shared.h.
//
// Reading is that of a const map. Every access that could change an entry gives this map entries of
// its own first, so none sees another's change.
#ifndef MUSTER_SHARED_MAP_H_
#define MUSTER_SHARED_MAP_H_

#include <cstddef>
#include <initializer_list>
#include <utility>

#include "muster/shared.h"

namespace muster {

template <typename Map>
class SharedMap {
 public:
  using key_type = typename Map::key_type;
  using mapped_type = typename Map::mapped_type;
  using value_type = typename Map::value_type;
  using const_iterator = typename Map::const_iterator;
  using iterator = const_iterator;

  SharedMap() = default;
  SharedMap(Map entries) {
    if (!entries.empty()) entries_ = Shared<Map>(std::move(entries));
  }
  SharedMap(std::initializer_list<value_type> entries) : SharedMap(Map(entries)) {}

  const Map& map() const {
    static const Map none;
    return entries_.get() == nullptr ? none : *entries_.get();
  }
  operator const Map&() const { return map(); }
  bool empty() const { return entries_.get() == nullptr || entries_.get()->empty(); }
  std::size_t size() const { return map().size(); }
  const_iterator begin() const { return map().begin(); }
  const_iterator end() const { return map().end(); }
  template <typename Name>
  const_iterator find(const Name& name) const {
    return map().find(name);
  }
  template <typename Name>
  bool contains(const Name& name) const {
    return map().contains(name);
  }
  const mapped_type& at(const key_type& name) const { return map().at(name); }

  /// The entries, no longer shared. O(size) when they were, and so are the functions below.
  Map& Mutable() { return entries_.Mutable(); }
  mapped_type& operator[](const key_type& name) { return Mutable()[name]; }
  void clear() { entries_.Reset(); }

  /// O(1) for copies of one map.
  bool operator==(const SharedMap& other) const {
    return entries_.IsSameAs(other.entries_) || map() == other.map();
  }

 private:
  Shared<Map> entries_;
};

}  // namespace muster

#endif  // MUSTER_SHARED_MAP_H_
