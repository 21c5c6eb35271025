// A namespace ResourceQuota counts pods when they are created, which is after admission: a job that
// Muster admits and the quota stops holds its share of the ClusterQueue and never runs.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"
#include "engine/base/amount.h"
#include "engine/model/requests.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;
using manifest::NamespaceQuota;

/// The resource whose requests an entry of `hard` limits; nullopt for limits, counts and the like.
std::optional<std::string> LimitedResource(const std::string& entry) {
  constexpr std::string_view kRequests = "requests.";
  if (entry.starts_with(kRequests)) return entry.substr(kRequests.size());
  if (entry == "cpu" || entry == "memory" || entry == "pods") return entry;
  return std::nullopt;
}

/// What pods ask for before Muster's own transformations: that is what the ResourceQuota counts.
class PodSums {
 public:
  explicit PodSums(const manifest::Manifests& manifests) {
    for (const Object& object : manifests.objects) {
      if (const auto* runtime = std::get_if<RuntimeClass>(&object)) {
        runtime_classes_[runtime->name] = *runtime;
      } else if (const auto* range = std::get_if<LimitRange>(&object)) {
        limit_ranges_[range->key.ns].push_back(range);
      }
    }
  }

  Amount Of(const Workload& workload, const std::string& resource) const {
    static const Configuration kNoTransformations;
    const auto ranges = limit_ranges_.find(workload.key.ns);
    const RequestContext context{
        kNoTransformations, runtime_classes_,
        ranges == limit_ranges_.end() ? std::span<const LimitRange* const>() : ranges->second};
    Amount sum = 0;
    for (const PodSet& pod_set : workload.pod_sets) {
      Amount each = resource == "pods" ? 1 : 0;
      const ResourceList requests = PodResources(FillDefaults(pod_set.pods, context));
      const auto request = requests.find(resource);
      if (request != requests.end()) each = request->second.ToAmount(resource);
      sum = Add(sum, Mul(each, pod_set.count));
    }
    return sum;
  }

 private:
  std::map<std::string, RuntimeClass> runtime_classes_;
  std::map<std::string, std::vector<const LimitRange*>> limit_ranges_;
};

/// The most of `resource` that the ClusterQueue could ever give to one flavor's share of
/// `workload`.
Amount MostAdmissible(const Engine& engine, const Workload& workload, const std::string& resource) {
  const Result<Explanation> explanation = engine.Explain(workload.key);
  Amount most = 0;
  if (!explanation.ok()) return most;
  for (const FlavorAttempt& flavor : explanation->flavors) {
    for (const ResourceAttempt& attempt : flavor.resources) {
      if (attempt.resource == resource) most = std::max(most, attempt.maximum);
    }
  }
  return most;
}

class QuotaLinter {
 public:
  QuotaLinter(const manifest::Manifests& manifests, const Engine& engine)
      : manifests_(manifests), engine_(engine), sums_(manifests) {}

  void Look(const NamespaceQuota& quota) {
    for (const auto& [entry, hard] : quota.hard) {
      const std::optional<std::string> resource = LimitedResource(entry);
      if (!resource) continue;
      const Amount limit = hard.ToAmount(*resource);
      if (!StopsAJob(quota, *resource, limit)) CompareWithQueues(quota, *resource, limit);
    }
  }

  std::vector<Diagnostic> Take() { return std::move(found_); }

 private:
  void Warn(const NamespaceQuota& quota, std::string what, std::string cure) {
    found_.push_back({manifest::Severity::kWarning, quota.place, std::move(what), std::move(cure)});
  }

  static std::string Allowance(const NamespaceQuota& quota, const std::string& resource,
                               Amount limit) {
    return "ResourceQuota " + quota.key.ToString() + " allows " + FormatAmount(resource, limit) +
           " " + resource;
  }

  /// A job of these manifests that asks for more than the namespace may have.
  bool StopsAJob(const NamespaceQuota& quota, const std::string& resource, Amount limit) {
    bool stops = false;
    for (const Object& object : manifests_.objects) {
      const auto* workload = std::get_if<Workload>(&object);
      if (workload == nullptr || workload->key.ns != quota.key.ns) continue;
      const Amount asked = sums_.Of(*workload, resource);
      if (asked <= limit) continue;
      const Amount most = MostAdmissible(engine_, *workload, resource);
      if (most < asked) continue;
      stops = true;
      Warn(quota,
           Allowance(quota, resource, limit) + ", but " + workload->key.ToString() + " asks for " +
               FormatAmount(resource, asked) + ", which its ClusterQueue can admit (up to " +
               FormatAmount(resource, most) + "): it would be admitted and never run",
           "raise it to at least " + FormatAmount(resource, asked));
    }
    return stops;
  }

  /// Queues of the namespace whose own quota is larger than what its pods may use.
  void CompareWithQueues(const NamespaceQuota& quota, const std::string& resource, Amount limit) {
    for (const LocalQueueView& local : Read(engine_.LocalQueues(quota.key.ns))) {
      for (const ClusterQueueView& queue : Read(engine_.ClusterQueues())) {
        if (queue.spec.name != local.spec.cluster_queue) continue;
        Amount nominal = 0;
        for (const QuotaView& each : queue.quotas) {
          if (each.resource == resource) nominal = Add(nominal, each.nominal);
        }
        if (nominal <= limit) continue;
        Warn(quota,
             Allowance(quota, resource, limit) + ", but ClusterQueue " + queue.spec.name +
                 " has a nominal quota of " + FormatAmount(resource, nominal) + " for LocalQueue " +
                 local.spec.key.ToString() +
                 ": jobs beyond the smaller figure would be admitted and never run",
             "raise it to " + FormatAmount(resource, nominal) + ", or lower the nominal quota");
      }
    }
  }

  const manifest::Manifests& manifests_;
  const Engine& engine_;
  PodSums sums_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> LintNamespaceQuotas(const manifest::Manifests& manifests,
                                            const Engine& engine) {
  QuotaLinter linter(manifests, engine);
  for (const NamespaceQuota& quota : manifests.namespace_quotas) linter.Look(quota);
  return linter.Take();
}

}  // namespace muster::lab
