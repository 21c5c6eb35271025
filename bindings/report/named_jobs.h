// NamedJobs: the jobs that a report names, each with what became of it under every policy.
#ifndef MUSTER_BINDINGS_REPORT_NAMED_JOBS_H_
#define MUSTER_BINDINGS_REPORT_NAMED_JOBS_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/report/html.h"
#include "bindings/report/worst_hour.h"

namespace muster::simulate {

class NamedJobs {
 public:
  /// Those that waited longest, moved most, or tell of a worst hour. O(jobs).
  NamedJobs(const Page& page, const std::vector<WorstHour>& hours);

  /// Its name, as a link to its story where it has one.
  std::string Link(std::string_view id) const;
  /// Each with what it is, and how it fared.
  std::string Stories() const;

 private:
  std::string Story(std::size_t job) const;

  const Page& page_;
  std::map<std::string, std::size_t, std::less<>> places_;  ///< in the log, by name
};

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_REPORT_NAMED_JOBS_H_
