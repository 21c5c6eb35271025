// Rules of resource groups: what may cover what, how often, and with which limits.
#include "engine/base/amount.h"
#include "engine/model/limits.h"
#include "engine/validity/validate_kinds.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

/// What is more than can ever be held is a mistake, unless it stands for no end.
void CheckCanBeHeld(const FieldPath& path, const std::string& resource, const Quantity& quantity,
                    ProblemList& problems) {
  const Amount amount = quantity.ToAmount(resource);
  if (amount <= kMostHeld || amount == kUnlimited) return;
  const std::string most = QuantityOf(resource, kMostHeld).ToString();
  problems.AddTolerable(path,
                        quantity.ToString() + " " + resource +
                            " can never be used: all workloads together may hold at most " + most,
                        "write " + most + " or less, or 10E for no end");
}

void CheckLimit(const FieldPath& path, const std::optional<Quantity>& limit,
                const GroupRules& rules, ProblemList& problems) {
  if (!limit) return;
  CheckNotNegative(path, *limit, problems);
  if (!rules.has_parent) {
    problems.AddTolerable(path, "a limit needs a cohort to borrow from or lend to",
                          "remove it, or name the cohort");
  }
}

void CheckQuota(const FieldPath& path, const ResourceQuota& quota, const GroupRules& rules,
                ProblemList& problems) {
  CheckNotNegative(path.Child("nominalQuota"), quota.nominal, problems);
  CheckLimit(path.Child("borrowingLimit"), quota.borrowing_limit, rules, problems);
  CheckLimit(path.Child("lendingLimit"), quota.lending_limit, rules, problems);
  CheckCanBeHeld(path.Child("nominalQuota"), quota.name, quota.nominal, problems);
  if (quota.borrowing_limit) {
    CheckCanBeHeld(path.Child("borrowingLimit"), quota.name, *quota.borrowing_limit, problems);
  }
  if (quota.lending_limit) {
    CheckCanBeHeld(path.Child("lendingLimit"), quota.name, *quota.lending_limit, problems);
  }
  const bool nominal_makes_sense = rules.lending_within_nominal && !quota.nominal.IsNegative();
  if (nominal_makes_sense && quota.lending_limit && *quota.lending_limit > quota.nominal) {
    problems.Add(path.Child("lendingLimit"),
                 quota.lending_limit->ToString() + " is more than the nominalQuota " +
                     quota.nominal.ToString(),
                 "write " + quota.nominal.ToString() + " or less");
  }
}

void CheckFlavor(const FieldPath& path, const FlavorQuotas& flavor, const ResourceGroup& group,
                 const GroupRules& rules, ProblemList& problems) {
  CheckName(path.Child("name"), flavor.name, problems);
  const FieldPath resources = path.Child("resources");
  if (flavor.resources.size() != group.covered_resources.size()) {
    problems.Add(resources,
                 std::to_string(flavor.resources.size()) + " resources, but " +
                     std::to_string(group.covered_resources.size()) + " are covered",
                 "list each of coveredResources once, in the same order");
  }
  for (std::size_t i = 0; i < flavor.resources.size(); ++i) {
    const FieldPath resource = resources.At(i);
    CheckQuota(resource, flavor.resources[i], rules, problems);
    if (i >= group.covered_resources.size()) continue;
    if (flavor.resources[i].name != group.covered_resources[i]) {
      problems.Add(resource.Child("name"),
                   Quote(flavor.resources[i].name) + " stands where coveredResources has " +
                       Quote(group.covered_resources[i]),
                   "write " + Quote(group.covered_resources[i]));
    }
  }
}

/// What earlier groups have taken, and how much.
struct Taken {
  UniqueNames resources;
  UniqueNames flavors;
  std::size_t resource_count = 0;
  std::size_t flavor_count = 0;
};

void CheckCovered(const FieldPath& list, const ResourceGroup& group, Taken& taken,
                  ProblemList& problems) {
  const std::vector<std::string>& names = group.covered_resources;
  CheckNotEmpty(list, names.size(), problems);
  CheckSize(list, names.size(), kMaxCoveredResources, problems);
  CheckUnique(list, names, problems);
  for (std::size_t i = 0; i < names.size(); ++i) {
    CheckQualifiedName(list.At(i), names[i], "resource name", problems);
    if (!taken.resources.Contains(names[i])) continue;
    problems.AddTolerable(list.At(i), Quote(names[i]) + " is covered by an earlier group",
                          "cover it in one group only");
  }
  taken.resources.Add(names);
  taken.resource_count += names.size();
}

void CheckFlavors(const FieldPath& list, const ResourceGroup& group, const GroupRules& rules,
                  Taken& taken, ProblemList& problems) {
  CheckNotEmpty(list, group.flavors.size(), problems);
  CheckSize(list, group.flavors.size(), kMaxFlavors, problems);
  for (std::size_t i = 0; i < group.flavors.size(); ++i) {
    const FieldPath flavor = list.At(i);
    CheckFlavor(flavor, group.flavors[i], group, rules, problems);
    taken.flavors.Check(flavor.Child("name"), group.flavors[i].name, problems);
  }
  taken.flavor_count += group.flavors.size();
}

}  // namespace

void CheckResourceGroups(std::span<const ResourceGroup> groups, const GroupRules& rules,
                         ProblemList& problems) {
  const FieldPath spec("spec");
  const FieldPath list = spec.Child("resourceGroups");
  CheckSize(list, groups.size(), kMaxResourceGroups, problems);
  Taken taken;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const FieldPath group = list.At(i);
    CheckCovered(group.Child("coveredResources"), groups[i], taken, problems);
    CheckFlavors(group.Child("flavors"), groups[i], rules, taken, problems);
    if (groups[i].flavors.size() * groups[i].covered_resources.size() <= kMaxGroupPairs) continue;
    problems.Add(group,
                 "more than " + std::to_string(kMaxGroupPairs) +
                     " pairs of flavor and resource in one group",
                 "split the group");
  }
  if (taken.resource_count > kMaxTotalCoveredResources) {
    problems.Add(list, std::to_string(taken.resource_count) + " covered resources over all groups",
                 "keep at most " + std::to_string(kMaxTotalCoveredResources));
  }
  if (taken.flavor_count > kMaxTotalFlavors) {
    problems.Add(list, std::to_string(taken.flavor_count) + " flavors over all groups",
                 "keep at most " + std::to_string(kMaxTotalFlavors));
  }
}

}  // namespace muster
