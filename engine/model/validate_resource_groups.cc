// Rules of resource groups: who may cover what, how often, and with which limits.
#include "engine/model/limits.h"
#include "engine/model/validate_kinds.h"
#include "engine/model/validate_rules.h"

namespace muster {
namespace {

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
  if (rules.lending_within_nominal && quota.lending_limit && *quota.lending_limit > quota.nominal) {
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

}  // namespace

void CheckResourceGroups(std::span<const ResourceGroup> groups, const GroupRules& rules,
                         ProblemList& problems) {
  const FieldPath spec("spec");
  const FieldPath list = spec.Child("resourceGroups");
  CheckSize(list, groups.size(), kMaxResourceGroups, problems);
  UniqueNames earlier;
  UniqueNames flavors;
  std::size_t resource_count = 0;
  std::size_t flavor_count = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const FieldPath path = list.At(g);
    const ResourceGroup& group = groups[g];
    const FieldPath covered = path.Child("coveredResources");
    CheckNotEmpty(covered, group.covered_resources.size(), problems);
    CheckSize(covered, group.covered_resources.size(), kMaxCoveredResources, problems);
    for (std::size_t i = 0; i < group.covered_resources.size(); ++i) {
      CheckQualifiedName(covered.At(i), group.covered_resources[i], "resource name", problems);
      if (earlier.Contains(group.covered_resources[i])) {
        problems.AddTolerable(covered.At(i),
                              Quote(group.covered_resources[i]) + " is covered by an earlier group",
                              "cover it in one group only");
      }
    }
    CheckUnique(covered, group.covered_resources, problems);
    earlier.Add(group.covered_resources);
    const FieldPath offered = path.Child("flavors");
    CheckNotEmpty(offered, group.flavors.size(), problems);
    CheckSize(offered, group.flavors.size(), kMaxFlavors, problems);
    for (std::size_t i = 0; i < group.flavors.size(); ++i) {
      const FieldPath flavor = offered.At(i);
      CheckFlavor(flavor, group.flavors[i], group, rules, problems);
      flavors.Check(flavor.Child("name"), group.flavors[i].name, problems);
    }
    if (group.flavors.size() * group.covered_resources.size() > kMaxGroupPairs) {
      problems.Add(path,
                   "more than " + std::to_string(kMaxGroupPairs) +
                       " pairs of flavor and resource in one group",
                   "split the group");
    }
    resource_count += group.covered_resources.size();
    flavor_count += group.flavors.size();
  }
  if (resource_count > kMaxTotalCoveredResources) {
    problems.Add(list, std::to_string(resource_count) + " covered resources over all groups",
                 "keep at most " + std::to_string(kMaxTotalCoveredResources));
  }
  if (flavor_count > kMaxTotalFlavors) {
    problems.Add(list, std::to_string(flavor_count) + " flavors over all groups",
                 "keep at most " + std::to_string(kMaxTotalFlavors));
  }
}

}  // namespace muster
