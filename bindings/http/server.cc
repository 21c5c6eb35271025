// See server.h.
#include "bindings/http/server.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "bindings/http/engine_room.h"
#include "bindings/http/service.h"
#include "bindings/http/transport.h"
#include "bindings/http/worker.h"
#include "bindings/http/writes.h"
#include "db/store.h"
#include "engine/base/caught.h"

namespace muster::http {
namespace {

/// Commands name policies by hash; the ledger has them.
Status LoadPoliciesFrom(DurableEngine& durable) {
  return durable.engine().SetPolicyLoader(
      [&durable](std::string_view hash) { return PolicyForCommand(durable.ledger(), hash); });
}

}  // namespace

Status Serve(DurableEngine& engine, const ServeOptions& options, const Views& views,
             const std::function<void(const std::string& url)>& listening) {
  return Guarded([&]() -> Status {
    const Status address = CheckAddress(options.listen, options.tokens.empty());
    if (!address.ok()) return address;
    if (!options.tokens.empty()) {
      const Result<std::vector<Token>> tokens = ReadTokens(options.tokens);
      if (!tokens.ok()) return tokens.status();
    }
    if (Status status = LoadPoliciesFrom(engine); !status.ok()) return status;
    Service service(options.db, options.version, views, options.tokens, options.rates);
    Result<std::unique_ptr<Transport>> transport = Transport::Listen(
        options.listen, [&service](const Head& head) { return service.Begin(head); }, options.tls);
    if (!transport.ok()) return transport.status();
    const auto post = [&io = **transport](std::function<void()> work) { io.Post(std::move(work)); };
    Status closed;
    metrics::Metrics metrics(options.version.value("muster", ""));
    EngineRoomOptions room_options;
    room_options.metrics = &metrics;
    room_options.tick = options.tick;
    room_options.watched = options.watched;
    room_options.packages = options.packages;
    room_options.post = post;
    room_options.on_closed = [&closed, &io = **transport](const Status& status) {
      closed = status;  // read once the room's thread has ended
      io.Stop();
    };
    Result<std::unique_ptr<EngineRoom>> room = EngineRoom::Open(engine, std::move(room_options));
    if (!room.ok()) return room.status();
    {
      Worker aside;  // longer there than the reader, which gives it work
      Worker reader;
      service.SetSurroundings(
          {room->get(), &reader, &aside, &metrics, post, options.neighbours,
           [&engine](const StoredPolicy& policy) { return engine.ledger().StorePolicy(policy); },
           [&io = **transport](std::chrono::nanoseconds delay, std::function<void()> work) {
             io.After(delay, std::move(work));
           }});
      (*room)->Do({[&options](Engine& of, TimeNs) {
                     options.neighbours.TellQueues(of);
                     return Response{};
                   },
                   /*changes=*/false, /*alone=*/false, [](const Response&) {}});
      if (options.neighbours.take_by) {
        options.neighbours.take_by([&service](const std::string& caller,
                                              const std::string& manifests,
                                              const std::optional<StoredPolicy>& policy) {
          return service.Take(caller, manifests, policy);
        });
      }
      listening((*transport)->url());
      (*transport)->Run([&room, &service] {
        service.Stop();
        (*room)->Stop();
      });
      service.Stop();  // also where its engine has closed
      if (options.neighbours.take_by) options.neighbours.take_by({});
    }
    (*room)->Stop();
    return closed;
  });
}

}  // namespace muster::http
