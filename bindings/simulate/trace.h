// Trace: the jobs that a real cluster was given, with how long each ran. Read from the formats in
// which such logs are published, or from any table with a header.
//
// Pure functions over text. Rows that name no job that could be repeated are counted, not kept.
#ifndef MUSTER_BINDINGS_SIMULATE_TRACE_H_
#define MUSTER_BINDINGS_SIMULATE_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "muster/status.h"
#include "muster/types.h"

namespace muster::simulate {

struct TraceJob {
  std::string id;            ///< as the log names it; else its row
  std::string queue;         ///< tenant, virtual cluster, queue; empty: the log has none
  std::string user;          ///< empty: unknown
  DurationNs submit = 0;     ///< since the origin of the log
  DurationNs run = 0;        ///< how long it held what it was given; above 0
  DurationNs requested = 0;  ///< what its owner said it would take; 0: unknown
  std::int64_t pods = 1;     ///< that start together
  std::int64_t size = 1;     ///< units of the resource, of all pods together; a multiple of `pods`
  bool operator==(const TraceJob&) const = default;
};

struct Trace {
  TimeNs origin = 0;           ///< when the log begins; 0: it does not say, or has dates
  std::vector<TraceJob> jobs;  ///< by submit, those of one instant in the order of the log
  /// Rows that are not among them, by reason.
  std::map<std::string, std::size_t> left_out;
};

enum class TraceFormat {
  kSwf,     ///< Standard Workload Format, version 2.2: 18 fields, `;` before comments
  kPhilly,  ///< timestamp, duration, num_gpus, cluster
  kGangs,   ///< #job id, arrival time (sec), shape of pods, size, duration (sec)
  kHelios,  ///< job_id, user, tenant, submit_time in microseconds, num_chips, num_nodes, duration_s
  kOpenb,   ///< pods with creation_time, scheduled_time, deletion_time; num_gpu; qos as queue
  kCsv,     ///< any table with a header, whose columns are named
};

/// Which column of a table says what; one that is not named is the column called as the member
/// here, if there is one. Times are seconds, or dates ("2017-09-04 10:00:00", RFC
/// 3339), in one table all alike.
struct TraceColumns {
  std::string id;         ///< empty: the row's number
  std::string submit;     ///< needed
  std::string run;        ///< needed, or `start` and `end`; in seconds
  std::string start;      ///< when it began to run; an empty cell: it never did
  std::string end;        ///< when it ended
  std::string requested;  ///< in seconds
  std::string size;       ///< needed, or `shape`
  std::string pods;       ///< empty: one
  std::string shape;      ///< units of each pod, joined by `+`: "2+2"
  std::string queue;
  std::string user;
  std::int64_t time_unit = kSecond;  ///< nanoseconds of one unit of a time that is a number
};

/// The format that `text` begins like; kCsv when it is none of those with a name.
TraceFormat GuessTraceFormat(std::string_view text);

/// Reads the text of a log. `columns` is for kCsv. kInvalidArgument names file, line and column of
/// the first mistake and what to write instead. O(bytes + jobs log jobs).
Result<Trace> ReadTrace(std::string_view file, std::string_view text, TraceFormat format,
                        const TraceColumns& columns = {});

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_TRACE_H_
