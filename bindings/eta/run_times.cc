// Groups are known by a hash of what their jobs share; two that collide only blur each other.
#include "bindings/eta/run_times.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <utility>

#include "engine/base/hash.h"
#include "engine/model/expected_run.h"
#include "muster/account.h"

namespace muster::eta {
namespace {

constexpr std::size_t kNewest = 64;  ///< runs that a group remembers
constexpr std::size_t kEnough = 6;   ///< runs with which a group speaks for its jobs
/// Of a job that outlasts all that is known, as many times are made up.
constexpr std::int64_t kMadeUp = 8;
/// A decade; so many times as long still is a time.
constexpr DurationNs kLongestKnown = 3650 * 24 * 3600 * kSecond;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Powers of two, so that sizes which are nearly the same are.
std::uint64_t ClassOf(std::uint64_t amount) { return std::bit_width(amount); }

std::string_view LabelOf(const Workload& workload, const char* name) {
  const LabelMap& labels = workload.labels;
  const auto found = labels.find(name);
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

/// Seconds in a label; 0 when there are none.
DurationNs DeclaredIn(std::string_view text) {
  constexpr std::int64_t kMost = 100'000'000'000 / 16;  // two centuries: no sum of times overflows
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return 0;
  return seconds > 0 && seconds <= kMost ? seconds * kSecond : 0;
}

/// Classes of what all pods ask for together, by resource, and the number of pods.
std::uint64_t SizeOf(const Workload& workload) {
  std::map<std::string_view, Quantity> sums;
  std::int64_t pods = 0;
  for (const PodSet& set : std::as_const(workload.pod_sets)) {
    pods += set.count;
    for (const Container& container : set.pods.containers) {
      for (const auto& [resource, request] : container.requests) {
        Quantity& sum = sums[resource];
        sum = sum + request * Quantity::Units(set.count);
      }
    }
  }
  Hasher128 size;
  size.Add(ClassOf(static_cast<std::uint64_t>(std::max<std::int64_t>(0, pods))));
  for (const auto& [resource, sum] : sums) {
    const Amount amount = sum.ToAmount(resource);
    size.Add(resource).Add(ClassOf(static_cast<std::uint64_t>(std::max<Amount>(0, amount))));
  }
  return size.Value().low;
}

}  // namespace

std::string_view NamePrefix(std::string_view name) {
  const std::string_view whole = name;
  const std::size_t last = name.rfind('-');
  if (last != std::string_view::npos &&
      std::any_of(name.begin() + static_cast<std::ptrdiff_t>(last), name.end(), IsDigit)) {
    name = name.substr(0, last);
  }
  while (!name.empty() && (IsDigit(name.back()) || name.back() == '-')) name.remove_suffix(1);
  return name.empty() ? whole : name;
}

Traits TraitsOf(const Workload& workload) {
  Traits traits;
  traits.declared = DeclaredIn(LabelOf(workload, kRequestedLabel));
  if (workload.max_execution_seconds && *workload.max_execution_seconds > 0) {
    traits.limit = *workload.max_execution_seconds * kSecond;
    if (traits.declared == 0) traits.declared = traits.limit;
  }
  const std::string queue = workload.key.ns + "/" + std::string(workload.queue.view());
  const std::string_view user = LabelOf(workload, kUserLabel);
  const std::string_view name = NamePrefix(workload.key.name);
  const std::uint64_t size = SizeOf(workload);
  const auto declared = static_cast<std::uint64_t>(traits.declared / kSecond);
  const std::uint64_t about = ClassOf(declared);
  const auto priority = static_cast<std::uint64_t>(workload.priority.value_or(0)) +
                        Fnv1a64(workload.priority_class.view());
  std::size_t group = 0;
  const auto add = [&](Hasher128 hash) {
    hash.Add(static_cast<std::uint64_t>(group));
    traits.groups[group++] = hash.Value().low;
  };
  const auto of = [](std::string_view text) { return Hasher128().Add(text); };
  add(of(queue).Add(user).Add(name).Add(size).Add(declared).Add(priority));
  add(of(user).Add(name).Add(size).Add(declared));
  add(of(user).Add(name).Add(declared));
  add(of(queue).Add(user).Add(name).Add(size));
  add(of(user).Add(name).Add(about));
  add(of(user).Add(name));
  add(of(queue).Add(size).Add(about).Add(priority));
  add(of(queue).Add(about).Add(priority));
  add(of(queue).Add(size));
  add(of(queue));
  add(Hasher128());
  return traits;
}

void RunTimes::Learn(const Traits& job, DurationNs run) {
  ++learnt_;
  for (const std::uint64_t hash : job.groups) {
    Group& group = groups_[hash];
    if (group.runs.size() < kNewest) {
      group.runs.push_back(run);
    } else {
      group.runs[group.next] = run;
    }
    group.next = (group.next + 1) % kNewest;
  }
}

std::vector<DurationNs> RunTimes::Expect(const Traits& job, DurationNs elapsed) const {
  std::vector<DurationNs> expected;
  for (const std::uint64_t hash : job.groups) {
    const auto found = groups_.find(hash);
    if (found == groups_.end()) continue;
    std::vector<DurationNs> longer;
    std::copy_if(found->second.runs.begin(), found->second.runs.end(), std::back_inserter(longer),
                 [elapsed](DurationNs run) { return run > elapsed; });
    // A small group that is all there is says more than nothing.
    if (longer.size() > expected.size()) expected = std::move(longer);
    if (expected.size() >= kEnough) break;
  }
  if (expected.empty() && job.declared > elapsed) expected.push_back(job.declared);
  elapsed = std::min(elapsed, kLongestKnown);
  if (expected.empty() && elapsed > 0) {
    // The longer it has run, the longer it will: as long again with a chance of one half.
    for (std::int64_t part = 1; part <= kMadeUp; ++part) {
      expected.push_back(elapsed + elapsed * (2 * part - 1) / (2 * kMadeUp - 2 * part + 1));
    }
  }
  for (DurationNs& run : expected) {
    if (job.limit > elapsed) run = std::min(run, job.limit);
  }
  std::sort(expected.begin(), expected.end());
  return expected;
}

void SayExpectedRun(const RunTimes& runs, Workload* job) {
  if (std::as_const(job->labels).contains(kExpectedRunLabel)) return;
  const std::vector<DurationNs> expected = runs.Expect(TraitsOf(*job), 0);
  if (expected.empty()) return;
  const DurationNs middle = expected[(expected.size() - 1) / 2];
  const DurationNs seconds =
      std::clamp<DurationNs>((middle + kSecond - 1) / kSecond, 1, kLongestExpectedRun);
  LabelMap labels = std::as_const(job->labels);
  labels[std::string(kExpectedRunLabel)] = std::to_string(seconds);
  job->labels = std::move(labels);
}

}  // namespace muster::eta
