// Which job of a name a report is about: a name may be given again, and a report may come late.
#ifndef MUSTER_ENGINE_API_MEANT_JOB_H_
#define MUSTER_ENGINE_API_MEANT_JOB_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/shown.h"
#include "engine/state/workload_record.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster {

/// kInvalidArgument unless there is one uid for each workload, or none at all.
inline Status FitTogether(std::span<const Key> workloads, std::span<const std::string> uids) {
  if (uids.empty() || uids.size() == workloads.size()) return Status::Ok();
  return Status(StatusCode::kInvalidArgument,
                "uids are " + std::to_string(uids.size()) + " and workloads are " +
                    std::to_string(workloads.size()) +
                    "; give a uid for each workload, \"\" where it does not matter, or none");
}

/// The uid of workload `i`; empty: whichever job has its name.
inline std::string_view UidAt(std::span<const std::string> uids, std::size_t i) {
  return uids.empty() ? std::string_view() : std::string_view(uids[i]);
}

/// kFailedPrecondition where another job than that of `uid` has the name.
inline Status IsMeant(const WorkloadRecord& workload, std::string_view uid) {
  if (uid.empty() || uid == workload.uid()) return Status::Ok();
  return Status(StatusCode::kFailedPrecondition,
                workload.spec.key.ToString() +
                    " is another job by now: this is about the one of uid " + Shown(uid) +
                    ", and the one of that name has uid " + workload.uid());
}

}  // namespace muster

#endif  // MUSTER_ENGINE_API_MEANT_JOB_H_
