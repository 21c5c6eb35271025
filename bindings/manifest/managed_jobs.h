// Which objects of job kinds are queued at all, by Kueue's Configuration, and where those are that
// name no queue: in the LocalQueue `default` of their namespace.
#ifndef MUSTER_BINDINGS_MANIFEST_MANAGED_JOBS_H_
#define MUSTER_BINDINGS_MANIFEST_MANAGED_JOBS_H_

#include <string>

#include "bindings/manifest/yaml_node.h"
#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"

namespace muster::manifest {

/// Adds to `around` what `document` says of it: Configuration, Namespaces, LocalQueues `default`.
/// Lists and steps of scenarios are looked through. Gates are others' to read.
void NoteAround(const YamlNode& document, objects::Setting* around);

/// What becomes of a document, as far as its queue decides.
struct Management {
  enum class Kind {
    kAsWritten,     ///< it names its queue, or is of no job kind
    kDefaultQueue,  ///< it names none, and goes to the default queue
    kNoQueue,       ///< it names none, and waits for that
    kLacksQueue,    ///< it names none, and would run beside the queues
    kUnmanaged,     ///< it is not queued whatever it names
  };
  Kind kind = Kind::kAsWritten;
  std::string ns = {};   ///< of an object of a job kind, else empty
  std::string why = {};  ///< that it is unmanaged: "Job "x" is not queued: ..."
  std::string cure = {};
};
/// `around` has the kinds that a user declares, too. Of pods without a queue those are meant that
/// no cluster has made yet: for all others it has decided.
Management ManagementOf(const YamlNode& object, const objects::Setting& around);

/// Whether an object may have gone to a default queue: it is of a job kind, names no queue, and its
/// controller is of none.
bool MayBeInDefaultQueue(const objects::Value& object, const objects::Setting& kinds);

/// The document with the label, which stands where its name does.
const YamlNode* WithDefaultQueue(const YamlNode& object, YamlArena& arena);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_MANAGED_JOBS_H_
