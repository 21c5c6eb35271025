#include "bindings/http/neighbours.h"

#include <utility>
#include <variant>
#include <vector>

#include "bindings/http/problem.h"

namespace muster::http {
namespace {

/// The LocalQueues that the jobs name.
std::set<Key> QueuesOf(const manifest::Manifests& read) {
  std::set<Key> queues;
  for (const Object& object : read.objects) {
    const auto* workload = std::get_if<Workload>(&object);
    if (workload != nullptr) queues.insert({workload->key.ns, workload->queue});
  }
  return queues;
}

}  // namespace

std::optional<Response> Neighbours::SendOn(const manifest::Manifests& read,
                                           const std::string& target) const {
  if (!url_of) return std::nullopt;
  const std::set<Key> queues = QueuesOf(read);
  const Key* there = nullptr;
  std::string url;
  const Key* other = nullptr;  // that is not served there
  for (const Key& queue : queues) {
    std::optional<std::string> its = url_of(queue);
    if (its && (there == nullptr || *its == url)) {
      there = &queue;
      url = *std::move(its);
    } else {
      other = &queue;
    }
  }
  if (there == nullptr) return std::nullopt;
  if (other != nullptr) {
    return Refuse(Refusal{409, "Elsewhere",
                          "LocalQueue " + there->ToString() + " is served at " + url + ", and " +
                              other->ToString() + " is not",
                          "send the jobs of each apart"});
  }
  Response response =
      Refuse(Refusal{307, "Elsewhere", "LocalQueue " + there->ToString() + " is served at " + url,
                     "send it to " + url + target});
  response.fields.emplace_back("Location", url + target);
  return response;
}

void Neighbours::TellQueues(const Engine& engine) const {
  if (!tell) return;
  const Result<std::vector<LocalQueueView>> views = engine.LocalQueues();
  if (!views.ok()) return;  // it has closed, and its service ends
  std::set<Key> queues;
  for (const LocalQueueView& view : *views) queues.insert(view.spec.key);
  tell(std::move(queues));
}

}  // namespace muster::http
