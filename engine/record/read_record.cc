// See read_record.h. Whatever is not recognised is read field by field.
#include "engine/record/read_record.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/quick_hash.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

/// So many fields of a status follow the conditions; a field that is as new is one zero byte.
constexpr std::string_view kNothingRare("\0\0\0\0\0\0\0", 7);

/// Times wrap like those of a ConditionList.
TimeNs Later(TimeNs time, std::uint64_t by) {
  return static_cast<TimeNs>(static_cast<std::uint64_t>(time) + by);
}

/// Visits the fields of a condition, and takes down what stands before its time.
template <typename Note>
struct UntilSince {
  ByteReader& reader;
  const Note& note;

  template <typename T>
  void operator()(const char* name, T& member) {
    if (std::string_view(name) == "since") note();
    reader(name, member);
  }
};

void VisitSideBySide(ByteReader& v, Series& series, bool& active) {
  v("pod_sets", series.pod_sets);
  v("priority", series.priority);
  v("priority_source", series.priority_source);
  v("priority_class", series.priority_class);
  v("active", active);
  v("max_execution_seconds", series.max_execution_seconds);
  v("preemption_gates", series.preemption_gates);
  VisitLater(v, 8, "variant_of", series.variant_of);
}

/// `series` has its labels and annotations already.
void ReadSeriesInto(ByteReader& reader, Series series, RecentValues<ReadSeries>& recent,
                    WorkloadRecord& record) {
  const std::string_view rest = reader.Rest();
  if (const auto* known = recent.Find(rest)) {
    const Series& same = *known->value.series.get();
    record.active = known->value.active;
    record.spec.series = known->value.series;
    if (!(same.labels == series.labels)) {
      record.spec.series.Mutable().labels = std::move(series.labels);
    }
    if (!(same.annotations == series.annotations)) {
      record.spec.series.Mutable().annotations = std::move(series.annotations);
    }
    return reader.Skip(known->encoding.size());
  }
  bool active = true;
  VisitSideBySide(reader, series, active);
  record.active = active;
  record.spec.series = Shared<Series>(std::move(series));
  if (!reader.ok()) return;
  recent.Remember(rest.substr(0, rest.size() - reader.Rest().size()), {record.spec.series, active});
}

void ReadStatus(ByteReader& v, RecentConditions& recent, KeptStatus& status) {
  std::optional<Admission> admission;
  v("admission", admission);
  if (admission) status.admission = std::move(*admission);
  recent.Read(v, status.admission->cluster_queue, status.conditions);
  if (v.Rest().starts_with(kNothingRare)) return v.Skip(kNothingRare.size());
  RareStatus rare;
  VisitFields(v, rare);
  if (!(rare == RareStatus())) status.rare = std::move(rare);
}

}  // namespace

void RecentConditions::Read(ByteReader& reader, std::string_view whose, ConditionList& list) {
  if (reader.Rest().starts_with('\0')) return reader.Skip(1);  // none
  Slot& slot = slots_[QuickHash(whose) % kSlots];
  if (!Recognise(slot, reader, list)) ReadInto(slot, reader, list);
}

bool RecentConditions::Recognise(const Slot& slot, ByteReader& reader, ConditionList& list) {
  if (slot.times.empty()) return false;
  ByteReader ahead = reader;
  const std::string_view words = slot.words;
  std::size_t at = 0;
  std::optional<std::uint64_t> later;  // than in the slot, all of them by the same
  for (const Since& since : slot.times) {
    const std::string_view piece = words.substr(at, since.end - at);
    if (!ahead.Rest().starts_with(piece)) return false;
    ahead.Skip(piece.size());
    at = since.end;
    TimeNs time = kNoTime;
    ahead("since", time);
    if (!ahead.ok() || (time == kNoTime) != (since.time == kNoTime)) return false;
    if (time == kNoTime) continue;
    if (!later) later = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(since.time);
    if (Later(since.time, *later) != time) return false;
  }
  list = slot.list.After(static_cast<TimeNs>(later.value_or(0)));
  reader = ahead;
  return true;
}

void RecentConditions::ReadInto(Slot& slot, ByteReader& reader, ConditionList& list) {
  slot.words.clear();
  slot.times.clear();
  std::vector<Condition> conditions;
  std::string_view rest = reader.Rest();
  const auto note = [&] { slot.words += rest.substr(0, rest.size() - reader.Rest().size()); };
  for (std::uint64_t left = reader.Length(); left > 0 && reader.ok(); --left) {
    Condition& condition = conditions.emplace_back();
    UntilSince<decltype(note)> visitor{reader, note};
    VisitFields(visitor, condition);
    slot.times.push_back({condition.since, slot.words.size()});
    rest = reader.Rest();
  }
  if (!reader.ok()) return slot.times.clear();
  list = ConditionList(conditions);
  slot.list = list;
}

void VisitFields(ByteReader& reader, RecordToRead& o) {
  WorkloadRecord& record = o.record;
  Series series;
  reader("key", record.spec.key);
  reader("uid", record.key.uid);
  reader("created", record.key.created);
  reader("labels", series.labels);
  reader("annotations", series.annotations);
  reader("queue", record.spec.queue);
  ReadSeriesInto(reader, std::move(series), o.recent.series, record);
  ReadStatus(reader, o.recent.conditions, record.spec.status);
}

}  // namespace muster
