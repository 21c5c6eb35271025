// See get_print.h.
#include "bindings/cli/show/get_print.h"

#include <vector>

#include "bindings/cli/json.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/near_names.h"
#include "bindings/lab/yaml_text.h"
#include "engine/base/shown.h"

namespace muster::cli {
namespace {

std::string Where(const Filter& filter) {
  return (filter.ns.empty() ? "" : " in namespace " + Shown(filter.ns)) +
         (filter.states.empty() ? "" : " in that state");
}

/// Names near it are named only to a reader that sees everything.
Status NoneOfThatName(const Engine& engine, Kind kind, const Filter& filter) {
  const Key key{filter.ns, filter.name};
  if (!filter.ns.empty() && kind == Kind::kWorkload && filter.states.empty() && !filter.sees) {
    return {StatusCode::kNotFound, lab::UnknownWorkload(engine, key, "there is none")};
  }
  return {StatusCode::kNotFound, "there is no " + std::string(Singular(kind)) + " '" + filter.name +
                                     "'" + Where(filter) +
                                     (filter.sees ? "" : NearName(engine, kind, key))};
}

}  // namespace

std::string NothingOf(Kind kind, const Filter& filter) {
  return "no " + std::string(Singular(kind)) + Where(filter);
}

Status PrintKind(const Engine& engine, Kind kind, const Filter& asked, const std::string& output,
                 std::ostream& out, const Paint& paint) {
  const Filter filter = MeantBy(engine, kind, asked);
  if (output != "json" && output != "yaml") {
    const Table table = KindTable(engine, kind, filter, output == "wide");
    if (table.empty() && !filter.name.empty()) return NoneOfThatName(engine, kind, filter);
    if (!table.empty()) table.Print(out, paint);
    return Status::Ok();
  }
  const std::vector<Json> items = Items(engine, kind, filter);
  if (items.empty() && !filter.name.empty()) return NoneOfThatName(engine, kind, filter);
  if (output == "yaml") {
    for (std::size_t i = 0; i < items.size(); ++i) {
      out << (i > 0 ? "---\n" : "") << lab::BlockYaml(items[i]);
    }
  } else if (!filter.name.empty() && items.size() == 1) {
    PrintJson(out, items.front());
  } else {
    PrintJson(out, {{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}});
  }
  return Status::Ok();
}

}  // namespace muster::cli
