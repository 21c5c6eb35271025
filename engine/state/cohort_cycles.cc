// Every cohort has one parent, so a walk upwards ends at a root, at what an earlier walk saw, or
// where it was before: then it has gone round.
#include "engine/state/cohort_cycles.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace muster {
namespace {

constexpr std::size_t kNamesShown = 8;  ///< of a cycle, in a message

struct Standing {
  std::string_view parent;
  std::size_t walk = 0;  ///< the walk that came by; 0: none
  /// The last object that names it; nothing when only the world does.
  std::size_t object = std::string_view::npos;
};
using Cohorts = std::map<std::string_view, Standing>;

Cohorts AllCohorts(const World& world, std::span<const Object> objects) {
  Cohorts cohorts;
  for (const auto& [name, cohort] : world.catalog.cohorts) cohorts[name].parent = cohort.parent;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (const auto* cohort = std::get_if<Cohort>(&objects[i])) {
      cohorts[cohort->name] = {cohort->parent, 0, i};
    }
  }
  return cohorts;
}

/// "a -> b -> a", shortened when it is long.
std::string Shown(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) {
    text.append(names[i]).append(" -> ");
  }
  if (names.size() > kNamesShown) {
    text.append("(").append(std::to_string(names.size() - kNamesShown)).append(" more) -> ");
  }
  return text.append(names.front());
}

/// The names from `begin` upwards until it comes again.
std::vector<std::string_view> Around(const Cohorts& cohorts, std::string_view begin) {
  std::vector<std::string_view> names{begin};
  for (std::string_view at = cohorts.at(begin).parent; at != begin; at = cohorts.at(at).parent) {
    names.push_back(at);
  }
  return names;
}

Problem Describe(std::vector<std::string_view> names, std::size_t object, std::string_view name) {
  std::rotate(names.begin(), std::find(names.begin(), names.end(), name), names.end());
  const std::string what = names.size() == 1 ? "cohort " + std::string(name) + " is its own parent"
                                             : "these cohorts are a cycle: " + Shown(names);
  return {object, "spec.parentName", what + "; no queue below could ever admit",
          "remove parentName, or name a cohort that is not below " + std::string(name)};
}

}  // namespace

std::vector<Problem> CohortCycles(const World& world, std::span<const Object> objects) {
  std::vector<Problem> problems;
  const bool may_close_one = std::any_of(objects.begin(), objects.end(), [](const Object& object) {
    const auto* cohort = std::get_if<Cohort>(&object);
    return cohort != nullptr && !cohort->parent.empty();
  });
  if (!may_close_one) return problems;
  Cohorts cohorts = AllCohorts(world, objects);
  std::size_t walk = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto* cohort = std::get_if<Cohort>(&objects[i]);
    if (cohort == nullptr) continue;
    ++walk;
    auto at = cohorts.find(cohort->name);
    while (at != cohorts.end() && at->second.walk == 0) {
      at->second.walk = walk;
      at = at->second.parent.empty() ? cohorts.end() : cohorts.find(at->second.parent);
    }
    if (at == cohorts.end() || at->second.walk != walk) continue;
    const std::vector<std::string_view> names = Around(cohorts, at->first);
    // Of the cohorts on it, that one is to blame which this call writes first.
    std::size_t object = std::string_view::npos;
    for (const std::string_view name : names) object = std::min(object, cohorts.at(name).object);
    if (object == std::string_view::npos) continue;  // the world's own, which was there before
    problems.push_back(Describe(names, object, std::get<Cohort>(objects[object]).name));
  }
  return problems;
}

}  // namespace muster
