// POST /v1/workloads/NS/NAME/start-patch: the objects of an admitted workload as they may run. The
// manifests come in the body, for the ledger keeps workloads and not what they were made of.
#include <memory>
#include <string>
#include <utility>

#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/said.h"
#include "bindings/http/service.h"
#include "bindings/http/target.h"
#include "bindings/http/writes.h"
#include "bindings/manifest/job_objects.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/start_objects.h"
#include "engine/base/utf8.h"

namespace muster::http {
namespace {

/// Replicas of a Deployment are looked through one by one, each with all that the body says of it.
constexpr std::size_t kMaxObjectBytes = std::size_t{256} << 10;

Response SeenBy(const Engine& engine, const Key& key, const Caller& caller) {
  const Sight sight(caller, engine);
  return WorkloadIsSeen(sight, engine, manifest::RunningSlice(engine, key))
             ? JsonResponse(lab::Json::object())
             : NotThere("workload '" + key.ToString() + "'");
}

Response Started(const Engine& engine, const Key& key, manifest::JobObjects objects) {
  const Key meant = manifest::RunningSlice(engine, key);
  const auto started = manifest::StartObjects(engine, meant, std::move(objects));
  if (!started.ok()) return Refuse(RefusalOf(started.status()));
  return {200, std::string(kJsonMedia), manifest::ToJson(meant, *started)};
}

}  // namespace

Verdict Service::StartPatch(const Request& request) {
  if (auto wrong = CheckType(request.head, {"application/yaml", "application/json"})) {
    return *std::move(wrong);
  }
  const Key key{request.target.path[2], request.target.path[3]};
  return TakeBody(request, kMaxObjectBytes,
                  [this, key, caller = request.caller](std::string body, const Reply& reply) {
                    if (!IsUtf8(body)) return reply(NotUtf8());
                    const auto is_seen = [key, caller](Engine& engine, TimeNs) {
                      return SeenBy(engine, key, caller);
                    };
                    const auto go_on = [this, key, body = std::move(body), reply](Response seen) {
                      if (seen.status != 200) return reply(std::move(seen));
                      OnReader([this, key, body, reply] { ReadStart(key, body, reply); }, reply);
                    };
                    around_.room->Do({is_seen, /*changes=*/false, /*alone=*/false, go_on});
                  });
}

/// Reads the objects beside the engine's thread, then asks it what they were given.
void Service::ReadStart(const Key& key, const std::string& body, const Reply& reply) {
  const manifest::Source source{"body", body};
  const auto objects =
      std::make_shared<manifest::JobObjects>(manifest::ReadJobObjects({&source, 1}, key));
  const auto work = [key, objects](Engine& engine, TimeNs) {
    return Started(engine, key, std::move(*objects));
  };
  around_.room->Do({work, /*changes=*/false, /*alone=*/false, reply});
}

}  // namespace muster::http
