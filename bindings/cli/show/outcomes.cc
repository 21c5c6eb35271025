// See outcomes.h.
#include "bindings/cli/show/outcomes.h"

#include <array>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "bindings/cli/table.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/words.h"
#include "engine/model/names.h"

namespace muster::cli {
namespace {

constexpr std::array kResults = {Applied::kCreated, Applied::kChanged, Applied::kUnchanged};
using Totals = std::array<std::size_t, kResults.size()>;

/// How many of each kind; what was told to leave is not an object that was applied.
std::map<std::string, Totals> TotalsOf(std::span<const ObjectOutcome> outcomes) {
  std::map<std::string, Totals> totals;
  for (const ObjectOutcome& each : outcomes) {
    for (std::size_t i = 0; i < kResults.size(); ++i) {
      if (each.result == EnumName(kResults[i])) ++totals[each.kind][i];
    }
  }
  return totals;
}

void PrintTotals(std::span<const ObjectOutcome> outcomes, Io& io) {
  Table table({"KIND", ">CREATED", ">CHANGED", ">UNCHANGED"});
  Totals all{};
  const auto add = [&table](std::string kind, const Totals& totals) {
    table.Add({std::move(kind), std::to_string(totals[0]), std::to_string(totals[1]),
               std::to_string(totals[2])});
  };
  const std::map<std::string, Totals> totals = TotalsOf(outcomes);
  for (const auto& [kind, of_kind] : totals) {
    for (std::size_t i = 0; i < kResults.size(); ++i) all[i] += of_kind[i];
    add(kind, of_kind);
  }
  if (totals.size() != 1) add("total", all);
  table.Print(io.out, io.paint);
}

void PrintLeaving(std::size_t leaving, Io& io) {
  if (leaving == 0) return;
  io.out << lab::Counted(leaving, "workload")
         << " told to leave; muster evicted says when the pods are gone\n";
}

}  // namespace

std::vector<ObjectOutcome> ApplyOutcomes(std::span<const Object> objects,
                                         std::span<const Applied> applied,
                                         std::span<const PolicyFailure> failures) {
  std::map<Key, const PolicyFailure*> failed;
  for (const PolicyFailure& each : failures) failed[each.workload] = &each;
  std::vector<ObjectOutcome> outcomes;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Key key = KeyOf(objects[i]);
    outcomes.push_back({std::string(KindName(KindOf(objects[i]))),
                        key.ns.empty() ? key.name : key.ToString(),
                        std::string(EnumName(applied[i]))});
    if (!std::holds_alternative<Workload>(objects[i])) continue;
    const auto failure = failed.find(key);
    if (failure != failed.end()) outcomes.back().submit_failure = *failure->second;
  }
  return outcomes;
}

std::size_t AddEvictions(const std::vector<Key>& before, const std::vector<Key>& after,
                         std::vector<ObjectOutcome>* outcomes) {
  const std::set<Key> known(before.begin(), before.end());
  std::size_t added = 0;
  for (const Key& key : after) {
    if (known.contains(key)) continue;
    outcomes->push_back({"Workload", key.ToString(), "evicting"});
    ++added;
  }
  return added;
}

Json OutcomesJson(std::span<const ObjectOutcome> outcomes) {
  Json list = Json::array();
  for (const ObjectOutcome& each : outcomes) {
    Json json = {{"kind", each.kind}, {"name", each.name}, {"result", each.result}};
    if (each.submit_failure) {
      json["policyFailure"] = {{"policy", each.submit_failure->policy},
                               {"hook", each.submit_failure->hook},
                               {"clusterQueue", each.submit_failure->cluster_queue},
                               {"message", each.submit_failure->message},
                               {"instead", "queued as submitted"}};
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json TotalsJson(std::span<const ObjectOutcome> outcomes) {
  Json json = Json::object();
  for (const auto& [kind, totals] : TotalsOf(outcomes)) {
    for (std::size_t i = 0; i < kResults.size(); ++i) {
      json[kind][std::string(EnumName(kResults[i]))] = totals[i];
    }
  }
  return json;
}

void PrintOutcomes(const std::vector<ObjectOutcome>& outcomes, bool json, Io& io,
                   std::size_t leaving) {
  if (json) return PrintJson(io.out, OutcomesJson(outcomes));
  for (const ObjectOutcome& each : outcomes) {
    io.out << each.kind << ' ' << each.name << ' ' << each.result << '\n';
  }
  PrintLeaving(leaving, io);
}

void PrintApplied(const AppliedReport& report, bool json, bool quiet, Io& io) {
  const std::size_t hidden = io.hidden_warnings.value_or(0);
  if (json) {
    if (!quiet) return PrintJson(io.out, OutcomesJson(report.outcomes));
    return PrintJson(io.out, {{"totals", TotalsJson(report.outcomes)},
                              {"evicting", report.leaving},
                              {"warnings", hidden}});
  }
  if (!quiet) PrintOutcomes(report.outcomes, false, io, report.leaving);
  const std::size_t objects = report.outcomes.size() - report.leaving;
  if (!quiet && objects < 2) return;
  if (!quiet) io.out << '\n';
  PrintTotals(report.outcomes, io);
  if (quiet) PrintLeaving(report.leaving, io);
  if (hidden > 0) io.out << lab::Counted(hidden, "warning") << "; without --quiet they are shown\n";
}

}  // namespace muster::cli
