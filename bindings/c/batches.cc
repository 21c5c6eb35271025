// The calls of every day, in batches. A million jobs pass here: nothing is copied twice.
#include <utility>

#include "bindings/c/handles.h"
#include "bindings/lab/json.h"

namespace muster::c {
namespace {

/// The workloads of a batch and, where one has a uid or a run, those of all.
struct Named {
  std::vector<Key> keys;
  std::vector<std::string> uids;
  std::vector<std::int64_t> runs;
};

/// What a batch names; kInvalidArgument for one that cannot be read.
Status ReadNames(const muster_name* workloads, std::size_t count, Named* named) {
  if (count == 0) return Status::Ok();
  if (workloads == nullptr) return Misuse("workloads is NULL; give as many as count says");
  Status sized = CheckSize(workloads, kNameWithoutUid, "muster_name");
  if (!sized.ok()) return sized;
  if (count > named->keys.max_size()) {
    return Misuse("count is " + std::to_string(count) + "; give as many workloads as it says");
  }
  named->keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const muster_name& each = At(workloads, i);
    named->keys.push_back(KeyOf(each.ns, each.name));
    if (const std::string_view uid = UidOf(each, workloads->size); !uid.empty()) {
      named->uids.resize(count);
      named->uids[i] = uid;
    }
    if (const std::int64_t run = RunOf(each, workloads->size); run != 0) {
      named->runs.resize(count);
      named->runs[i] = run;
    }
  }
  return Status::Ok();
}

/// Gives a copy of its shape what is the job's own. `queue` is that of the job before: most of a
/// batch have the same, and a text is looked up once.
void MakeOwn(const muster_job& job, TimeNs now, Text* queue, Workload& workload) {
  workload.key.ns = TextOf(job.ns);
  workload.key.name = TextOf(job.name);
  workload.uid = TextOf(job.uid);  // never that of its shape, which is one job's
  workload.created = job.created != 0 ? job.created : now;
  if (job.queue != nullptr) {
    if (queue->view() != job.queue) *queue = std::string_view(job.queue);
    workload.queue = *queue;
  }
  if (job.has_priority != 0) workload.priority = job.priority;
  if (job.count != 0) workload.pod_sets.front().count = job.count;
}

Status JobsOf(const muster_job* jobs, std::size_t count, TimeNs now,
              std::vector<Workload>* workloads) {
  if (count == 0) return Status::Ok();
  if (jobs == nullptr) return Misuse("jobs is NULL; give as many as count says");
  if (Status sized = CheckSize(jobs, sizeof(muster_job), "muster_job"); !sized.ok()) return sized;
  if (count > workloads->max_size()) {
    return Misuse("count is " + std::to_string(count) + "; give as many jobs as it says");
  }
  workloads->reserve(count);
  Text queue;
  for (std::size_t i = 0; i < count; ++i) {
    const muster_job& job = At(jobs, i);
    const auto wrong = [i](const char* what) {
      return Misuse("jobs[" + std::to_string(i) + "]: " + what);
    };
    if (job.shape == nullptr) return wrong("shape is NULL; make one with muster_shape_parse");
    if (job.count < 0) return wrong("count is below 0; write how many pods it has");
    if (job.shape->workload.pod_sets.empty()) return wrong("its shape has no podset; give it one");
    workloads->push_back(job.shape->workload);
    MakeOwn(job, now, &queue, workloads->back());
  }
  return Status::Ok();
}

/// As answers of the wire have them.
std::string WarningsJson(const std::vector<Warning>& warnings) {
  lab::Json list = lab::Json::array();
  for (const Warning& each : warnings) {
    list.push_back(
        {{"object", each.object}, {"field", each.field}, {"what", each.what}, {"cure", each.cure}});
  }
  return lab::JsonText(list);
}

/// A call about workloads that are named.
template <typename Call>
muster_code Batch(muster_engine* engine, const muster_name* workloads, std::size_t count,
                  muster_error** error, const Call& call) {
  return Ahead(engine, error, [&](Engine& e) {
    Named named;
    const Status read = ReadNames(workloads, count, &named);
    return read.ok() ? call(e, named) : read;
  });
}

}  // namespace
}  // namespace muster::c

using muster::Engine;
using muster::Status;
using muster::c::Ahead;
using muster::c::Batch;
using muster::c::Named;
using muster::c::TimeOf;

muster_code muster_submit(muster_engine* engine, const muster_job* jobs, size_t count, int64_t now,
                          size_t* created, muster_error** error) {
  return muster_submit_warned(engine, jobs, count, now, created, nullptr, error);
}

muster_code muster_submit_warned(muster_engine* engine, const muster_job* jobs, size_t count,
                                 int64_t now, size_t* created, muster_bytes** warnings,
                                 muster_error** error) {
  if (created != nullptr) *created = 0;
  if (warnings != nullptr) *warnings = nullptr;
  return Ahead(engine, error, [&](Engine& e) {
    const muster::TimeNs at = TimeOf(now);
    std::vector<muster::Workload> workloads;
    Status status = muster::c::JobsOf(jobs, count, at, &workloads);
    if (!status.ok()) return status;
    std::vector<muster::Applied> applied;
    std::vector<muster::Warning> warned;
    status = e.Submit(workloads, at, created == nullptr ? nullptr : &applied,
                      muster::Submission::kAsk, nullptr, warnings == nullptr ? nullptr : &warned);
    if (!warned.empty()) muster::c::Give(muster::c::WarningsJson(warned), warnings);
    if (status.ok() && created != nullptr) {
      *created = static_cast<std::size_t>(
          std::count(applied.begin(), applied.end(), muster::Applied::kCreated));
    }
    return status;
  });
}

muster_code muster_finish(muster_engine* engine, const muster_name* workloads, size_t count,
                          int32_t failed, int64_t now, muster_error** error) {
  return Batch(engine, workloads, count, error, [&](Engine& e, const Named& named) {
    return e.Finish(named.keys, failed != 0, TimeOf(now), named.uids, named.runs);
  });
}

muster_code muster_evicted(muster_engine* engine, const muster_name* workloads, size_t count,
                           int64_t now, muster_error** error) {
  return Batch(engine, workloads, count, error, [&](Engine& e, const Named& named) {
    return e.Evicted(named.keys, TimeOf(now), named.uids, named.runs);
  });
}

muster_code muster_cancel(muster_engine* engine, const muster_name* workloads, size_t count,
                          int64_t now, muster_error** error) {
  return Batch(engine, workloads, count, error, [&](Engine& e, const Named& named) {
    return e.Cancel(named.keys, TimeOf(now), named.uids, named.runs);
  });
}

muster_code muster_ready(muster_engine* engine, const muster_name* workloads, size_t count,
                         int32_t ready, int64_t now, muster_error** error) {
  return Batch(engine, workloads, count, error, [&](Engine& e, const Named& named) {
    return e.Ready(named.keys, TimeOf(now), ready != 0, named.uids, named.runs);
  });
}
