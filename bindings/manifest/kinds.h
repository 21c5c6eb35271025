// The kinds a manifest may contain: their apiVersions and what decodes them.
#ifndef MUSTER_BINDINGS_MANIFEST_KINDS_H_
#define MUSTER_BINDINGS_MANIFEST_KINDS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "bindings/manifest/decode.h"

namespace muster::manifest {

struct KindInfo {
  std::string_view kind;
  std::string_view group;                  ///< empty: core
  std::vector<std::string_view> versions;  ///< newest first
  Decoder decode = nullptr;                ///< null for List, Scenario, ResourceQuota and jobs
  bool is_job_document = false;            ///< read with others, by JobDocuments
};

/// Which kind a document is, after its apiVersion was checked.
struct DocumentKind {
  const KindInfo* info = nullptr;
  bool v1beta1 = false;  ///< written in an older spelling
};

/// Reads apiVersion and kind of `document`. nullopt when they are wrong, which is reported, or when
/// the kind is foreign and to be ignored. `foreign`, if given, says whether it is a kind that
/// can be none of these, however misspelt: then no object is missing for it.
/// `declared` are kinds that a user has named, to be proposed for one that is not known.
std::optional<DocumentKind> FindKind(const Value& document, bool* foreign = nullptr,
                                     const std::vector<std::string_view>& declared = {});

/// Whether documents of the kind are read without a JobKind.
bool IsBuiltIn(std::string_view kind, std::string_view group);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_KINDS_H_
