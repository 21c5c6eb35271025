#include "bindings/http/neighbours.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "bindings/cpp/open_store.h"
#include "bindings/http/checks.h"
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

/// The jobs that a command names; nullopt: it is about something else.
std::optional<std::vector<Key>> JobsOf(const Command& command) {
  return std::visit(
      [](const auto& each) -> std::optional<std::vector<Key>> {
        using C = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<C, command::Ready> || std::is_same_v<C, command::Finish> ||
                      std::is_same_v<C, command::Cancel> || std::is_same_v<C, command::Evicted>) {
          return each.workloads;
        } else if constexpr (std::is_same_v<C, command::Update> ||
                             std::is_same_v<C, command::Evict> ||
                             std::is_same_v<C, command::AnswerCheck>) {
          return std::vector<Key>{each.workload};
        } else if constexpr (std::is_same_v<C, command::Delete>) {
          if (each.kind == ObjectKind::kWorkload) return std::vector<Key>{each.key};
        }
        return std::nullopt;
      },
      command);
}

/// The target with these as its parameter kTried.
std::string WithTried(const std::string& target, const std::set<std::string>& tried) {
  const std::size_t question = target.find('?');
  std::string changed = target.substr(0, question);
  char separator = '?';
  const std::string_view query =
      question == std::string::npos ? "" : std::string_view(target).substr(question + 1);
  for (const std::string& pair : Split(query, '&')) {
    if (pair.empty() || pair.starts_with(std::string(kTried) + "=")) continue;
    changed += separator + pair;
    separator = '&';
  }
  std::string names;
  for (const std::string& name : tried) names += (names.empty() ? "" : ",") + name;
  if (!names.empty()) changed += separator + std::string(kTried) + "=" + names;
  return changed;
}

/// What is no name of a ledger is left out, so the others need no escape.
std::set<std::string> TriedIn(const std::string& target) {
  const Result<Target> read = ParseTarget(target);
  if (!read.ok()) return {};
  std::set<std::string> tried;
  for (std::string& name : Split(read->Query(kTried), ',')) {
    if (IsLedgerName(name)) tried.insert(std::move(name));
  }
  return tried;
}

}  // namespace

bool NamesOneJob(const Target& target) {
  const std::vector<std::string>& path = target.path;
  if (path.size() < 2 || path[0] != "v1") return false;
  if (path[1] == "describe") return !target.Query("namespace").empty();
  return path[1] == "workloads" && path.size() >= 4;
}

std::set<std::string> NamespacesOf(const std::vector<Command>& commands) {
  std::set<std::string> namespaces;
  for (const Command& command : commands) {
    const auto jobs = JobsOf(command);
    if (!jobs) return {};
    for (const Key& key : *jobs) namespaces.insert(key.ns);
  }
  return namespaces;
}

bool HasAny(const Engine& engine, const std::vector<Command>& commands) {
  return std::any_of(commands.begin(), commands.end(), [&engine](const Command& command) {
    const auto jobs = JobsOf(command);
    return jobs && std::any_of(jobs->begin(), jobs->end(),
                               [&engine](const Key& key) { return engine.GetWorkload(key).ok(); });
  });
}

std::optional<Response> Neighbours::SendOnByName(const std::set<std::string>& namespaces,
                                                 const std::string& target) const {
  if (!in_namespace || namespaces.empty()) return std::nullopt;
  std::set<std::string> tried = TriedIn(target);
  if (!ledger.empty() && !tried.insert(ledger).second) return std::nullopt;
  std::optional<Neighbour> next;
  for (Neighbour& each : in_namespace(*namespaces.begin())) {
    if (tried.contains(each.ledger)) continue;
    const bool in_all =
        std::all_of(namespaces.begin(), namespaces.end(), [&](const std::string& ns) {
          const std::vector<Neighbour> there = in_namespace(ns);
          return std::any_of(there.begin(), there.end(), [&each](const Neighbour& other) {
            return other.ledger == each.ledger;
          });
        });
    if (!in_all) continue;
    next = std::move(each);
    break;
  }
  if (!next) return std::nullopt;
  const std::string there = WithTried(target, tried);
  if (there.size() > kMaxTarget) return std::nullopt;
  Response response = Refuse(Refusal{
      307, "Elsewhere",
      "the job is not here, and ledger " + next->ledger + " has LocalQueues in its namespace",
      "ask " + next->url + there});
  response.fields.emplace_back("Location", next->url + there);
  return response;
}

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
