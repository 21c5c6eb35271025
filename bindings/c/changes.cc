// What changes of one object: a workload's values, and an object that goes.
#include <cstddef>
#include <optional>
#include <utility>

#include "bindings/c/handles.h"
#include "bindings/cli/kinds.h"
#include "bindings/lab/door.h"
#include "bindings/lab/near_names.h"
#include "engine/model/kinds.h"

namespace muster::c {
namespace {

/// The counts of an array as the engine has them; a list that is NULL is not said.
template <typename Pods>
Status ReadCounts(const muster_pod_count* counts, std::size_t length,
                  std::optional<std::vector<Pods>>* read) {
  if (counts == nullptr) return Status::Ok();
  Status sized = CheckSize(counts, sizeof(muster_pod_count), "muster_pod_count");
  if (!sized.ok()) return sized;
  read->emplace();
  for (std::size_t i = 0; i < length; ++i) {
    const muster_pod_count& each = At(counts, i);
    (*read)->push_back({std::string(TextOf(each.pod_set)), each.count});
  }
  return Status::Ok();
}

std::vector<std::string> GatesOf(std::string_view text) {
  std::vector<std::string> gates;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    gates.emplace_back(text.substr(0, comma));
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return gates;
}

Status ReadChanges(const muster_changes* changes, WorkloadUpdate* update) {
  if (changes == nullptr) return Misuse("changes is NULL; say what changes");
  Status status = CheckSize(changes, offsetof(muster_changes, uid), "muster_changes");
  if (!status.ok()) return status;
  update->workload = KeyOf(changes->ns, changes->name);
  if (changes->size >= offsetof(muster_changes, run)) update->uid = TextOf(changes->uid);
  if (changes->size >= sizeof(muster_changes)) update->run = changes->run;
  if (changes->has_priority != 0) update->priority = changes->priority;
  if (changes->active < 0 || changes->active > MUSTER_ACTIVATE) {
    return Misuse("active is " + std::to_string(changes->active) +
                  "; write MUSTER_DEACTIVATE, MUSTER_ACTIVATE, or 0 to leave it");
  }
  if (changes->active != 0) update->active = changes->active == MUSTER_ACTIVATE;
  if (changes->checkpointed != 0) update->checkpointed = changes->checkpointed;
  status = ReadCounts(changes->counts, changes->counts_length, &update->counts);
  if (!status.ok()) return status;
  std::optional<std::vector<ReclaimablePods>> reclaimable;
  status = ReadCounts(changes->reclaimable, changes->reclaimable_length, &reclaimable);
  if (!status.ok()) return status;
  if (reclaimable) update->reclaimable_pods = *std::move(reclaimable);
  if (changes->open_gates != nullptr) update->open_gates = GatesOf(changes->open_gates);
  return Status::Ok();
}

}  // namespace
}  // namespace muster::c

using muster::Engine;
using muster::Status;
using muster::c::TextOf;
using muster::c::TimeOf;

muster_code muster_update(muster_engine* engine, const muster_changes* changes, int64_t now,
                          muster_error** error) {
  return muster::c::Ahead(engine, error, [&](Engine& e) {
    muster::WorkloadUpdate update;
    Status status = muster::c::ReadChanges(changes, &update);
    if (status.ok()) status = muster::lab::CheckAtDoor(e, update);
    return status.ok() ? e.Update(update, TimeOf(now)) : status;
  });
}

muster_code muster_delete(muster_engine* engine, const char* kind, const char* ns, const char* name,
                          int32_t force, int64_t now, muster_error** error) {
  return muster::c::Ahead(engine, error, [&](Engine& e) -> Status {
    const auto found = muster::cli::FindObjectKind(TextOf(kind));
    if (!found) return muster::c::Misuse(muster::cli::UnknownKind(TextOf(kind)));
    const muster::Key key = muster::c::KeyOf(ns, name);
    Status status = muster::lab::CheckAtDoor(e, muster::command::Delete{*found, key, force != 0});
    if (status.ok()) status = e.Delete(*found, key, TimeOf(now), force != 0);
    if (status.code() != muster::StatusCode::kNotFound) return status;
    return {status.code(), status.message() + muster::lab::NearName(e, *found, key)};
  });
}
