// Setting: what surrounds the jobs of a cluster and decides what becomes of them: the
// configuration, namespaces, queues, classes, and the other jobs, which may be owners.
#ifndef MUSTER_BINDINGS_OBJECTS_SETTING_H_
#define MUSTER_BINDINGS_OBJECTS_SETTING_H_

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bindings/objects/value.h"
#include "muster/quantity.h"
#include "muster/spec.h"

namespace muster::objects {

struct KindRow;

class Setting {
 public:
  bool manage_without_queue = false;
  /// False: classes are only named; their values are another's business.
  bool resolves_priorities = true;
  /// Whether the workload of an elastic job says in its name which slice it is.
  bool numbers_slices = true;
  /// Seconds since 1970; nullopt: no pod is too late in its end.
  std::optional<std::int64_t> now;
  std::optional<std::set<std::string, std::less<>>> frameworks;  ///< nullopt: all
  std::set<std::string, std::less<>> external_kinds;  ///< Kind.version.group; only owners
  Value namespace_selector;  ///< of metadata labels; null: the default of Kueue
  std::map<std::string, bool, std::less<>> gates;  ///< those that are not at their default
  std::vector<const KindRow*> declared;            ///< kinds beside those of the table

  /// Takes what `object` says, whatever its kind; an older one of the same name is replaced.
  void Add(const Value& object);
  /// The same without a copy: `object` must stay as it is while this is asked.
  void Refer(const Value& object);
  void Remove(std::string_view kind, std::string_view ns, std::string_view name);

  /// Null when there is none; `ns` is empty for kinds without namespace.
  const Value* Find(std::string_view kind, std::string_view ns, std::string_view name) const;
  /// All of a kind, by namespace and name.
  std::vector<const Value*> AllOf(std::string_view kind) const;

  bool GateIsOn(std::string_view gate) const;
  bool IsEnabled(std::string_view framework) const;
  /// Whether jobs without a queue may be managed in this namespace.
  bool SelectsNamespace(std::string_view ns) const;
  /// The LocalQueue `default`.
  bool HasDefaultQueue(std::string_view ns) const { return Find("LocalQueue", ns, "default"); }

  const std::map<std::string, RuntimeClass>& runtime_classes() const { return runtime_classes_; }
  std::vector<const LimitRange*> LimitRangesOf(std::string_view ns) const;

 private:
  using Id = std::tuple<std::string, std::string, std::string>;
  void Take(std::shared_ptr<const Value> object);

  std::map<Id, std::shared_ptr<const Value>> objects_;
  std::map<std::string, RuntimeClass> runtime_classes_;
  std::deque<LimitRange> limit_ranges_;
};

/// Kubernetes' label selector over a map of labels.
bool SelectorMatches(const Value& selector, const Value& labels);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_SETTING_H_
