// Kinds that stand beside jobs in a team's folder and can never ask for quota: what they say is
// another's business. Kinds that run pods are none of them.
#ifndef MUSTER_BINDINGS_MANIFEST_PASSIVE_KINDS_H_
#define MUSTER_BINDINGS_MANIFEST_PASSIVE_KINDS_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// Whether objects of the kind run no pods; `group` is that of their apiVersion, of any version.
bool IsPassiveKind(std::string_view group, std::string_view kind);

/// Those that were met while documents were read.
class PassiveDocuments {
 public:
  /// Whether the document is of such a kind and so needs no reading; it is noted then.
  bool Take(const YamlNode& document, const Reporter& reporter);
  /// A warning each kind, where the first of it stands.
  void Report(Reporter& reporter) const;

 private:
  struct Met {
    Position first;
    std::size_t source = 0;
    std::string file;
    std::size_t count = 0;
  };
  std::map<std::pair<std::string, std::string>, Met> met_;  ///< by group and kind
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_PASSIVE_KINDS_H_
