// See outcomes.h.
#include "bindings/cli/show/outcomes.h"

#include "bindings/cli/json.h"

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

void PrintOutcomes(const std::vector<ObjectOutcome>& outcomes, bool json, Io& io) {
  Json list = Json::array();
  for (const auto& [kind, name, result] : outcomes) {
    if (json) {
      list.push_back({{"kind", kind}, {"name", name}, {"result", result}});
    } else {
      io.out << kind << ' ' << name << ' ' << result << '\n';
    }
  }
  if (json) PrintJson(io.out, list);
}

}  // namespace muster::cli
