// What the engine holds of one kind, as Kueue objects with their status, in JSON.
#ifndef MUSTER_BINDINGS_CLI_SHOW_GET_ITEMS_H_
#define MUSTER_BINDINGS_CLI_SHOW_GET_ITEMS_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/json.h"
#include "bindings/cli/kinds.h"
#include "muster/engine.h"

namespace muster::cli {

/// What there is to know of an object to say whether a reader may see it.
struct About {
  About(Key k) : key(std::move(k)) {}  // NOLINT(google-explicit-constructor): most are a key alone
  About(Key k, std::string cq, std::string lq)
      : key(std::move(k)), cluster_queue(std::move(cq)), local_queue(std::move(lq)) {}
  Key key;
  std::string cluster_queue;  ///< of a LocalQueue or workload
  std::string local_queue;    ///< of a workload
};

/// Which objects of a kind are meant.
struct Filter {
  std::string ns;                        ///< empty: every namespace
  std::string name;                      ///< empty: every name
  std::vector<std::string> states = {};  ///< of workloads, as TakesState has them; empty: all
  std::string sort = "name";             ///< of workloads, one of kSorts
  std::function<bool(const About&)> sees = {};  ///< whether the reader may; empty: everything

  bool Takes(const Key& key) const {
    return (ns.empty() || key.ns.empty() || key.ns == ns) && (name.empty() || key.name == name);
  }
  /// The elements that are meant and may be seen, by what `about` tells of each: an About or Key.
  template <typename T, typename AboutElement>
  std::vector<T> Keep(std::vector<T> all, AboutElement about) const {
    std::erase_if(all, [&](const T& element) {
      const About told = about(element);
      return !Takes(told.key) || (sees && !sees(told));
    });
    return all;
  }
};

/// How workloads may be sorted: by namespace and name, or by that only where the field is equal.
inline const std::vector<std::string> kSorts = {"name",         "created", "priority", "queue",
                                                "clusterqueue", "state",   "gpu"};
/// The words that `--state` takes.
inline const std::vector<std::string> kWorkloadStates = {"pending",  "parked",   "onhold",
                                                         "held",     "reserved", "admitted",
                                                         "evicting", "inactive", "finished"};

/// Devices that all pods of a workload ask for or have: of resources whose name ends in "/gpu".
Amount GpusOf(const Engine& engine, const WorkloadView& workload);

/// The conditions, and for one that waits the one that says why, as Kueue shows it.
std::vector<Condition> ConditionsOf(const WorkloadView& workload);

/// `filter`, or where no workload has that name and a Job has, that of the Job's workload.
Filter MeantBy(const Engine& engine, Kind kind, Filter filter);

std::vector<ClusterQueueView> ClusterQueues(const Engine& engine, const Filter& filter);
std::vector<CohortView> Cohorts(const Engine& engine, const Filter& filter);
std::vector<LocalQueueView> LocalQueues(const Engine& engine, const Filter& filter);
std::vector<WorkloadView> Workloads(const Engine& engine, const Filter& filter);
/// Both kinds of priority class stand behind the first one.
std::vector<Object> Objects(const Engine& engine, Kind kind, const Filter& filter);

/// One workload as its manifest would read, status included.
Json WorkloadItem(const WorkloadView& workload);
/// Objects of `kind` as their manifests would read, status included.
std::vector<Json> Items(const Engine& engine, Kind kind, const Filter& filter);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_GET_ITEMS_H_
