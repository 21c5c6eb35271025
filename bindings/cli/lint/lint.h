// Advice about manifests that are valid and still will not do what their author wants.
//
// Each function looks at one kind of trap; every finding is a warning with a place and a cure.
#ifndef MUSTER_BINDINGS_CLI_LINT_LINT_H_
#define MUSTER_BINDINGS_CLI_LINT_LINT_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::cli {

/// Flavors whose nodeLabels no node has, with the label that was probably meant. Nothing when
/// `nodes` is empty. O(flavors x nodes x labels).
std::vector<manifest::Diagnostic> LintFlavors(const manifest::Manifests& manifests,
                                              const std::vector<Node>& nodes);

/// ClusterQueues that select no namespace at all, or none of those the manifests mention.
std::vector<manifest::Diagnostic> LintNamespaceSelectors(const manifest::Manifests& manifests);

/// Cohort trees in which quota can be borrowed and no queue can ever get its own back.
std::vector<manifest::Diagnostic> LintReclaim(const manifest::Manifests& manifests);

/// Namespace ResourceQuotas that stop pods of jobs which their ClusterQueue could admit. `engine`
/// holds the manifests.
std::vector<manifest::Diagnostic> LintNamespaceQuotas(const manifest::Manifests& manifests,
                                                      const Engine& engine);

/// A warning about `field` of object number `object`.
manifest::Diagnostic Advice(const manifest::Manifests& manifests, std::size_t object,
                            std::string_view field, std::string what, std::string cure);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_LINT_LINT_H_
