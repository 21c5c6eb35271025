// Quota in parts of a device: it counts as the next whole number, as in Kueue.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lab/lint/lint.h"
#include "bindings/manifest/quote.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;

const std::vector<ResourceGroup>* GroupsOf(const Object& object) {
  if (const auto* queue = std::get_if<ClusterQueue>(&object)) return &queue->resource_groups;
  if (const auto* cohort = std::get_if<Cohort>(&object)) return &cohort->resource_groups;
  return nullptr;
}

/// What the amount counts as; nullopt: as itself.
std::optional<std::string> CountsAs(const std::string& resource, Quantity amount) {
  const Quantity whole = Quantity::Units(amount.ToAmount(resource));
  if (resource.find('/') == std::string::npos || whole == amount) return std::nullopt;
  return whole.ToString();
}

}  // namespace

std::vector<Diagnostic> LintDevices(const manifest::Manifests& manifests) {
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const std::vector<ResourceGroup>* const groups = GroupsOf(manifests.objects[i]);
    for (std::size_t g = 0; groups != nullptr && g < groups->size(); ++g) {
      const auto& flavors = (*groups)[g].flavors;
      for (std::size_t f = 0; f < flavors.size(); ++f) {
        for (std::size_t r = 0; r < flavors[f].resources.size(); ++r) {
          const ResourceQuota& quota = flavors[f].resources[r];
          const std::string path = "spec.resourceGroups[" + std::to_string(g) + "].flavors[" +
                                   std::to_string(f) + "].resources[" + std::to_string(r) + "].";
          const auto look = [&](const std::string& field, std::optional<Quantity> amount) {
            const auto counts = amount ? CountsAs(quota.name, *amount) : std::nullopt;
            if (!counts) return;
            found.push_back(Advice(manifests, i, path + field,
                                   field + " " + amount->ToString() + " of " +
                                       manifest::Quoted(quota.name) + " counts as " + *counts +
                                       ": a device is not divided",
                                   "write a whole number"));
          };
          look("nominalQuota", quota.nominal);
          look("borrowingLimit", quota.borrowing_limit);
          look("lendingLimit", quota.lending_limit);
        }
      }
    }
  }
  return found;
}

}  // namespace muster::lab
