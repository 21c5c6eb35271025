// See managed_jobs.h.
#include "bindings/manifest/managed_jobs.h"

#include <string_view>

#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/well_known.h"
#include "bindings/objects/kind.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/owners.h"

namespace muster::manifest {
namespace {

constexpr std::string_view kDefaultQueue = "default";

/// Without its gates, which decide how jobs are named and started.
void NoteConfiguration(const YamlNode& document, objects::Setting* around) {
  const objects::Value all = PlainOf(document);
  objects::Value own = objects::Value::Texts({{"kind", "Configuration"}});
  for (const std::string_view field :
       {"manageJobsWithoutQueueName", "managedJobsNamespaceSelector"}) {
    if (all.Has(field)) own.Set(field, all.At(field));
  }
  const objects::Value& frameworks = all.At({"integrations", "frameworks"});
  if (frameworks.IsList()) own.Make({"integrations", "frameworks"}) = frameworks;
  around->Add(own);
}

bool HasFramework(const objects::KindRow& row, const YamlNode& object,
                  const objects::Setting& around) {
  if (row.is_declared || !around.frameworks) return true;
  if (!row.Is("Pod")) return around.IsEnabled(row.framework);
  // Others enable it for the pods that they make.
  return around.frameworks->contains("pod") ||
         object.Below({"metadata", "annotations", objects::mark::kSuspendingParent}) != nullptr;
}

/// Whether the namespace has no say: their own controllers ask for quota.
bool IsQueuedAnywhere(const objects::KindRow& row) {
  return row.Is("StatefulSet") || row.Is("LeaderWorkerSet");
}

/// Of a document without a queue.
bool HasOtherOwner(const YamlNode& object, const objects::Setting& around) {
  return object.Below({"metadata", "ownerReferences"}) != nullptr &&
         objects::IsOwnedByManagedKind(PlainOf(object), around);
}

/// `node`, a mapping or nothing, with another value of `key`.
const YamlNode* With(const YamlNode* node, std::string_view key, const YamlNode* value,
                     Position otherwise, YamlArena& arena) {
  YamlNode* const out = arena.New(NodeKind::kMap, node == nullptr ? otherwise : node->at);
  bool is_there = false;
  for (const YamlEntry& entry : node == nullptr ? std::span<const YamlEntry>() : node->entries()) {
    const bool is_it = entry.key->text() == key;
    is_there = is_there || is_it;
    arena.Append(out, {entry.key, is_it ? value : entry.value});
  }
  if (!is_there) arena.Append(out, {arena.NewText(key, otherwise), value});
  return out;
}

}  // namespace

void NoteAround(const YamlNode& document, objects::Setting* around) {
  const std::string_view kind = document.TextBelow({"kind"});
  if (kind == "List") {
    if (const YamlNode* items = document.Find("items")) {
      for (const YamlNode* item : items->items()) NoteAround(*item, around);
    }
  } else if (kind == "Scenario") {
    const YamlNode* steps = document.Find("steps");
    if (steps == nullptr) return;
    for (const YamlNode* step : steps->items()) {
      const YamlNode* applied = step->Find("apply");
      if (applied == nullptr) continue;
      for (const YamlNode* object : applied->items()) NoteAround(*object, around);
    }
  } else if (kind == "Configuration") {
    NoteConfiguration(document, around);
  } else if (kind == "Namespace" ||
             (kind == "LocalQueue" && document.TextBelow({"metadata", "name"}) == kDefaultQueue)) {
    around->Add(PlainOf(document));
  }
}

Management ManagementOf(const YamlNode& object, const objects::Setting& around) {
  using Kind = Management::Kind;
  const objects::KindRow* const row =
      RowOfAlone(object.TextBelow({"apiVersion"}), object.TextBelow({"kind"}), around);
  if (row == nullptr) return {};
  const bool names_queue = !object.TextBelow({"metadata", "labels", kQueueNameLabel}).empty();
  if (row->Is("Pod") && !names_queue) {
    const bool is_new = object.Below({"metadata", "ownerReferences"}) == nullptr &&
                        object.Find("status") == nullptr &&
                        object.TextBelow({"spec", "nodeName"}).empty();
    if (!is_new) return {};
  }
  const std::string_view given = object.TextBelow({"metadata", "namespace"});
  const std::string ns(given.empty() ? "default" : given);
  const bool is_selected = around.SelectsNamespace(ns);
  const std::string name = std::string(object.TextBelow({"kind"})) + " " +
                           Quoted(object.TextBelow({"metadata", "name"}));
  // Most pods are no jobs, and need no word.
  if (row->Is("Pod") && !names_queue && (!is_selected || !HasFramework(*row, object, around))) {
    return {};
  }
  if (!HasFramework(*row, object, around)) {
    const std::string framework(row->framework);
    return {Kind::kUnmanaged, ns,
            name + " is not queued: its framework " + framework +
                " is none of integrations.frameworks in the Configuration",
            "name " + framework + " there"};
  }
  if (!is_selected && !(names_queue && IsQueuedAnywhere(*row))) {
    const std::string where =
        "its namespace " + Quoted(ns) + " is none of those that " +
        (around.namespace_selector.IsNull() ? "Kueue manages"
                                            : "managedJobsNamespaceSelector selects");
    const bool is_held = names_queue && !row->Is("Pod");
    return {Kind::kUnmanaged, ns,
            name + " is not queued: " + where +
                (is_held ? ", and Kueue holds it back there for ever" : ""),
            "put it in another namespace, or change managedJobsNamespaceSelector"};
  }
  if (names_queue) return {Kind::kAsWritten, ns};
  const bool is_owned = HasOtherOwner(object, around);
  if (around.HasDefaultQueue(ns) && !is_owned) return {Kind::kDefaultQueue, ns};
  if (around.manage_without_queue) return {Kind::kNoQueue, ns};
  return {is_owned ? Kind::kAsWritten : Kind::kLacksQueue, ns};
}

bool MayBeInDefaultQueue(const objects::Value& object, const objects::Setting& kinds) {
  if (RowOfAlone(object.TextAt("apiVersion"), object.TextAt("kind"), kinds) == nullptr)
    return false;
  if (!objects::QueueOf(object).empty()) return false;
  if (object.TextAt("kind") == "Pod") return objects::ControllerOf(object).IsNull();
  return !objects::IsOwnedByManagedKind(object, kinds);
}

const YamlNode* WithDefaultQueue(const YamlNode& object, YamlArena& arena) {
  const Position at = FindPlace(object, "metadata.name");
  const YamlNode* labels = object.Below({"metadata", "labels"});
  labels = With(labels, kQueueNameLabel, arena.NewText(kDefaultQueue, at), at, arena);
  const YamlNode* metadata = With(object.Find("metadata"), "labels", labels, at, arena);
  return With(&object, "metadata", metadata, at, arena);
}

}  // namespace muster::manifest
