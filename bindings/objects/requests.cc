#include "bindings/objects/requests.h"

#include "bindings/objects/setting.h"
#include "engine/model/requests.h"

namespace muster::objects {
namespace {

std::vector<Container> ContainersFrom(const Value& list) {
  std::vector<Container> containers;
  for (const Value& each : list.items) {
    Container container;
    container.name = each.TextAt("name");
    container.requests = Quantities(each.At({"resources", "requests"}));
    container.limits = Quantities(each.At({"resources", "limits"}));
    container.restart_always = each.TextAt("restartPolicy") == "Always";
    containers.push_back(std::move(container));
  }
  return containers;
}

}  // namespace

ResourceList Quantities(const Value& list) {
  ResourceList quantities;
  for (const auto& [name, value] : list.entries) {
    if (const auto quantity = Quantity::Parse(value.text)) quantities[name] = *quantity;
  }
  return quantities;
}

PodTemplate PodTemplateFrom(const Value& pod_spec) {
  PodTemplate pods;
  pods.containers = ContainersFrom(pod_spec.At("containers"));
  pods.init_containers = ContainersFrom(pod_spec.At("initContainers"));
  pods.pod_requests = Quantities(pod_spec.At({"resources", "requests"}));
  pods.pod_limits = Quantities(pod_spec.At({"resources", "limits"}));
  if (pod_spec.Has("overhead")) pods.overhead = Quantities(pod_spec.At("overhead"));
  pods.runtime_class = pod_spec.TextAt("runtimeClassName");
  return pods;
}

std::map<std::string, Amount, std::less<>> RequestsOf(const Value& pod_spec, const Setting& setting,
                                                      std::string_view ns) {
  const Configuration config;
  const auto ranges = setting.LimitRangesOf(ns);
  const PodTemplate filled =
      FillDefaults(PodTemplateFrom(pod_spec), {config, setting.runtime_classes(), ranges});
  std::map<std::string, Amount, std::less<>> requests;
  for (const auto& [resource, quantity] : PodResources(filled)) {
    const Amount amount = quantity.ToAmount(resource);
    if (amount != 0) requests[resource] = amount;
  }
  return requests;
}

}  // namespace muster::objects
