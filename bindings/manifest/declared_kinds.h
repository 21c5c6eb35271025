// DeclaredKinds: the documents of kind JobKind, by which a user tells how objects of another kind
// become workloads.
//
// They are read before all others, for their objects may stand anywhere in the same texts. They
// are not stored: as the runtime of a TrainJob, they are given together with the objects.
#ifndef MUSTER_BINDINGS_MANIFEST_DECLARED_KINDS_H_
#define MUSTER_BINDINGS_MANIFEST_DECLARED_KINDS_H_

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/value.h"
#include "bindings/manifest/yaml_node.h"
#include "bindings/objects/declared.h"

namespace muster::manifest {

inline constexpr std::string_view kJobKind = "JobKind";
inline constexpr std::string_view kJobKindVersion = "muster.dev/v1";

class DeclaredKinds {
 public:
  struct Declared {
    objects::DeclaredKind kind;
    objects::KindRow row;
    bool is_right = false;  ///< false: a mistake was reported, and its objects are passed over
    bool is_used = false;
    Place place;
    std::size_t source = 0;
  };

  /// Reads `document` if it is a JobKind, and those in a List.
  void Read(const YamlNode& document, const ParseOptions& options, Reporter& reporter);
  /// The one that an object belongs to by kind and group, null for none. That it has no such
  /// version is reported.
  Declared* Find(const YamlNode& object, Reporter& reporter);
  /// Warns of each that has no object.
  void ReportUnused(Reporter& reporter) const;

  std::vector<std::string_view> names() const;
  std::vector<const objects::KindRow*> rows() const;

 private:
  void ReadOne(const YamlNode& document, const ParseOptions& options, Reporter& reporter);

  std::deque<Declared> declared_;  // rows refer to kinds
};

/// Warns of a key beside one that `kind` reads and that is not there, and that looks like it.
void WarnOfSpelling(const objects::DeclaredKind& kind, const YamlNode& document,
                    Reporter& reporter);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_DECLARED_KINDS_H_
