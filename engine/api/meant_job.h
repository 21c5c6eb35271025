// Which job of a name a report is about, and which run of it: a name may be given again, a job that
// was told to leave starts again, and a report may come late.
#ifndef MUSTER_ENGINE_API_MEANT_JOB_H_
#define MUSTER_ENGINE_API_MEANT_JOB_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/shown.h"
#include "engine/state/workload_record.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster {

/// Which jobs the workloads of a report are, and which runs of them: lists of one for each, or
/// none.
struct MeantJobs {
  std::span<const std::string> uids;
  std::span<const std::int64_t> runs;

  /// Of workload `i`; empty: whichever job has its name.
  std::string_view uid(std::size_t i) const {
    return uids.empty() ? std::string_view() : std::string_view(uids[i]);
  }
  /// Of workload `i`; 0: whichever run it is in.
  std::int64_t run(std::size_t i) const { return runs.empty() ? 0 : runs[i]; }
};

/// kInvalidArgument unless there is one uid and one run for each workload, or none at all.
inline Status FitTogether(std::span<const Key> workloads, const MeantJobs& meant) {
  const auto fits = [&](std::size_t size) { return size == 0 || size == workloads.size(); };
  const bool by_uid = !fits(meant.uids.size());
  if (!by_uid && fits(meant.runs.size())) return Status::Ok();
  return Status(
      StatusCode::kInvalidArgument,
      std::string(by_uid ? "uids" : "runs") + " are " +
          std::to_string(by_uid ? meant.uids.size() : meant.runs.size()) + " and workloads are " +
          std::to_string(workloads.size()) +
          (by_uid ? "; give a uid for each workload, \"\" where it does not matter, or none"
                  : "; give a run for each workload, 0 where it does not matter, or none"));
}

/// kFailedPrecondition where another job than that of `uid` has the name, or it is in another run.
inline Status IsMeant(const WorkloadRecord& workload, std::string_view uid, std::int64_t run) {
  if (!uid.empty() && uid != workload.uid()) {
    return Status(StatusCode::kFailedPrecondition,
                  workload.spec.key.ToString() +
                      " is another job by now: this is about the one of uid " + Shown(uid) +
                      ", and the one of that name has uid " + workload.uid());
  }
  if (run == 0) return Status::Ok();
  const std::int64_t newest = RunOf(workload);
  if (run == newest) return Status::Ok();
  return Status(
      StatusCode::kFailedPrecondition,
      "this is about run " + std::to_string(run) + " of " + workload.spec.key.ToString() +
          ", and " +
          (newest == 0 ? "it was not started yet" : "its newest is run " + std::to_string(newest)));
}

}  // namespace muster

#endif  // MUSTER_ENGINE_API_MEANT_JOB_H_
