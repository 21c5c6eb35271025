// RequestForms: what the podsets of recent workloads came to, for the next ones with equal podsets.
//
// Jobs come in series from one template. What a workload asks for, its equivalence class and
// whether a limit speaks against it follow from its podsets, its priority, its namespace and the
// catalog alone; so they are taken over from an earlier workload in which all of these are equal,
// compared field by field. Where the whole series is equal, it becomes the same piece of memory.
// Code that changes what requests are computed from in the catalog calls Clear.
#ifndef MUSTER_ENGINE_STATE_REQUEST_FORMS_H_
#define MUSTER_ENGINE_STATE_REQUEST_FORMS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/hash.h"
#include "engine/state/series.h"
#include "engine/state/workload_record.h"
#include "muster/workload.h"

namespace muster {

class RequestForms {
 public:
  struct Form {
    SharedList<PodSetRequests> pod_sets;
    std::string text;  ///< PodSetsForm
    Hash128 hash;      ///< of it and a priority
    bool admissible = false;
  };
  /// Of `text` and this effective priority.
  static Hash128 HashOf(const std::string& text, std::int64_t priority);

  /// The form of a recent workload that was like one of this namespace, with the hash of this
  /// effective priority; null when there was none,
  /// and for those that gave up pods. Valid until the next NoteValid, Remember or Clear. What is
  /// equal in `series` and that of a recent workload becomes the same memory. Precondition: there
  /// is a series. O(podsets).
  const Form* Find(Shared<Series>& series, const std::string& ns, std::int64_t priority,
                   bool gave_up_pods);
  /// Whether the podsets are those of a recent workload and were found valid; `series` then becomes
  /// that of the recent one, if all of it is equal. O(podsets).
  bool FindValid(const Workload& workload, Shared<Series>& series);
  /// The workload is without a mistake; `series` becomes its own, where it is the first with its
  /// podsets. Replaces another.
  void NoteValid(const Workload& workload, Shared<Series>& series);
  /// Remembers the form of one that did not give up pods; replaces another.
  void Remember(const Shared<Series>& series, const std::string& ns, std::int64_t priority,
                const Form& form);
  void Clear() { slots_ = {}; }

 private:
  struct Slot {
    Shared<Series> series;  ///< of the latest with these podsets; null: not used
    bool valid = false;     ///< its podsets are
    bool known = false;     ///< the form is, of that namespace, and its hash of that priority
    std::string ns;
    std::int64_t priority = 0;
    Form form;
  };
  static bool HasPodSets(const Slot& slot, const SharedList<PodSet>& pod_sets) {
    return slot.series.get() != nullptr && slot.series.get()->pod_sets == pod_sets;
  }
  /// Which one those with these podsets and this priority are kept in.
  static std::size_t HomeOf(const SharedList<PodSet>& pod_sets,
                            std::optional<std::int32_t> priority);
  /// The one that is kept there, if it has these podsets.
  Slot* Find(const SharedList<PodSet>& pod_sets, std::optional<std::int32_t> priority);

  std::array<Slot, 256> slots_;
  std::size_t latest_ = 0;  ///< which was asked for last: neighbours mostly ask for the same
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_REQUEST_FORMS_H_
