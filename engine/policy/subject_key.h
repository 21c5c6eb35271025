// SubjectKey: what a hook may read of the workload that its items are for. Two of the same key are
// alike to the hook.
#ifndef MUSTER_ENGINE_POLICY_SUBJECT_KEY_H_
#define MUSTER_ENGINE_POLICY_SUBJECT_KEY_H_

#include <span>
#include <string>

#include "muster/batch_abi.h"

namespace muster {

/// Of batch.subject, as far as its row tells; `named` are the fields of any view that the hook
/// names. A field too many only makes fewer workloads alike.
std::string SubjectKey(const muster_batch& batch, std::span<const std::string> named);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_SUBJECT_KEY_H_
