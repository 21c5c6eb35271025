// See outcomes.h.
#include "bindings/cli/show/outcomes.h"

#include <set>

#include "bindings/cli/json.h"
#include "bindings/cli/world/read.h"
#include "bindings/cli/world/report.h"

namespace muster::cli {
namespace {

std::string_view Outcome(Applied applied) {
  switch (applied) {
    case Applied::kCreated:
      return "created";
    case Applied::kChanged:
      return "changed";
    case Applied::kUnchanged:
      return "unchanged";
  }
  return "";
}

}  // namespace

std::vector<ObjectOutcome> ApplyOutcomes(std::span<const Object> objects,
                                         std::span<const Applied> applied) {
  std::vector<ObjectOutcome> outcomes;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Key key = KeyOf(objects[i]);
    outcomes.push_back({std::string(KindName(KindOf(objects[i]))),
                        key.ns.empty() ? key.name : key.ToString(),
                        std::string(Outcome(applied[i]))});
  }
  return outcomes;
}

std::size_t AddEvictions(const std::vector<Key>& before, const Engine& engine,
                         std::vector<ObjectOutcome>* outcomes) {
  const std::set<Key> known(before.begin(), before.end());
  std::size_t added = 0;
  const std::vector<Key> evicting = Read(engine.Evicting());
  for (const Key& key : evicting) {
    if (known.contains(key)) continue;
    outcomes->push_back({"Workload", key.ToString(), "evicting"});
    ++added;
  }
  return added;
}

void PrintOutcomes(const std::vector<ObjectOutcome>& outcomes, bool json, Io& io,
                   std::size_t leaving) {
  Json list = Json::array();
  for (const auto& [kind, name, result] : outcomes) {
    if (json) {
      list.push_back({{"kind", kind}, {"name", name}, {"result", result}});
    } else {
      io.out << kind << ' ' << name << ' ' << result << '\n';
    }
  }
  if (json) return PrintJson(io.out, list);
  if (leaving == 0) return;
  io.out << Counted(leaving, "workload")
         << " told to leave; muster evicted says when the pods are gone\n";
}

}  // namespace muster::cli
