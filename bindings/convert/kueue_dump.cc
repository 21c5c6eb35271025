#include "bindings/convert/kueue_dump.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bindings/manifest/plain.h"

namespace muster::convert {
namespace {

using objects::Value;

/// Kinds that are the state of the queues. Jobs and their pods are not: each has its Workload.
constexpr auto kTaken = std::to_array<std::string_view>(
    {"ResourceFlavor", "ClusterQueue", "Cohort", "LocalQueue", "Workload", "WorkloadPriorityClass",
     "AdmissionCheck", "Topology", "Configuration", "Namespace", "Node", "LimitRange",
     "PriorityClass", "RuntimeClass", "ResourceQuota"});

constexpr std::string_view kConfigFile = "controller_manager_config.yaml";

void ReadReservations(const Value& queue, Reservations* out) {
  const std::string& name = queue.At({"metadata", "name"}).text;
  for (const Value& flavor : queue.At({"status", "flavorsReservation"}).items) {
    for (const Value& resource : flavor.At("resources").items) {
      const auto total = Quantity::Parse(resource.TextAt("total"));
      if (!total) continue;
      out->insert_or_assign(
          {name, std::string(flavor.TextAt("name")), std::string(resource.TextAt("name"))}, *total);
    }
  }
}

void ReadObject(const Value& object, const std::string& file, KueueDump* out) {
  const std::string& kind = object.At("kind").text;
  if (kind == "List") {
    for (const Value& item : object.At("items").items) ReadObject(item, file, out);
    return;
  }
  if (kind == "ClusterQueue") ReadReservations(object, &out->reserved);
  const Value& config = object.At({"data", kConfigFile});
  if (kind == "ConfigMap" && config.IsText()) {
    out->configurations.push_back({file + " (ConfigMap)", config.text});
    out->kinds.insert(kind);
    return;
  }
  if (kind.empty() || std::find(kTaken.begin(), kTaken.end(), kind) != kTaken.end()) return;
  ++out->left_out[kind];
  out->kinds.insert(kind);
}

}  // namespace

KueueDump ReadDump(std::span<const manifest::Source> sources) {
  KueueDump out;
  for (const manifest::Source& source : sources) {
    const manifest::PlainDocuments read = manifest::ParsePlain(source.text, source.name);
    for (const Value& document : read.documents) ReadObject(document, source.name, &out);
  }
  return out;
}

}  // namespace muster::convert
