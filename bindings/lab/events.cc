// See events.h. A preemption is an event of its victim that names the preemptor as "by".
#include "bindings/lab/events.h"

#include <string>
#include <utility>

namespace muster::lab {
namespace {

/// Names hold no quotes, so this finds it and nothing else.
std::string ByMember(const Key& workload) { return "\"by\":\"" + workload.ToString() + '"'; }

}  // namespace

bool Concerns(const PastEvent& event, const Key& workload) {
  if (event.subject == workload.ToString()) return true;
  return event.kind == EventKind::kPreempted &&
         event.payload.find(ByMember(workload)) != std::string::npos;
}

Result<Ticket> EventRecorder::Append(muster::Commit commit) {
  for (Event& event : commit.events) {
    events_.push_back({commit.at, event.kind, std::move(event.subject), std::move(event.payload)});
  }
  return ++appended_;
}

std::vector<PastEvent> EventRecorder::Of(const Key& workload) const {
  std::vector<PastEvent> events;
  for (const PastEvent& event : events_) {
    if (Concerns(event, workload)) events.push_back(event);
  }
  return events;
}

Result<std::vector<PastEvent>> ReadEvents(const HistoryReader& moment, const Key& workload) {
  std::vector<PastEvent> events;
  Status status = moment.ReadCarried([&](const CarriedEvent& old) {
    PastEvent event{old.at, old.event.kind, old.event.subject, old.event.payload};
    if (Concerns(event, workload)) events.push_back(std::move(event));
    return Status::Ok();
  });
  if (!status.ok()) return status;
  status = moment.FindEvents(workload.ToString(), ByMember(workload), [&](const CarriedEvent& now) {
    events.push_back({now.at, now.event.kind, now.event.subject, now.event.payload, now.caller});
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return events;
}

}  // namespace muster::lab
