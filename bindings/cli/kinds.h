// The kinds that get and describe know, by every name people use for them.
#ifndef MUSTER_BINDINGS_CLI_KINDS_H_
#define MUSTER_BINDINGS_CLI_KINDS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "muster/object.h"

namespace muster::cli {

enum class Kind {
  kClusterQueue,
  kCohort,
  kLocalQueue,
  kWorkload,
  kFlavor,
  kPriorityClass,
  kPolicy,
  kPolicyBinding,
  kAccount,
  kConsumer,
  kNamespace,
  kTopology,
  kNode,
  kAdmissionCheck,
};

/// Letters of ASCII in lower case.
std::string Lower(std::string_view text);

/// The kind called `name`: singular, plural or short ("cq"), in any case.
std::optional<Kind> FindKind(std::string_view name);

/// The kind of objects called `name`, as manifests spell it or by one of the names above.
std::optional<ObjectKind> FindObjectKind(std::string_view name);

/// The kind of objects it is; nullopt of what is no object.
std::optional<ObjectKind> ObjectKindOf(Kind kind);

/// Whether its objects stand in a namespace.
bool IsNamespaced(Kind kind);

/// Every kind by its first name, "clusterqueues".
std::vector<std::pair<Kind, std::string_view>> AllKinds();

/// "clusterqueue"; how messages call it.
std::string_view Singular(Kind kind);

enum class KindsOf { kAll, kObjects };
/// "clusterqueues (cq), cohorts, ...", for help.
std::string ListKinds(KindsOf which = KindsOf::kAll);

/// "; write red" when `engine` has one with a name close to that of `key`; nothing for kinds that
/// are no objects.
std::string NearName(const Engine& engine, Kind kind, const Key& key);

/// "there is no kind 'x'; write 'y'".
std::string UnknownKind(std::string_view name);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_KINDS_H_
