// Advice about manifests that are valid and still will not do what their author wants.
//
// Each function looks at one kind of trap; every finding is a warning with a place and a cure.
#ifndef MUSTER_BINDINGS_LAB_LINT_LINT_H_
#define MUSTER_BINDINGS_LAB_LINT_LINT_H_

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::lab {

/// Flavors whose nodeLabels no node has, with the label that was probably meant. Nothing when
/// `nodes` is empty. O(flavors x nodes x labels).
std::vector<manifest::Diagnostic> LintFlavors(const manifest::Manifests& manifests,
                                              const std::vector<Node>& nodes);

/// ClusterQueues that select no namespace at all, or none of those the manifests mention.
std::vector<manifest::Diagnostic> LintNamespaceSelectors(const manifest::Manifests& manifests);

/// Cohort trees in which quota can be borrowed and no queue can ever get its own back.
std::vector<manifest::Diagnostic> LintReclaim(const manifest::Manifests& manifests);

/// Cohorts and namespaces that exist only because one object names them, while `manifests` or
/// `engine` have one of nearly the same name; namespaces of LocalQueues that no object declares,
/// where `engine` has others.
std::vector<manifest::Diagnostic> LintNames(const manifest::Manifests& manifests,
                                            const Engine& engine);

/// Flavors with a topology of which some of `nodes` have no place in it.
std::vector<manifest::Diagnostic> LintLevels(const manifest::Manifests& manifests,
                                             const std::vector<Node>& nodes);
/// Kinds that are stored and decide nothing while neither manifests nor `engine` have a flavor with
/// a topology: Nodes and Pods.
std::vector<manifest::Diagnostic> LintNotDecided(const manifest::Manifests& manifests,
                                                 const Engine& engine);

/// Flavors and resources that a ClusterQueue of `before` loses while jobs hold them there: they go
/// on uncharged. `before` does not have the manifests yet. O(workloads) where there are any.
std::vector<manifest::Diagnostic> LintTakenFlavors(const manifest::Manifests& manifests,
                                                   const Engine& before);

/// Quota in parts of a device, and what it counts as.
std::vector<manifest::Diagnostic> LintDevices(const manifest::Manifests& manifests);

/// Weights and modes of fair sharing that no Configuration of `engine` turns on.
std::vector<manifest::Diagnostic> LintShares(const manifest::Manifests& manifests,
                                             const Engine& engine);

/// Namespace ResourceQuotas that stop pods of jobs which their ClusterQueue could admit. `engine`
/// holds the manifests.
std::vector<manifest::Diagnostic> LintNamespaceQuotas(const manifest::Manifests& manifests,
                                                      const Engine& engine);

/// LocalQueues through which nothing can start, because of their namespace. `engine` holds the
/// manifests.
std::vector<manifest::Diagnostic> LintLocalQueues(const manifest::Manifests& manifests,
                                                  const Engine& engine);

/// Resources that the Configuration names and no queue of `engine` covers. Nothing without queues.
std::vector<manifest::Diagnostic> LintResourceNames(const manifest::Manifests& manifests,
                                                    const Engine& engine);

/// Cohorts and packages of PolicyBindings that are not there. `engine` holds the manifests.
std::vector<manifest::Diagnostic> LintBindings(const manifest::Manifests& manifests,
                                               const Engine& engine);
/// Packages of PolicyBindings that ActivatePolicies would not find.
std::vector<manifest::Diagnostic> LintPackages(const manifest::Manifests& manifests);
/// Names of the packages that come with Muster, in order.
std::span<const std::string_view> ShippedPackages();

/// What the engine said when it took the manifests, each at its place.
std::vector<manifest::Diagnostic> Located(const manifest::Manifests& manifests,
                                          std::span<const Warning> warnings);

/// Advice for an apply to `before`, which does not have the manifests yet: on names, on what
/// decides nothing, on what running jobs lose.
std::vector<manifest::Diagnostic> LintBeforeApply(const manifest::Manifests& manifests,
                                                  const Engine& before);

/// All advice that needs an engine which holds the manifests: on queues, resources, shares,
/// bindings, jobs. Of jobs alone O(jobs x what they ask for).
std::vector<manifest::Diagnostic> LintApplied(const manifest::Manifests& manifests,
                                              const Engine& engine);

/// Jobs that could never start in their queue, even alone. `engine` holds the manifests.
/// O(jobs x what they ask for).
std::vector<manifest::Diagnostic> LintNeverFits(const manifest::Manifests& manifests,
                                                const Engine& engine);

/// Jobs that were submitted again and have ended: they do not run again. `engine` holds the
/// manifests; what it has `warned` of already is left out. O(jobs).
std::vector<manifest::Diagnostic> LintEnded(const manifest::Manifests& manifests,
                                            const Engine& engine,
                                            std::span<const Warning> warned = {});

/// Whether `is` holds of an object of the call. Most advice is about a few kinds, and most calls
/// have none of them: then nothing of the engine, which may hold much, need be read.
template <typename Is>
bool AnyObject(const manifest::Manifests& manifests, const Is& is) {
  return std::any_of(manifests.objects.begin(), manifests.objects.end(), is) ||
         std::any_of(manifests.left_out.begin(), manifests.left_out.end(), is);
}

/// A warning about `field` of object number `object`.
manifest::Diagnostic Advice(const manifest::Manifests& manifests, std::size_t object,
                            std::string_view field, std::string what, std::string cure);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_LINT_LINT_H_
