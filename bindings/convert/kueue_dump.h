// What `kubectl get ... -o yaml` printed of a cluster that runs Kueue: which of its objects an
// engine takes, which are left out, and what the cluster itself says is reserved.
#ifndef MUSTER_BINDINGS_CONVERT_KUEUE_DUMP_H_
#define MUSTER_BINDINGS_CONVERT_KUEUE_DUMP_H_

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/objects/value.h"
#include "muster/quantity.h"

namespace muster::convert {

/// By ClusterQueue, flavor and resource.
using Reservations = std::map<std::tuple<std::string, std::string, std::string>, Quantity>;

struct KueueDump {
  std::map<std::string, std::size_t> left_out;   ///< kinds, and how many objects of each
  std::set<std::string> kinds;                   ///< those that the parser is to pass over
  Reservations reserved;                         ///< status.flavorsReservation of ClusterQueues
  std::vector<manifest::Source> configurations;  ///< Kueue's, out of its ConfigMap
};

/// Looks through the texts; what is no YAML in them is the parser's to tell. O(bytes).
KueueDump ReadDump(std::span<const manifest::Source> sources);

}  // namespace muster::convert

#endif  // MUSTER_BINDINGS_CONVERT_KUEUE_DUMP_H_
