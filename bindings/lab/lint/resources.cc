// Resources that the Configuration names and no queue covers: a weight, a transformation or a
// prefix without effect, mostly a misspelt one.
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/closest.h"
#include "bindings/manifest/quote.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;

std::set<std::string> CoveredIn(const Engine& engine) {
  std::set<std::string> covered;
  for (const ClusterQueueView& view : Read(engine.ClusterQueues())) {
    for (const ResourceGroup& group : view.spec.resource_groups) {
      covered.insert(group.covered_resources.begin(), group.covered_resources.end());
    }
  }
  return covered;
}

class ResourceLint {
 public:
  ResourceLint(const manifest::Manifests& manifests, std::size_t object,
               const std::set<std::string>& covered)
      : manifests_(manifests), object_(object), covered_(covered) {}

  void Weights(const AdmissionFairSharingConfig& config) {
    for (const auto& [resource, weight] : config.resource_weights) {
      if (covered_.contains(resource)) continue;
      Add("admissionFairSharing.resourceWeights[" + resource + "]",
          "the weight of " + manifest::Quoted(resource), resource);
    }
  }

  /// A new name must be covered; a retained or absent one only shows that by its outputs.
  void Transformation(const ResourceTransformation& rule, std::size_t index) {
    const std::string path = "resources.transformations[" + std::to_string(index) + "].";
    for (const auto& [output, factor] : rule.outputs) {
      if (covered_.contains(output) || IsInput(output)) continue;
      Add(path + "outputs[" + output + "]", "the output " + manifest::Quoted(output), output);
    }
    if (covered_.contains(rule.input)) return;
    const std::string_view near = Nearest(rule.input);
    if (!near.empty()) Add(path + "input", "the input " + manifest::Quoted(rule.input), rule.input);
  }

  void Prefix(const std::string& prefix, std::size_t index) {
    for (const std::string& resource : covered_) {
      if (!resource.starts_with(prefix)) continue;
      found_.push_back(Advice(manifests_, object_,
                              "resources.excludeResourcePrefixes[" + std::to_string(index) + "]",
                              manifest::Quoted(prefix) + " excludes " + resource +
                                  ", for which a ClusterQueue has a quota that is then never used",
                              "remove the prefix, or the quota"));
      return;
    }
  }

  void Inputs(const Configuration& config) {
    for (const ResourceTransformation& rule : config.transformations) inputs_.insert(rule.input);
  }
  std::vector<Diagnostic> Take() { return std::move(found_); }

 private:
  bool IsInput(const std::string& resource) const { return inputs_.contains(resource); }
  std::string_view Nearest(std::string_view resource) const {
    return manifest::Closest(resource,
                             std::vector<std::string_view>(covered_.begin(), covered_.end()));
  }
  void Add(const std::string& field, const std::string& what, const std::string& resource) {
    const std::string_view near = Nearest(resource);
    found_.push_back(Advice(
        manifests_, object_, field, what + " has no effect: no ClusterQueue covers that resource",
        near.empty() ? "cover it in a queue, or remove it" : "write " + manifest::Quoted(near)));
  }

  const manifest::Manifests& manifests_;
  std::size_t object_;
  const std::set<std::string>& covered_;
  std::set<std::string> inputs_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> LintResourceNames(const manifest::Manifests& manifests,
                                          const Engine& engine) {
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* config = std::get_if<Configuration>(&manifests.objects[i]);
    if (config == nullptr) continue;
    const std::set<std::string> covered = CoveredIn(engine);
    if (covered.empty()) return {};  // the queues come later
    ResourceLint lint(manifests, i, covered);
    lint.Inputs(*config);
    if (config->admission_fair_sharing) lint.Weights(*config->admission_fair_sharing);
    for (std::size_t t = 0; t < config->transformations.size(); ++t) {
      lint.Transformation(config->transformations[t], t);
    }
    for (std::size_t p = 0; p < config->exclude_resource_prefixes.size(); ++p) {
      lint.Prefix(config->exclude_resource_prefixes[p], p);
    }
    return lint.Take();
  }
  return {};
}

}  // namespace muster::lab
