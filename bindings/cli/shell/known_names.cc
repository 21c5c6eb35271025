// See known_names.h.
#include "bindings/cli/shell/known_names.h"

#include <algorithm>
#include <sstream>

#include "bindings/cli/show/get_items.h"
#include "bindings/cli/world/ledger.h"

namespace muster::cli {
namespace {

/// The state of the ledger; false where there is none to read. What is wrong is told nowhere.
bool ReadQuietly(const std::string& db, Engine* engine) {
  std::istringstream in;
  std::ostringstream nowhere;
  Io io{in, nowhere, nowhere, Paint(), Paint()};
  return !db.empty() && IsThere(db) && ReadState(db, io, engine) == kDone;
}

/// "name" of {"metadata": {"name": ...}} or of {"name": ...}; "" where it has none.
std::string NameOf(const Json& item) {
  const Json& named = item.contains("metadata") ? item["metadata"] : item;
  return named.value("name", "");
}

void Sort(std::vector<std::string>* names) {
  std::sort(names->begin(), names->end());
  names->erase(std::unique(names->begin(), names->end()), names->end());
}

}  // namespace

std::vector<std::string> KnownNames(const std::string& db, Kind kind, const std::string& ns) {
  Engine engine;
  if (!ReadQuietly(db, &engine)) return {};
  const Filter filter{.ns = ns, .name = ""};
  std::vector<std::string> names;
  const auto add = [&](const Key& key) {
    names.push_back(ns.empty() ? key.ns + "/" + key.name : key.name);
  };
  if (kind == Kind::kWorkload) {
    for (const WorkloadView& workload : Workloads(engine, filter)) add(workload.spec.key);
  } else if (kind == Kind::kLocalQueue) {
    for (const LocalQueueView& queue : LocalQueues(engine, filter)) add(queue.spec.key);
  } else {
    for (const Json& item : Items(engine, kind, {})) names.push_back(NameOf(item));
  }
  std::erase(names, "");
  Sort(&names);
  return names;
}

std::vector<std::string> KnownNamespaces(const std::string& db) {
  Engine engine;
  if (!ReadQuietly(db, &engine)) return {};
  std::vector<std::string> names;
  for (const WorkloadView& workload : Workloads(engine, {})) names.push_back(workload.spec.key.ns);
  for (const LocalQueueView& queue : LocalQueues(engine, {})) names.push_back(queue.spec.key.ns);
  Sort(&names);
  return names;
}

}  // namespace muster::cli
