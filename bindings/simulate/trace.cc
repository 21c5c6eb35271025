// What the formats have in common: an order of jobs, and which jobs can be repeated.
#include "bindings/simulate/trace.h"

#include <algorithm>

#include "bindings/simulate/trace_csv.h"
#include "bindings/simulate/trace_swf.h"

namespace muster::simulate {
namespace {

/// When second 0 of a published log was, where its readme alone says so.
TimeNs OriginOf(TraceFormat format) {
  constexpr TimeNs kPhillyBegins = 1'502'753'220 * kSecond;  // 2017-08-14 23:27
  constexpr TimeNs kHeliosBegins = 1'598'918'400 * kSecond;  // 2020-09-01 00:00
  if (format == TraceFormat::kGangs) return kPhillyBegins;
  return format == TraceFormat::kHelios ? kHeliosBegins : 0;
}

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
      known.submit = "arrival time (sec)";
      known.run = "duration (sec)";
      known.shape = "shape";
      return known;
    case TraceFormat::kHelios:
      known.id = "job_id";
      known.user = "user";
      known.queue = "tenant";
      known.submit = "submit_time";
      known.time_unit = kSecond / 1'000'000;
      known.size = "num_chips";
      known.pods = "num_nodes";
      known.run = "duration_s";
      return known;
    case TraceFormat::kOpenb:
      known.id = "name";
      known.queue = "qos";
      known.submit = "creation_time";
      known.start = "scheduled_time";
      known.end = "deletion_time";
      known.size = "num_gpu";
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
  if (header.starts_with("name,") && header.find("scheduled_time") != std::string_view::npos) {
    return TraceFormat::kOpenb;
  }
  return header.find(',') == std::string_view::npos ? TraceFormat::kSwf : TraceFormat::kCsv;
}

Result<Trace> ReadTrace(std::string_view file, std::string_view text, TraceFormat format,
                        const TraceColumns& columns) {
  Result<Trace> trace = format == TraceFormat::kSwf
                            ? ReadSwf(file, text)
                            : ReadCsv(file, text, ColumnsOf(format, columns));
  if (!trace.ok()) return trace;
  if (trace->origin == 0) trace->origin = OriginOf(format);
  std::erase_if(trace->jobs, [&](const TraceJob& job) {
    const char* why = job.run <= 0 ? "never ran" : job.size <= 0 ? "asks for nothing" : nullptr;
    if (why != nullptr) ++trace->left_out[why];
    return why != nullptr;
  });
  for (TraceJob& job : trace->jobs) {
    // Pods are alike: a rest means that the log counts nodes which were not full.
    if (job.pods < 1 || job.size % job.pods != 0) job.pods = 1;
  }
  const auto before = [](const TraceJob& a, const TraceJob& b) { return a.submit < b.submit; };
  if (!std::is_sorted(trace->jobs.begin(), trace->jobs.end(), before)) {  // most logs are
    std::stable_sort(trace->jobs.begin(), trace->jobs.end(), before);
  }
  return trace;
}

}  // namespace muster::simulate
