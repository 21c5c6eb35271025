#include "bindings/objects/owners.h"

#include "bindings/objects/kind.h"
#include "bindings/objects/marks.h"

namespace muster::objects {
namespace {

const Value kNoController;
constexpr int kLongestChain = 10;

}  // namespace

const Value& ControllerOf(const Value& object) {
  for (const Value& owner : object.At({"metadata", "ownerReferences"}).items) {
    if (owner.At("controller").IsTrue()) return owner;
  }
  return kNoController;
}

Ancestor ManagedAncestor(const Value& object, const Setting& setting) {
  Ancestor top;
  const Value* at = &object;
  for (int step = 0;; ++step) {
    const Value& owner = ControllerOf(*at);
    if (owner.IsNull()) return top;
    const std::string& kind = owner.At("kind").text;
    const KindRow* row = FindKindRow(owner.TextAt("apiVersion"), kind, setting);
    const bool is_known =
        row != nullptr || kind == "ReplicaSet" || setting.external_kinds.contains(kind);
    if (!is_known) return top;
    if (step == kLongestChain) return {nullptr, "its owners form a circle, or too long a chain"};
    const Value* found = setting.Find(kind, NamespaceOf(object), owner.TextAt("name"));
    if (found == nullptr) {
      return {nullptr, "its owner " + kind + " " + owner.At("name").text + " is not there"};
    }
    if (found->At({"metadata", "uid"}).text != owner.TextAt("uid")) return top;
    const bool is_queued = !QueueOf(*found).empty() || setting.manage_without_queue;
    if (row != nullptr && setting.IsEnabled(row->framework) && is_queued) top.object = found;
    at = found;
  }
}

bool IsOwnedByManagedKind(const Value& object, const Setting& setting) {
  const Value& owner = ControllerOf(object);
  const KindRow* row = FindKindRow(owner.TextAt("apiVersion"), owner.TextAt("kind"), setting);
  return row != nullptr && setting.IsEnabled(row->framework);
}

}  // namespace muster::objects
