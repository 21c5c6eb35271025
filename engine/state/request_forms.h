// RequestForms: what the podsets of recent workloads came to, for the next ones with equal podsets.
//
// Jobs come in series from one template. What a workload asks for, its equivalence class and
// whether a limit speaks against it follow from its podsets, its priority, its namespace and the
// catalog alone; so they are taken over from an earlier workload in which all of these are equal,
// compared field by field. Whoever changes what requests are computed from in the catalog calls
// Clear.
#ifndef MUSTER_ENGINE_STATE_REQUEST_FORMS_H_
#define MUSTER_ENGINE_STATE_REQUEST_FORMS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/hash.h"
#include "engine/state/series.h"
#include "engine/state/workload_record.h"
#include "muster/workload.h"

namespace muster {

class RequestForms {
 public:
  struct Form {
    SharedList<PodSetRequests> pod_sets;
    Hash128 hash;
    bool admissible = false;
  };
  struct Found {
    const SharedList<PodSet>* pod_sets = nullptr;  ///< of a recent workload, if they are equal
    const Form* form = nullptr;  ///< null as well where more than the podsets is different
  };

  /// What is known of a recent workload that was like one of this namespace; no form for those that
  /// gave up pods. Valid until the next Remember. O(podsets).
  Found Find(const Series& series, const std::string& ns, bool gave_up_pods) const;
  /// The podsets of a recent workload, if they equal these and were found valid; else null. Valid
  /// until the next Remember. O(podsets).
  const SharedList<PodSet>* FindValid(const Workload& workload) const;
  /// These podsets are without a mistake. No effect when they are of no recent workload.
  void NoteValid(const Workload& workload);
  /// Remembers the form of one that did not give up pods; replaces another.
  void Remember(const Series& series, const std::string& ns, const Form& form);
  void Clear() { slots_ = {}; }

 private:
  struct Slot {
    bool used = false;
    std::string ns;
    std::int32_t priority = 0;
    SharedList<PodSet> pod_sets;
    bool valid = false;
    Form form;
  };
  static std::size_t SlotOf(const SharedList<PodSet>& pod_sets,
                            std::optional<std::int32_t> priority);

  std::array<Slot, 256> slots_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_REQUEST_FORMS_H_
