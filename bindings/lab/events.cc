// See events.h. A preemption is an event of its victim that names the preemptor as "by".
#include "bindings/lab/events.h"

#include <string_view>
#include <utility>
#include <variant>

#include "engine/model/names.h"

namespace muster::lab {
namespace {

/// Names hold no quotes, so this finds it and nothing else.
std::string ByMember(const Key& workload) { return "\"by\":\"" + workload.ToString() + '"'; }

/// A text of SQL.
std::string SqlText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + '\'';
}

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

Result<std::vector<PastEvent>> ReadEvents(ReadOnlyLedger& moment, const Key& workload) {
  const Result<QueryResult> found = moment.Query(
      "SELECT time, kind, subject, payload FROM event JOIN commit_log ON commit_log.seq = "
      "commit_seq WHERE subject = " +
      SqlText(workload.ToString()) + " OR (kind = 'Preempted' AND instr(payload, " +
      SqlText(ByMember(workload)) + ")) ORDER BY event.seq");
  if (!found.ok()) return found.status();
  std::vector<PastEvent> events;
  const Status carried = moment.ReadCarried([&](const CarriedEvent& old) {
    PastEvent event{old.at, old.event.kind, old.event.subject, old.event.payload};
    if (Concerns(event, workload)) events.push_back(std::move(event));
    return Status::Ok();
  });
  if (!carried.ok()) return carried;
  for (const auto& row : found->rows) {
    const auto kind = EnumFromName<EventKind>(std::get<std::string>(row[1]));
    if (!kind) continue;  // of an older or newer version
    events.push_back({std::get<std::int64_t>(row[0]), *kind, std::get<std::string>(row[2]),
                      std::get<std::string>(row[3])});
  }
  return events;
}

}  // namespace muster::lab
