// See containers_digest.h. Containers are written as JSON with sorted keys, without what the
// workload keeps and what is at its default, and that text is hashed.
#include "bindings/manifest/containers_digest.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "bindings/objects/hash.h"
#include "bindings/objects/value.h"

namespace muster::manifest {
namespace {

constexpr std::size_t kDigestDigits = 10;

struct Default {
  std::string_view key;
  std::string_view value;
};
/// Wherever they stand in a container: in ports, probes, references of variables.
constexpr auto kDefaults = std::to_array<Default>({
    {"terminationMessagePath", "/dev/termination-log"},
    {"terminationMessagePolicy", "File"},
    {"protocol", "TCP"},
    {"scheme", "HTTP"},
    {"apiVersion", "v1"},
    {"timeoutSeconds", "1"},
    {"periodSeconds", "10"},
    {"successThreshold", "1"},
    {"failureThreshold", "3"},
    {"divisor", "0"},
});

/// Which images are looked for each time they start.
std::string_view DefaultPolicy(std::string_view image) {
  const std::string_view name = image.substr(image.rfind('/') + 1);
  const std::size_t tag = name.find(':');
  const bool is_latest =
      tag == name.npos ? name.find('@') == name.npos : name.substr(tag + 1) == "latest";
  return is_latest ? "Always" : "IfNotPresent";
}

bool IsCredentials(const objects::Value& mount) {
  return mount.TextAt("mountPath") == "/var/run/secrets/kubernetes.io/serviceaccount";
}

bool IsDefault(std::string_view key, const objects::Value& value) {
  if (value.IsNull() || ((value.IsMap() || value.IsList()) && value.Empty())) return true;
  return std::any_of(kDefaults.begin(), kDefaults.end(), [&](const Default& each) {
    return each.key == key && each.value == value.text;
  });
}

void Normalise(objects::Value& value) {
  for (auto& [key, entry] : value.entries) Normalise(entry);
  for (objects::Value& item : value.items) Normalise(item);
  std::erase_if(value.items, IsCredentials);
  std::erase_if(value.entries,
                [](const auto& entry) { return IsDefault(entry.first, entry.second); });
  std::sort(value.entries.begin(), value.entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

/// Than what the workload keeps.
bool HasMore(const objects::Value& container) {
  return std::any_of(container.entries.begin(), container.entries.end(), [](const auto& entry) {
    return entry.first != "name" && entry.first != "resources" && entry.first != "restartPolicy";
  });
}

std::string DigestOf(const objects::Value& pod_spec) {
  objects::Value all = objects::Value::Map();
  bool has_more = false;
  for (const std::string_view list : {"containers", "initContainers"}) {
    objects::Value& out = all.Make(list);
    out = objects::Value::List();
    for (objects::Value container : pod_spec.At(list).items) {
      container.Remove("resources");
      container.Remove("restartPolicy");
      if (container.At("imagePullPolicy").text == DefaultPolicy(container.TextAt("image"))) {
        container.Remove("imagePullPolicy");
      }
      Normalise(container);
      has_more |= HasMore(container);
      out.items.push_back(std::move(container));
    }
  }
  return has_more ? objects::Sha1(objects::ToJson(all)).substr(0, kDigestDigits) : "";
}

std::map<std::string_view, std::string_view> DigestsIn(std::string_view text) {
  std::map<std::string_view, std::string_view> digests;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    const std::size_t equals = one.find('=');
    if (equals != one.npos) digests[one.substr(0, equals)] = one.substr(equals + 1);
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return digests;
}

}  // namespace

std::string ContainersDigest(std::span<const objects::JobPodSet> sets) {
  std::string text;
  for (const objects::JobPodSet& set : sets) {
    const std::string digest = DigestOf(set.pod_template.At("spec"));
    if (digest.empty()) continue;
    text.append(text.empty() ? "" : ",").append(set.name).append("=").append(digest);
  }
  return text;
}

std::string OtherContainers(std::string_view before, std::string_view after) {
  const auto had = DigestsIn(before);
  for (const auto& [set, digest] : DigestsIn(after)) {
    const auto known = had.find(set);
    if (known != had.end() && known->second != digest) return std::string(set);
  }
  return "";
}

}  // namespace muster::manifest
