// See doubts.h.
#include "engine/api/doubts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/shown.h"
#include "engine/base/time_text.h"

namespace muster {
namespace {

/// The live workload of another name that has the uid; null: none has.
const WorkloadRecord* OtherOf(const World& world, std::string_view uid, const Key& key) {
  const WorkloadRecord* const other = world.FindByUid(uid);
  if (other == nullptr || other->spec.key == key) return nullptr;
  return IsTrue(other->spec.status, condition::kFinished) ? nullptr : other;
}

}  // namespace

bool MayShareUids(const World& world, std::span<const Workload> newcomers) {
  std::vector<std::string_view> uids;
  for (const Workload& workload : newcomers) {
    if (workload.uid.empty()) continue;
    if (OtherOf(world, workload.uid, workload.key) != nullptr) return true;
    uids.push_back(workload.uid);
  }
  std::sort(uids.begin(), uids.end());
  return std::adjacent_find(uids.begin(), uids.end()) != uids.end();
}

void RefuseSharedUids(const World& world, std::span<const Object> objects,
                      std::vector<Problem>& problems) {
  std::map<std::string_view, const Key*> first;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto* const workload = std::get_if<Workload>(&objects[i]);
    if (workload == nullptr || workload->uid.empty()) continue;
    // One that is there keeps its uid, whatever this one says.
    if (world.FindWorkload(workload->key) != nullptr) continue;
    const Key* whose = first.try_emplace(workload->uid, &workload->key).first->second;
    const WorkloadRecord* const other = OtherOf(world, workload->uid, workload->key);
    if (other != nullptr) whose = &other->spec.key;
    if (*whose == workload->key) continue;
    problems.push_back({i, "metadata.uid",
                        "uid " + Shown(workload->uid) + " is already that of " + whose->ToString() +
                            ", which has not ended",
                        "give each job a uid of its own, or none: then the engine gives one"});
  }
}

void Doubts::WarnOfCreated(const Workload& workload, std::size_t index) {
  Add({static_cast<std::int64_t>(index), "metadata.creationTimestamp",
       workload.key.ToString() + " was created at " + FormatTime(workload.created) +
           ", which is in the future: it is " + FormatTime(now_),
       "its place in the queue counts from then, behind all of its priority that come before; "
       "leave it out, and it counts from now"});
}

void Doubts::WarnOfEnded(const WorkloadRecord& workload, std::size_t index) {
  const std::string name = workload.spec.key.ToString();
  const auto finished = FindCondition(workload.spec.status, condition::kFinished);
  Add({static_cast<std::int64_t>(index), "metadata.name",
       name + " is the job of uid " + std::string(workload.uid().view()) + ", which has ended at " +
           FormatTime(finished->since) + ": what is kept of it was changed, and nothing starts",
       "for a new job take another name, or cancel " + name + " first, which forgets it"});
}

void Doubts::Add(Warning warning) {
  if (warnings_->size() < kMostWarnings) warnings_->push_back(std::move(warning));
}

}  // namespace muster
