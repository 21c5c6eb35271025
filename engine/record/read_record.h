// ReadRecord: the row of a workload, read straight into its record.
//
// Rows are read a million in a row, and most differ in names and times. So nothing is built that
// the record does not keep, and what many rows have in common - the series of a template, the
// conditions of a queue - is compared with the bytes of an earlier row instead of being read again.
// The fields are those of a Workload (engine/codec/fields_workload.h), in the same order, and the
// same bytes are refused.
#ifndef MUSTER_ENGINE_RECORD_READ_RECORD_H_
#define MUSTER_ENGINE_RECORD_READ_RECORD_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/codec/byte_reader.h"
#include "engine/codec/read_memory.h"
#include "engine/model/condition_list.h"
#include "engine/record/stored_state.h"
#include "engine/state/workload_record.h"
#include "muster/shared.h"
#include "muster/types.h"

namespace muster {

/// Lists of conditions that were read lately, each recognised at other times too: one list behind
/// the conditions of all workloads of a queue.
class RecentConditions {
 public:
  /// Reads a list; `whose` is what lists with the same words have in common, mostly a queue.
  void Read(ByteReader& reader, std::string_view whose, ConditionList& list);

 private:
  struct Since {
    TimeNs time = kNoTime;
    std::size_t end = 0;  ///< so many of Slot::words stand before it
  };
  struct Slot {
    ConditionList list;
    std::string words;  ///< its encoding without the times
    std::vector<Since> times;
  };
  static constexpr std::size_t kSlots = 1024;

  static bool Recognise(const Slot& slot, ByteReader& reader, ConditionList& list);
  static void ReadInto(Slot& slot, ByteReader& reader, ConditionList& list);

  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
};

/// The part of a series whose fields stand side by side, and whether the workload is active, which
/// stands among them.
struct ReadSeries {
  Shared<Series> series;
  bool active = true;
};

/// What the rows read lately have in common, beside the ReadMemory of their reader.
struct RecentRecords {
  RecentValues<ReadSeries> series;
  RecentConditions conditions;
};

/// A record as the `spec` of what is stored of a workload.
struct RecordToRead {
  WorkloadRecord& record;
  RecentRecords& recent;
};
using ReadWorkload = StoredWorkloadOf<RecordToRead, std::string>;

void VisitFields(ByteReader& reader, RecordToRead& o);

}  // namespace muster

#endif  // MUSTER_ENGINE_RECORD_READ_RECORD_H_
