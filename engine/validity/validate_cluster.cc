// Rules of what surrounds the queues: priority classes, namespaces, LimitRange, RuntimeClass,
// checks.
#include "engine/model/limits.h"
#include "engine/validity/validate_kinds.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

/// Adds a problem for every resource of which `low` is more than `high`.
void CheckOrder(const FieldPath& path, const ResourceList& low, const ResourceList& high,
                const std::string& what, ProblemList& problems) {
  for (const auto& [name, quantity] : low) {
    const auto bound = high.find(name);
    if (bound == high.end() || quantity <= bound->second) continue;
    problems.Add(path.Entry(name), what, "the other value is " + bound->second.ToString());
  }
}

void CheckItem(const FieldPath& path, const LimitRangeItem& item, ProblemList& problems) {
  const FieldPath request = path.Child("defaultRequest");
  const FieldPath limit = path.Child("default");
  CheckResources(request, item.default_requests, problems);
  CheckResources(limit, item.default_limits, problems);
  CheckResources(path.Child("min"), item.min, problems);
  CheckResources(path.Child("max"), item.max, problems);
  CheckOrder(path.Child("min"), item.min, item.max, "min is more than max", problems);
  CheckOrder(limit, item.default_limits, item.max, "default is more than max", problems);
  CheckOrder(path.Child("min"), item.min, item.default_limits, "min is more than default",
             problems);
  CheckOrder(request, item.default_requests, item.default_limits,
             "defaultRequest is more than default", problems);
  CheckOrder(request, item.default_requests, item.max, "defaultRequest is more than max", problems);
  CheckOrder(path.Child("min"), item.min, item.default_requests, "min is more than defaultRequest",
             problems);
  const FieldPath ratios = path.Child("maxLimitRequestRatio");
  for (const auto& [name, ratio] : item.max_limit_request_ratio) {
    if (ratio < Quantity::Units(1)) {
      problems.Add(ratios.Entry(name), ratio.ToString() + " is less than 1", "write 1 or more");
    }
  }
}

}  // namespace

void Check(const WorkloadPriorityClass& priority_class, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), priority_class.name, problems);
  if (priority_class.description.size() > kMaxDescriptionLength) {
    problems.Add(FieldPath("description"), "the description is too long",
                 "use at most " + std::to_string(kMaxDescriptionLength) + " characters");
  }
}

void Check(const PriorityClass& priority_class, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), priority_class.name, problems);
}

void Check(const Namespace& ns, ProblemList& problems) {
  CheckShortName(FieldPath("metadata").Child("name"), ns.name, problems);
  CheckLabels(FieldPath("metadata").Child("labels"), ns.labels, problems);
}

void Check(const LimitRange& range, ProblemList& problems) {
  CheckKey(range.key, problems);
  const FieldPath spec("spec");
  const FieldPath limits = spec.Child("limits");
  for (std::size_t i = 0; i < range.items.size(); ++i) {
    CheckItem(limits.At(i), range.items[i], problems);
  }
}

void Check(const RuntimeClass& runtime_class, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), runtime_class.name, problems);
  CheckResources(FieldPath("overhead").Child("podFixed"), runtime_class.overhead, problems);
}

void Check(const AdmissionCheck& check, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), check.name, problems);
  if (check.controller.empty()) {
    problems.Add(FieldPath("spec").Child("controllerName"), "required",
                 "name the controller that decides the check");
  }
}

}  // namespace muster
