// POST /v1/workloads/NS/NAME/start-patch: the objects of an admitted workload as they may run. The
// manifests come in the body, for the ledger keeps workloads and not what they were made of.
#include <memory>
#include <utility>

#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/service.h"
#include "bindings/manifest/job_objects.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/start_objects.h"

namespace muster::http {
namespace {

Response Started(const Engine& engine, const Key& key, const Caller& caller,
                 manifest::JobObjects objects) {
  const Key meant = manifest::RunningSlice(engine, key);
  const Result<WorkloadView> view = engine.GetWorkload(meant);
  const Sight sight(caller, engine);
  const bool is_seen = view.ok() && sight.Sees("workloads", {meant, view->cluster_queue,
                                                             std::string(view->spec.queue)});
  if (!is_seen) return NotThere("workload '" + key.ToString() + "'");
  const auto started = manifest::StartObjects(engine, meant, std::move(objects));
  if (!started.ok()) return Refuse(RefusalOf(started.status()));
  return {200, "application/json", manifest::ToJson(meant, *started)};
}

}  // namespace

Verdict Service::StartPatch(const Request& request) {
  if (auto wrong = CheckType(request.head, {"application/yaml", "application/json"})) {
    return *std::move(wrong);
  }
  const Key key{request.target.path[2], request.target.path[3]};
  return TakeBody(request, kMaxManifestBytes,
                  [this, key, caller = request.caller](std::string body, const Reply& reply) {
                    around_.reader->Do([this, key, caller, body = std::move(body), reply] {
                      const manifest::Source source{"body", body};
                      const auto objects = std::make_shared<manifest::JobObjects>(
                          manifest::ReadJobObjects({&source, 1}));
                      const auto work = [key, caller, objects](Engine& engine, TimeNs) {
                        return Started(engine, key, caller, std::move(*objects));
                      };
                      around_.room->Do({work, /*changes=*/false, /*alone=*/false, reply});
                    });
                  });
}

}  // namespace muster::http
