// See source_views.h.
#include "bindings/luajit/source_views.h"

#include <algorithm>
#include <initializer_list>

namespace muster::luajit {
namespace {

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

View FieldOf(View view, std::string_view name) {
  const bool job = view == View::kWorkload || view == View::kEntry || view == View::kVictim;
  const bool amounts =
      (job && IsOneOf(name, {"request", "usage", "account"})) ||
      (view == View::kVictim && name == "uses") || (view == View::kFlavor && name == "free") ||
      (view == View::kDomain && IsOneOf(name, {"free", "total"})) ||
      (view == View::kNode &&
       IsOneOf(name, {"nominal", "usage", "borrowed", "borrowed_ratio", "lendable", "account"}));
  if (amounts) return View::kAmounts;
  if (view == View::kVictim && name == "flavor") return View::kFlavors;
  if (view == View::kContext && name == "resources") return View::kResources;
  if ((job || view == View::kFlavor || view == View::kDomain) && name == "label")
    return View::kLabel;
  if (view == View::kContext && name == "params") return View::kParams;
  if (view == View::kContext && name == "queue") return View::kNode;
  return View::kUnknown;
}

std::string_view ScopeOf(View view) {
  switch (view) {
    case View::kWorkload:
      return "workload";
    case View::kEntry:
      return "entry";
    case View::kVictim:
      return "victim";
    case View::kNode:
      return "node";
    case View::kFlavor:
      return "flavor";
    case View::kDomain:
      return "domain";
    case View::kContext:
      return "context";
    default:
      return {};
  }
}

FieldKind KindOf(View view, std::string_view name) {
  if (view == View::kAmounts) return FieldKind::kNumber;
  if (view == View::kLabel || view == View::kFlavors) return FieldKind::kText;
  if (view == View::kContext || ScopeOf(view).empty()) return FieldKind::kUnknown;
  if (FieldOf(view, name) != View::kUnknown) return FieldKind::kView;
  if (IsOneOf(name, {"borrowing", "same_queue"})) return FieldKind::kBoolean;
  const bool text =
      IsOneOf(name, {"name", "namespace", "local_queue", "cluster_queue", "kind", "level"});
  return text ? FieldKind::kText : FieldKind::kNumber;
}

bool IsResource(std::string_view name) {
  return IsOneOf(name, {"cpu", "memory", "ephemeral-storage", "storage", "pods"}) ||
         name.starts_with("hugepages-") || name.find('/') != std::string_view::npos;
}

}  // namespace muster::luajit
