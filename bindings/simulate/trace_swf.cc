// One row a line, 18 numbers between blanks; -1 is "unknown".
#include "bindings/simulate/trace_swf.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "bindings/simulate/number.h"

namespace muster::simulate {
namespace {

constexpr std::size_t kFields = 18;
// Indices of the fields that are read, from 0.
constexpr std::size_t kId = 0, kSubmit = 1, kRun = 3, kGiven = 4, kAsked = 7, kTime = 8, kUser = 11,
                      kQueue = 14;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// "; UnixStartTime: 956700003" is when second 0 was.
void ReadOrigin(std::string_view row, Trace* trace) {
  constexpr std::string_view kName = "UnixStartTime:";
  if (!row.starts_with(';')) return;
  const std::size_t name = row.find(kName);
  if (name == std::string_view::npos) return;
  std::string_view word = row.substr(name + kName.size());
  while (!word.empty() && IsBlank(word.front())) word.remove_prefix(1);
  while (!word.empty() && IsBlank(word.back())) word.remove_suffix(1);
  if (const std::optional<double> seconds = NumberIn(word)) trace->origin = Seconds(*seconds);
}

}  // namespace

Result<Trace> ReadSwf(std::string_view file, std::string_view text) {
  Trace trace;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ReadOrigin(row, &trace);
    if (const std::size_t comment = row.find(';'); comment != std::string_view::npos) {
      row = row.substr(0, comment);
    }
    std::array<double, kFields> values{};
    std::size_t fields = 0;
    for (std::size_t at = 0; at < row.size();) {
      if (IsBlank(row[at])) {
        ++at;
        continue;
      }
      std::size_t stop = at;
      while (stop < row.size() && !IsBlank(row[stop])) ++stop;
      const std::string_view word = row.substr(at, stop - at);
      const std::optional<double> value = NumberIn(word);
      if (!value) {
        return MistakeAt(file, line, at + 1, "\"" + std::string(word) + "\" is not a number",
                         "a row of this format is 18 numbers; name another --format");
      }
      if (fields < kFields) values[fields] = *value;
      ++fields;
      at = stop;
    }
    if (fields == 0) continue;
    if (fields != kFields) {
      return MistakeAt(file, line, 1, "a row of " + std::to_string(fields) + " fields",
                       "this format has 18; name another --format");
    }
    if (std::max(values[kGiven], values[kAsked]) > kMostUnits) {
      return MistakeAt(file, line, 1, "a job of more processors than there are",
                       "write at most 1000000000");
    }
    TraceJob job;
    job.id = std::to_string(static_cast<std::int64_t>(values[kId]));
    job.submit = Seconds(values[kSubmit]);
    job.run = Seconds(values[kRun]);
    job.requested = values[kTime] < 0 ? job.run : Seconds(values[kTime]);
    job.size = static_cast<std::int64_t>(std::max(values[kGiven], values[kAsked]));
    job.pods = job.size;
    if (values[kUser] >= 0) job.user = std::to_string(static_cast<std::int64_t>(values[kUser]));
    if (values[kQueue] >= 0) job.queue = std::to_string(static_cast<std::int64_t>(values[kQueue]));
    trace.jobs.push_back(std::move(job));
  }
  return trace;
}

}  // namespace muster::simulate
