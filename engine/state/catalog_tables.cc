// See catalog_tables.h.
#include "engine/state/catalog_tables.h"

namespace muster {

std::optional<Object> FindObject(const World& world, ObjectKind kind, const Key& key) {
  std::optional<Object> found;
  const bool has_table = VisitTable(world.catalog, kind, [&](const auto& table) {
    const auto it = table.find(NameIn(table, key));
    if (it != table.end()) found = it->second;
  });
  if (has_table) return found;
  if (kind == ObjectKind::kConfiguration) {
    found = world.catalog.config;
  } else if (kind == ObjectKind::kEngineConfiguration) {
    found = world.catalog.engine_config;
  } else if (kind == ObjectKind::kClusterQueue) {
    if (const ClusterQueueState* queue = world.FindQueue(key.name)) found = queue->spec;
  } else if (kind == ObjectKind::kLocalQueue) {
    const auto it = world.local_queue_ids.find(key);
    if (it != world.local_queue_ids.end()) found = world.local_queue(it->second).spec;
  }
  return found;
}

bool ObjectExists(const World& world, ObjectKind kind, const Key& key) {
  bool exists = false;
  const bool has_table = VisitTable(
      world.catalog, kind, [&](const auto& table) { exists = table.contains(NameIn(table, key)); });
  if (has_table) return exists;
  if (kind == ObjectKind::kWorkload) return world.FindWorkload(key) != nullptr;
  if (kind == ObjectKind::kClusterQueue) return world.FindQueue(key.name) != nullptr;
  if (kind == ObjectKind::kLocalQueue) return world.FindLocalQueue(key.ns, key.name) != nullptr;
  return key == KeyOf(*FindObject(world, kind, key));
}

std::vector<Object> ObjectsOf(const World& world, ObjectKind kind) {
  std::vector<Object> objects;
  const bool has_table = VisitTable(world.catalog, kind, [&](const auto& table) {
    objects.reserve(table.size());
    for (const auto& [name, object] : table) objects.emplace_back(object);
  });
  if (has_table) return objects;
  if (kind == ObjectKind::kConfiguration) {
    objects.emplace_back(world.catalog.config);
  } else if (kind == ObjectKind::kEngineConfiguration) {
    objects.emplace_back(world.catalog.engine_config);
  } else if (kind == ObjectKind::kClusterQueue) {
    for (const auto& [name, id] : world.queue_ids) objects.emplace_back(world.queue(id).spec);
  } else if (kind == ObjectKind::kLocalQueue) {
    for (const auto& [key, id] : world.local_queue_ids) {
      objects.emplace_back(world.local_queue(id).spec);
    }
  }
  return objects;
}

}  // namespace muster
