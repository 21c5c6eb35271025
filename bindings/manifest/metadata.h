// metadata of any object: what the engine uses of it.
#ifndef MUSTER_BINDINGS_MANIFEST_METADATA_H_
#define MUSTER_BINDINGS_MANIFEST_METADATA_H_

#include <optional>
#include <string>

#include "bindings/manifest/fields.h"
#include "muster/types.h"
#include "muster/workload.h"

namespace muster::manifest {

inline constexpr std::string_view kDefaultNamespace = "default";

struct Metadata {
  std::string name;
  std::string ns{kDefaultNamespace};  ///< of no meaning for cluster-wide kinds
  std::string uid;
  TimeNs created = kNoTime;
  TimeNs deletion = kNoTime;
  LabelMap labels;
  LabelMap annotations;
  std::optional<ParentWorkload> owner;  ///< an owner that is a Workload of Kueue

  Key key() const { return {ns, name}; }
};

/// Objects of a kind of which there may be several.
template <typename T>
concept HasName = requires(const T& object) {
  object.key;
}
|| requires(const T& object) { object.name; };

/// Reads `metadata` of a whole object and makes apiVersion and kind known. The name is required.
Metadata ReadMetadata(Fields& object);
/// As above for kinds of which there is one: the name may be absent.
Metadata ReadSingletonMetadata(Fields& object);
/// metadata of a pod template: neither name nor namespace.
Metadata ReadTemplateMetadata(Fields& pod_template);

/// Reads the `metadata` of a Pod and makes its other parts known. What its marks say is checked
/// elsewhere.
void CheckPodMetadata(const Value& pod);

/// Reports a `metadata.uid` of an object of a job kind that is no label value: its workload carries
/// it in a label, by which the object is known.
void CheckUid(const YamlNode& document, Reporter& reporter);
/// Reports what is wrong in its ownerReferences: a slip there would queue a child beside its owner.
void CheckOwners(const YamlNode& document, Reporter& reporter);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_METADATA_H_
