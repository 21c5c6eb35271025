// See quota_change.h.
#include "bindings/cli/world/quota_change.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bindings/manifest/closest.h"
#include "engine/base/join.h"
#include "muster/quantity.h"

namespace muster::cli {
namespace {

Status WordRefused(StatusCode code, std::string_view word, const std::string& why) {
  return Status(code, "'" + std::string(word) + "': " + why);
}

Status NoSuch(std::string_view word, const std::string& what, std::string_view name,
              const std::vector<std::string_view>& names) {
  const std::string there_is = "there is no " + what + " " + std::string(name);
  return WordRefused(StatusCode::kNotFound, word,
                     there_is + (names.empty() ? "" : "; " + manifest::ProposeName(name, names)));
}

/// The resource of `names` that was meant: a short name such as gpu is that of a device. One that
/// begins otherwise is another resource, however few letters differ; empty: none.
std::string_view ResourceMeant(std::string_view word, const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) {
    if (name == word || name.substr(name.rfind('/') + 1) == word) return name;
  }
  const std::string_view near = manifest::Closest(word, names);
  return !near.empty() && !word.empty() && near.front() == word.front() ? near : std::string_view();
}

struct QuotaWord {
  std::string_view queue;
  std::string_view flavor;
  std::string_view resource;
  char sign = ' ';  ///< + and - change what there is
  Quantity value;
};

std::optional<QuotaWord> ReadWord(std::string_view word) {
  const std::size_t equals = word.rfind('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view name = word.substr(0, equals);
  std::string_view value = word.substr(equals + 1);
  const std::size_t first = name.find('/');
  const std::size_t second = first == std::string_view::npos ? first : name.find('/', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  QuotaWord read{name.substr(0, first),
                 name.substr(first + 1, second - first - 1),
                 name.substr(second + 1),
                 ' ',
                 {}};
  if (value.starts_with('+') || value.starts_with('-')) {
    read.sign = value.front();
    value.remove_prefix(1);
  }
  const auto quantity = Quantity::Parse(value);
  const bool whole = !read.queue.empty() && !read.flavor.empty() && !read.resource.empty();
  if (!quantity || !whole || value.starts_with('+') || value.starts_with('-')) return std::nullopt;
  read.value = *quantity;
  return read;
}

ResourceQuota* FindQuota(ClusterQueue& queue, const QuotaWord& word) {
  for (ResourceGroup& group : queue.resource_groups) {
    for (FlavorQuotas& flavor : group.flavors) {
      if (flavor.name != word.flavor) continue;
      for (ResourceQuota& quota : flavor.resources) {
        if (quota.name == word.resource) return &quota;
      }
    }
  }
  return nullptr;
}

/// There is none of that flavor and resource: the pair of the queue that was meant. What of the two
/// is right stays; names are never mixed to a pair that the queue does not have.
Status NoSuchPair(std::string_view word, const ClusterQueue& queue, const QuotaWord& read) {
  std::vector<std::string_view> flavors;
  for (const ResourceGroup& group : queue.resource_groups) {
    for (const FlavorQuotas& flavor : group.flavors) flavors.emplace_back(flavor.name);
  }
  const bool known = std::find(flavors.begin(), flavors.end(), read.flavor) != flavors.end();
  const std::string_view meant = known ? read.flavor : manifest::Closest(read.flavor, flavors);
  std::vector<std::string> pairs;
  std::vector<std::string_view> resources;
  for (const ResourceGroup& group : queue.resource_groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& each : flavor.resources) {
        if (meant.empty() ? each.name != read.resource : flavor.name != meant) continue;
        pairs.push_back(flavor.name + "/" + each.name);
        resources.emplace_back(each.name);
      }
    }
  }
  const std::string_view resource = ResourceMeant(read.resource, resources);
  std::string cure;
  if (!meant.empty() && !resource.empty()) {
    cure = "; write \"" + std::string(meant) + "/" + std::string(resource) + "\"";
  } else if (!pairs.empty()) {
    cure = std::string("; write ") + (pairs.size() > 1 ? "one of " : "") + Join(pairs);
  } else if (!flavors.empty()) {
    cure = "; its flavors are " + Join(flavors);
  }
  return WordRefused(StatusCode::kNotFound, word,
                     "there is no quota in ClusterQueue " + queue.name + " for " +
                         std::string(read.flavor) + "/" + std::string(read.resource) + cure);
}

}  // namespace

Result<ClusterQueue> WithQuota(const Engine& engine, std::string_view word) {
  const auto read = ReadWord(word);
  if (!read) {
    return WordRefused(
        StatusCode::kInvalidArgument, word,
        "write QUEUE/FLAVOR/RESOURCE=N, or =+N or =-N for more or less than there is, "
        "for example team-a-cq/default-flavor/cpu=+4");
  }
  const Result<std::vector<Object>> objects = engine.Objects(ObjectKind::kClusterQueue);
  if (!objects.ok()) return objects.status();
  std::vector<std::string_view> names;
  const ClusterQueue* found = nullptr;
  for (const Object& object : *objects) {
    const auto& queue = std::get<ClusterQueue>(object);
    names.emplace_back(queue.name);
    if (queue.name == read->queue) found = &queue;
  }
  if (found == nullptr) return NoSuch(word, "ClusterQueue", read->queue, names);
  ClusterQueue changed = *found;
  ResourceQuota* const quota = FindQuota(changed, *read);
  if (quota == nullptr) return NoSuchPair(word, changed, *read);
  if (read->sign == '-' && read->value > quota->nominal) {
    const Amount own = quota->nominal.ToAmount(quota->name);
    return WordRefused(
        StatusCode::kFailedPrecondition, word,
        "it has only " + FormatAmount(quota->name, own) + "; take away at most that");
  }
  quota->nominal = read->sign == '+'   ? quota->nominal + read->value
                   : read->sign == '-' ? quota->nominal - read->value
                                       : read->value;
  return changed;
}

}  // namespace muster::cli
