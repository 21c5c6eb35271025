// What the formats have in common: an order of jobs, and which jobs can be repeated.
#include "bindings/simulate/trace.h"

#include <algorithm>

#include "bindings/simulate/trace_csv.h"
#include "bindings/simulate/trace_swf.h"

namespace muster::simulate {
namespace {

TraceColumns ColumnsOf(TraceFormat format, const TraceColumns& columns) {
  TraceColumns known;
  switch (format) {
    case TraceFormat::kPhilly:
      known.submit = "timestamp";
      known.run = "duration";
      known.size = "num_gpus";
      known.queue = "cluster";
      return known;
    case TraceFormat::kGangs:
      known.id = "#job id";
      known.submit = "arrival";
      known.run = "duration";
      known.shape = "shape";
      return known;
    case TraceFormat::kHelios:
      known.id = "job_id";
      known.user = "user";
      known.queue = "tenant";
      known.submit = "submit_time";
      known.submit_unit = kSecond / 1'000'000;
      known.size = "num_chips";
      known.pods = "num_nodes";
      known.run = "duration_s";
      return known;
    case TraceFormat::kSwf:
    case TraceFormat::kCsv:
      break;
  }
  return columns;
}

}  // namespace

TraceFormat GuessTraceFormat(std::string_view text) {
  if (text.starts_with(";")) return TraceFormat::kSwf;
  if (text.starts_with("#job id")) return TraceFormat::kGangs;
  while (text.starts_with("#")) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  const std::string_view header = text.substr(0, text.find('\n'));
  if (header.starts_with("job_id,") && header.find("submit_time") != std::string_view::npos) {
    return TraceFormat::kHelios;
  }
  if (header.starts_with("timestamp,") && header.find("num_gpus") != std::string_view::npos) {
    return TraceFormat::kPhilly;
  }
  return header.find(',') == std::string_view::npos ? TraceFormat::kSwf : TraceFormat::kCsv;
}

Result<Trace> ReadTrace(std::string_view file, std::string_view text, TraceFormat format,
                        const TraceColumns& columns) {
  Result<Trace> trace = format == TraceFormat::kSwf
                            ? ReadSwf(file, text)
                            : ReadCsv(file, text, ColumnsOf(format, columns));
  if (!trace.ok()) return trace;
  std::erase_if(trace->jobs, [&](const TraceJob& job) {
    const char* why = job.run <= 0 ? "never ran" : job.size <= 0 ? "asks for nothing" : nullptr;
    if (why != nullptr) ++trace->left_out[why];
    return why != nullptr;
  });
  for (TraceJob& job : trace->jobs) {
    // Pods are alike: a rest means that the log counts nodes which were not full.
    if (job.pods < 1 || job.size % job.pods != 0) job.pods = 1;
  }
  std::stable_sort(trace->jobs.begin(), trace->jobs.end(),
                   [](const TraceJob& a, const TraceJob& b) { return a.submit < b.submit; });
  return trace;
}

}  // namespace muster::simulate
