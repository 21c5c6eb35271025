// See surroundings.h.
#include "bindings/manifest/surroundings.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace muster::manifest {
namespace {

bool ManagesJobs(const Object& configuration) {
  const auto& it = std::get<Configuration>(configuration);
  return it.manage_without_queue || it.managed_namespaces || it.frameworks;
}

/// What decides whether and where the objects in these texts are queued.
std::vector<Object> AroundIn(const Engine& engine, const Manifests& read) {
  std::vector<Object> around;
  const auto take = [&](ObjectKind kind, const auto& is_meant) {
    const Result<std::vector<Object>> known = engine.Objects(kind);
    if (known.ok())
      std::copy_if(known->begin(), known->end(), std::back_inserter(around), is_meant);
  };
  const auto manages = [](const Object& object) {
    return std::holds_alternative<Configuration>(object) && ManagesJobs(object);
  };
  const bool has_own = std::any_of(
      read.objects.begin(), read.objects.end(),
      [](const Object& object) { return std::holds_alternative<Configuration>(object); });
  if (!has_own) take(ObjectKind::kConfiguration, ManagesJobs);
  if (!around.empty() || std::any_of(read.objects.begin(), read.objects.end(), manages)) {
    take(ObjectKind::kNamespace, [&read](const Object& object) {
      return read.again->namespaces.contains(KeyOf(object).name);
    });
  }
  for (const Key& key : QueuesAskedBySettle(read)) {
    const Result<std::vector<LocalQueueView>> queues = engine.LocalQueues(key.ns);
    if (!queues.ok()) continue;
    for (const LocalQueueView& queue : *queues) {
      if (queue.spec.key == key) around.emplace_back(queue.spec);
    }
  }
  return around;
}

}  // namespace

std::set<Key> QueuesAskedBySettle(const Manifests& read) {
  std::set<Key> asked;
  if (read.again == nullptr) return asked;
  for (const std::string& ns : read.again->without_queue) asked.insert({ns, "default"});
  return asked;
}

void ReadInSurroundings(const Engine& engine, Manifests* read) {
  if (read->again == nullptr) return;
  ParseOptions options = read->again->options;
  options.around = AroundIn(engine, *read);
  if (options.around == read->again->options.around) return;
  *read = Parse(read->again->sources, options);
}

}  // namespace muster::manifest
