// Jobs that never ran, and those of a cluster of unknown size, are left out.
#include "tests/bench/trace_set.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/measure.h"
#include "tests/bench/worlds.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

/// The lines of a compressed file that are neither empty nor begin with one of `comments`.
std::vector<std::string> LinesOf(const std::filesystem::path& file, const std::string& comments) {
  const std::string command = "gzip -dc '" + file.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  Require(pipe != nullptr, "gzip does not run");
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t read = std::fread(buffer, 1, sizeof buffer, pipe.get())) {
    text.append(buffer, read);
  }
  Require(!text.empty(), file.string() + " is empty");
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && comments.find(line.front()) == std::string::npos) lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> Split(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) {
    if (separator != ' ' || !field.empty()) fields.push_back(std::move(field));
  }
  return fields;
}

/// "2017-10-09 07:01:55"
TimeNs TimeFrom(const std::string& text) {
  int year = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  Require(std::sscanf(text.c_str(), "%d-%u-%u %u:%u:%u", &year, &month, &day, &hour, &minute,
                      &second) == 6,
          "no time: " + text);
  const std::chrono::sys_days date{std::chrono::year(year) / std::chrono::month(month) /
                                   std::chrono::day(day)};
  return (date.time_since_epoch().count() * 86'400 + hour * 3600 + minute * 60 + second) * kSecond;
}

DurationNs SecondsFrom(const std::string& text) {
  return static_cast<DurationNs>(std::stod(text)) * kSecond;
}

ArrivalSet OneQueue(std::int64_t nominal) {
  ArrivalSet set;
  set.objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  AddQueue(set.objects, "all", "cohort", {nominal, 0, {}});
  set.nominal = nominal;
  return set;
}

/// A job of `pods` pods of `size` units.
void AddJob(ArrivalSet& set, const std::string& queue, TimeNs at, DurationNs runtime,
            std::int32_t pods, std::int64_t size) {
  Arrival arrival;
  arrival.at = at;
  arrival.runtime = runtime;
  arrival.units = pods * size;
  arrival.class_name = queue;
  arrival.workload = testing::MakeWorkload("job-" + std::to_string(set.arrivals.size()), queue,
                                           testing::Cpu(size), /*priority=*/0, pods);
  set.arrivals.push_back(std::move(arrival));
}

/// In order of time, the first at 0.
ArrivalSet Sorted(ArrivalSet set) {
  Require(!set.arrivals.empty(), "the trace has no jobs");
  std::stable_sort(set.arrivals.begin(), set.arrivals.end(),
                   [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
  const TimeNs start = set.arrivals.front().at;
  for (Arrival& arrival : set.arrivals) {
    arrival.at -= start;
    arrival.workload.created = testing::kNoon + arrival.at;
  }
  return set;
}

}  // namespace

ArrivalSet ReadPhilly(const std::filesystem::path& file, int thin) {
  static const std::map<std::string, std::int64_t> kNodes = {
      {"6214e9", 64}, {"b436b2", 64}, {"ee9e8c", 64}, {"7f04ca", 32},
      {"6c71a0", 32}, {"0e4a51", 32}, {"11cb48", 16}, {"e13805", 16},
      {"2869ce", 16}, {"ed69ec", 8},  {"103959", 8}};
  constexpr std::int64_t kGpusOfNode = 8;
  constexpr std::int64_t kShrunk = 4;
  ArrivalSet set;
  set.objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  for (const auto& [name, nodes] : kNodes) set.nominal += nodes * kGpusOfNode / kShrunk;
  for (const auto& [name, nodes] : kNodes) {
    AddQueue(set.objects, name, "philly",
             {nodes * kGpusOfNode / kShrunk, set.nominal,
              RulesOf(PreemptionPolicy::kNever, PreemptionPolicy::kAny)});
  }
  const std::vector<std::string> lines = LinesOf(file, "t");  // of its heading
  for (std::size_t i = 0; i < lines.size(); i += static_cast<std::size_t>(thin)) {
    const std::vector<std::string> job = Split(lines[i], ',');
    Require(job.size() == 5, "not a job of Philly: " + lines[i]);
    if (!kNodes.contains(job[4])) continue;
    AddJob(set, job[4], TimeFrom(job[0]), SecondsFrom(job[1]), std::stoi(job[2]), 1);
  }
  return Sorted(std::move(set));
}

ArrivalSet ReadPhillyGangs(const std::filesystem::path& file, int thin) {
  ArrivalSet set = OneQueue(1'200);
  const std::vector<std::string> lines = LinesOf(file, "#");
  for (std::size_t i = 0; i < lines.size(); i += static_cast<std::size_t>(thin)) {
    const std::vector<std::string> job = Split(lines[i], ',');
    Require(job.size() == 6, "not a gang of Philly: " + lines[i]);
    const std::vector<std::string> pods = Split(job[3], '+');
    AddJob(set, "all", SecondsFrom(job[1]), SecondsFrom(job[5]),
           static_cast<std::int32_t>(pods.size()), std::stoll(pods.front()));
  }
  return Sorted(std::move(set));
}

ArrivalSet ReadSwf(const std::filesystem::path& file, std::int64_t processors, int thin) {
  enum Field { kSubmit = 1, kRun = 3, kAllocated = 4, kRequested = 7, kFields = 18 };
  ArrivalSet set = OneQueue(processors);
  const std::vector<std::string> lines = LinesOf(file, ";");
  for (std::size_t i = 0; i < lines.size(); i += static_cast<std::size_t>(thin)) {
    const std::vector<std::string> job = Split(lines[i], ' ');
    Require(job.size() == kFields, "not a job of the Standard Workload Format: " + lines[i]);
    const int size = std::max(std::stoi(job[kRequested]), std::stoi(job[kAllocated]));
    const DurationNs run = SecondsFrom(job[kRun]);
    if (run > 0 && size > 0) AddJob(set, "all", SecondsFrom(job[kSubmit]), run, size, 1);
  }
  return Sorted(std::move(set));
}

}  // namespace muster::bench
