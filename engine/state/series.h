// Series: what the jobs that came from one template have in common, whatever queue they are in.
// Kept once for all of them as long as RequestForms remembers the template.
#ifndef MUSTER_ENGINE_STATE_SERIES_H_
#define MUSTER_ENGINE_STATE_SERIES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/text.h"
#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

/// Those fields of a Workload, under their names.
struct Series {
  SharedList<PodSet> pod_sets;
  std::optional<std::int32_t> priority;
  PriorityClassSource priority_source = PriorityClassSource::kNone;
  Text priority_class;
  std::optional<std::int32_t> max_execution_seconds;
  SharedMap<LabelMap> labels;
  SharedMap<LabelMap> annotations;
  SharedList<std::string> preemption_gates;
  std::optional<ParentWorkload> variant_of;
  bool operator==(const Series&) const = default;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_SERIES_H_
