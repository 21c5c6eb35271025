// See get_consumers.h.
#include "bindings/cli/show/get_consumers.h"

#include <string>

#include "bindings/lab/read.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {
namespace {

std::string ShowTime(TimeNs at) { return at == kNoTime ? "" : manifest::FormatTime(at); }

/// "main 4 pods: cpu on default"
std::string ShowAdmission(const Admission& admission) {
  std::string text;
  for (const PodSetAssignment& pods : admission.pod_sets) {
    text += (text.empty() ? "" : "; ") + pods.name + " " + std::to_string(pods.count) +
            (pods.count == 1 ? " pod:" : " pods:");
    bool first = true;
    for (const auto& [resource, flavor] : pods.flavors) {
      text +=
          std::string(first ? " " : ", ") + std::string(resource) + " on " + std::string(flavor);
      first = false;
    }
  }
  return text;
}

std::string ShowDetail(const Decision& decision) {
  if (decision.admission) return ShowAdmission(*decision.admission);
  std::string text = decision.reason;
  if (!decision.by.name.empty()) text += " for " + decision.by.ToString();
  return text;
}

}  // namespace

std::vector<ConsumerView> Consumers(const Engine& engine, const Filter& filter) {
  return filter.Keep(lab::Read(engine.Consumers()), [](const ConsumerView& consumer) {
    return Key{"", consumer.name};
  });
}

Table ConsumersTable(const std::vector<ConsumerView>& consumers) {
  Table table({"NAME", ">ACKNOWLEDGED", ">BEHIND", "OLDEST", "LAST ACKNOWLEDGED"});
  for (const ConsumerView& consumer : consumers) {
    table.Add({consumer.name, std::to_string(consumer.acknowledged),
               Cell(std::to_string(consumer.behind)), ShowTime(consumer.oldest_at),
               ShowTime(consumer.acknowledged_at)});
  }
  return table;
}

Json ConsumerItem(const ConsumerView& consumer) {
  Json item = {{"name", consumer.name},
               {"acknowledged", consumer.acknowledged},
               {"behind", consumer.behind},
               {"registeredAt", ShowTime(consumer.registered_at)}};
  if (consumer.oldest_at != kNoTime) item["oldestAt"] = ShowTime(consumer.oldest_at);
  if (consumer.acknowledged_at != kNoTime) {
    item["acknowledgedAt"] = ShowTime(consumer.acknowledged_at);
  }
  return item;
}

Table DecisionsTable(std::span<const Decision> decisions) {
  Table table({">NUMBER", "AT", "DECISION", "WORKLOAD", "STOP", "DETAIL"});
  for (const Decision& decision : decisions) {
    table.Add({std::to_string(decision.number), ShowTime(decision.at),
               std::string(DecisionName(decision.kind)), decision.workload.ToString(),
               decision.stop ? "yes" : "", ShowDetail(decision)});
  }
  return table;
}

}  // namespace muster::cli
