#include "bindings/objects/owners.h"

#include "bindings/objects/kind.h"
#include "bindings/objects/marks.h"

namespace muster::objects {
namespace {

const Value kNoController;
constexpr int kLongestChain = 10;

/// What is known of the kind of an owner.
struct OwnerKind {
  bool is_known = false;
  bool is_enabled = false;  ///< those of it that have a queue manage what they own
};

OwnerKind KindOf(const Value& owner, const Setting& setting) {
  const std::string_view api_version = owner.TextAt("apiVersion");
  const std::string_view kind = owner.TextAt("kind");
  const std::string_view group = GroupOfVersion(api_version);
  const std::string_view version = api_version.substr(group.empty() ? 0 : group.size() + 1);
  const KindRow* row = FindKindRow(api_version, kind, setting);
  // Another version is another kind here; a user's kind has all those that it names.
  if (row != nullptr && (row->is_declared || row->version == version)) {
    return {true, setting.IsEnabled(row->framework)};
  }
  std::string name(kind);
  name.append(".").append(version).append(".").append(group);
  if (setting.external_kinds.contains(name)) return {true, true};
  return {kind == "ReplicaSet" && api_version == "apps/v1", false};
}

}  // namespace

bool IsMeant(const Value& object, const Value& reference) {
  const std::string_view uid = object.At({"metadata", "uid"}).text;
  const std::string_view named = reference.TextAt("uid");
  return uid.empty() || named.empty() || uid == named;
}

bool IsQueued(const Value& object, const Setting& setting) {
  return !QueueOf(object).empty() || setting.manage_without_queue;
}

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
    const auto [is_known, is_enabled] = KindOf(owner, setting);
    if (!is_known) return top;
    if (step == kLongestChain)
      return {nullptr, "its owners form a circle, or too long a chain", nullptr};
    const Value* found = setting.Find(kind, NamespaceOf(object), owner.TextAt("name"));
    if (found == nullptr) {
      return {nullptr, "its owner " + kind + " " + owner.At("name").text + " is not there", &owner};
    }
    if (!IsMeant(*found, owner)) return top;
    if (is_enabled && IsQueued(*found, setting)) top.object = found;
    at = found;
  }
}

bool IsOwnedByManagedKind(const Value& object, const Setting& setting) {
  return KindOf(ControllerOf(object), setting).is_enabled;
}

}  // namespace muster::objects
