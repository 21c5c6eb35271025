// KindWorld: a cluster's API, the marks and rules of job kinds, and the controllers that make
// workloads of the objects in it, as far as the recorded cases tell them.
#ifndef MUSTER_TESTS_CONFORMANCE_KINDS_WORLD_H_
#define MUSTER_TESTS_CONFORMANCE_KINDS_WORLD_H_

#include <map>
#include <string>
#include <vector>

#include "bindings/objects/kind.h"
#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"
#include "bindings/objects/workload.h"

namespace muster::conformance {

/// An object of a job kind.
struct Target {
  objects::Value object;
  const objects::KindRow* row = nullptr;
  objects::Value earlier;  ///< what changes are counted from
  bool deleted = false;
  std::string Name() const;  ///< "Kind/name"
};

struct HeldWorkload {
  objects::JobWorkload workload;
  std::string target;  ///< "Kind/name" of the object it was made from; empty for a group's
  bool by_group = false;
  bool admitted = false;
  bool on_hold = false;
  std::string finished;  ///< the reason
  std::string slice;     ///< name of the first slice of an elastic object
  objects::JobAdmission admission;
};

class KindWorld {
 public:
  objects::Setting setting;
  std::vector<Target> targets;
  std::map<std::string, HeldWorkload> workloads;  ///< by "namespace/name"

  /// Takes what is no target.
  void AddSurrounding(const objects::Value& object);
  /// Stores an object as it is.
  void Store(objects::Value object, const objects::KindRow& row);
  /// Lets the controllers run until nothing moves.
  void Settle();
  /// Counts changes from here.
  void Remember();
  /// Admits all that waits, as a scenario's `admission` says.
  void Admit(const objects::Value& admission);
  /// Takes back what was admitted.
  void Evict();
  /// Writes to one target, or to all when `name` is empty.
  void Patch(const std::string& name, const objects::Value& patch);

 private:
  Target* Find(const std::string& name, const std::string& ns);
  HeldWorkload* Of(const Target& target);
  void Put(objects::JobWorkload workload, const std::string& target, bool by_group);
  void Reconcile(Target& target);
  void ReconcilePrebuilt(Target& target);
  void End(Target& target, HeldWorkload* held, bool success);
  void AgreeOnSuspension(Target& target, HeldWorkload& held);
  void Follow(Target& target, HeldWorkload& held, objects::JobWorkload fresh);
  void Replace(Target& target, HeldWorkload& held, objects::JobWorkload fresh);
  void ReconcileReplicas(Target& target);
  void ReconcileGroups();
  void ReconcileGroup(const std::string& ns, const std::string& name,
                      const std::vector<Target*>& members);
  void MarkPods(Target& owner);
  void SuspendChild(Target& target);
  void StartOne(HeldWorkload& held);
  void StartPods(HeldWorkload& held, const std::vector<objects::StartInfo>& infos);
  std::vector<Target*> PodsOf(const HeldWorkload& held);
  void Changed(Target& target) { setting.Add(target.object); }
};

}  // namespace muster::conformance

#endif  // MUSTER_TESTS_CONFORMANCE_KINDS_WORLD_H_
