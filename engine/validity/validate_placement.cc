// Rules about selectors, taints and tolerations.
#include <charconv>
#include <set>
#include <tuple>

#include "engine/model/names.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

bool IsInteger(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

void CheckValues(const FieldPath& path, const SelectorRequirement& requirement,
                 ProblemList& problems) {
  const std::vector<std::string>& values = requirement.values;
  const std::string op(EnumName(requirement.op));
  switch (requirement.op) {
    case SelectorOp::kIn:
    case SelectorOp::kNotIn:
      if (values.empty()) problems.Add(path, op + " needs values", "list at least one");
      break;
    case SelectorOp::kExists:
    case SelectorOp::kDoesNotExist:
      if (!values.empty()) problems.Add(path, op + " takes no values", "remove them");
      break;
    case SelectorOp::kGt:
    case SelectorOp::kLt:
      if (values.size() != 1 || !IsInteger(values[0])) {
        problems.Add(path, op + " needs exactly one whole number", "write for example [\"4\"]");
      }
      break;
  }
}

}  // namespace

void CheckRequirement(const FieldPath& path, const SelectorRequirement& requirement,
                      SelectorUse use, ProblemList& problems) {
  CheckQualifiedName(path.Child("key"), requirement.key, "label key", problems);
  const bool compares = requirement.op == SelectorOp::kGt || requirement.op == SelectorOp::kLt;
  if (compares && use == SelectorUse::kLabels) {
    problems.Add(path.Child("operator"),
                 std::string(EnumName(requirement.op)) + " is known for nodes only",
                 "use In, NotIn, Exists or DoesNotExist");
    return;
  }
  const FieldPath values = path.Child("values");
  CheckValues(values, requirement, problems);
  if (compares) return;
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    CheckLabelValue(values.At(i), requirement.values[i], problems);
  }
}

void CheckSelector(const FieldPath& path, const LabelSelector& selector, ProblemList& problems) {
  CheckLabels(path.Child("matchLabels"), selector.match_labels, problems);
  const FieldPath expressions = path.Child("matchExpressions");
  for (std::size_t i = 0; i < selector.match_expressions.size(); ++i) {
    CheckRequirement(expressions.At(i), selector.match_expressions[i], SelectorUse::kLabels,
                     problems);
  }
}

void CheckTaints(const FieldPath& path, std::span<const Taint> taints, ProblemList& problems) {
  std::set<std::tuple<std::string_view, TaintEffect>> seen;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const FieldPath item = path.At(i);
    CheckQualifiedName(item.Child("key"), taints[i].key, "taint key", problems);
    CheckLabelValue(item.Child("value"), taints[i].value, problems);
    if (taints[i].effect == TaintEffect::kNone) {
      problems.Add(item.Child("effect"), "required",
                   "write NoSchedule, PreferNoSchedule or NoExecute");
    }
    if (!seen.emplace(taints[i].key, taints[i].effect).second) {
      problems.Add(item, "a second taint with this key and effect", "remove one of the two");
    }
  }
}

void CheckTolerations(const FieldPath& path, std::span<const Toleration> tolerations,
                      ProblemList& problems) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const FieldPath item = path.At(i);
    const Toleration& toleration = tolerations[i];
    const bool exists = toleration.op == TolerationOp::kExists;
    if (!toleration.key.empty()) {
      CheckQualifiedName(item.Child("key"), toleration.key, "taint key", problems);
    } else if (!exists) {
      problems.Add(item.Child("operator"), "a toleration without a key must use Exists",
                   "write operator: Exists, or give a key");
    }
    if (exists && !toleration.value.empty()) {
      problems.Add(item.Child("value"), "Exists takes no value",
                   "remove the value, or write operator: Equal");
    }
    if (!exists) CheckLabelValue(item.Child("value"), toleration.value, problems);
  }
}

}  // namespace muster
