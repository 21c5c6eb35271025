#include "bindings/http/router.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <variant>

#include "bindings/http/checks.h"
#include "bindings/http/neighbours.h"
#include "bindings/http/problem.h"
#include "bindings/http/service.h"
#include "bindings/http/target.h"
#include "bindings/http/tokens.h"
#include "bindings/http/worker.h"
#include "bindings/http/writes.h"
#include "engine/base/caught.h"

namespace muster::http {
namespace {

class Router {
 public:
  explicit Router(const RouterOptions& options) : options_(options) {
    if (!options.tokens.empty()) tokens_.emplace(options.tokens);
  }

  void SetPost(std::function<void(std::function<void()>)> post) { post_ = std::move(post); }
  /// Nothing is posted any more.
  void End() { worker_.reset(); }

  Verdict Begin(const Head& head) {
    if (auto refused = CheckOrigin(head)) return *std::move(refused);
    if (auto refused = CheckCaller(head)) return *std::move(refused);
    const Result<Target> target = ParseTarget(head.target);
    if (!target.ok()) return Refuse(RefusalOf(target.status()));
    const std::vector<std::string>& path = target->path;
    const bool reads = head.method == "GET" || head.method == "HEAD";
    if (reads && (path == Words{"healthz"} || path == Words{"readyz"})) {
      return JsonResponse({{"status", "ok"}});
    }
    if (reads && path == Words{"version"}) return JsonResponse(options_.version);
    if (reads && path == Words{"v1", "shards"}) return Shards();
    if (head.method == "POST" && path == Words{"v1", "submit"}) return Jobs(head, Sent::kSubmit);
    if (head.method == "POST" && path == Words{"v1", "apply"}) return Jobs(head, Sent::kApply);
    return Refuse(
        Refusal{404,
                "NotFound",
                "this service has no ledger and sends jobs on: POST /v1/submit, /v1/apply",
                "GET /v1/shards says where each ledger is served; ask there",
                {"path"}});
  }

 private:
  using Words = std::vector<std::string>;

  std::optional<Response> CheckCaller(const Head& head) {
    if (!tokens_) return CheckHost(head);
    auto found = FindCaller(*tokens_, head);
    auto* const refused = std::get_if<Response>(&found);
    return refused == nullptr ? std::nullopt : std::optional(std::move(*refused));
  }

  Verdict Shards() {
    return Accepted{0, [this](const std::string&, const Reply& reply) {
                      Aside(
                          [this] {
                            const Result<lab::Json> shards = options_.shards();
                            return shards.ok() ? JsonResponse({{"items", *shards}})
                                               : Refuse(RefusalOf(shards.status()));
                          },
                          reply);
                    }};
  }

  Verdict Jobs(const Head& head, Sent sent) {
    if (auto wrong = CheckType(head, {"application/yaml", "application/json"})) {
      return *std::move(wrong);
    }
    if (under_way_ >= kMostAside) return TooMuch("too many requests are under way");
    ++under_way_;
    const std::shared_ptr<void> counted(nullptr, [this](void*) { --under_way_; });
    return Accepted{
        kMaxManifestBytes,
        [this, sent, target = head.target, counted](std::string body, const Reply& reply) {
          const auto text = std::make_shared<std::string>(std::move(body));
          Aside([this, sent, target, text, counted] { return To(std::move(*text), sent, target); },
                reply);
        }};
  }

  Response To(std::string body, Sent sent, const std::string& target) const {
    auto read = ReadManifests(std::move(body), sent);
    if (auto* const refused = std::get_if<Response>(&read)) return std::move(*refused);
    const Neighbours neighbours{options_.url_of, {}};
    auto elsewhere = neighbours.SendOn(std::get<manifest::Manifests>(read), target);
    if (elsewhere) return *std::move(elsewhere);
    return Refuse(Refusal{404,
                          "NotFound",
                          "no ledger that is served has the LocalQueue of what was sent",
                          "apply queues to the ledger that is to have them: GET /v1/shards",
                          {"body"}});
  }

  /// Away from the thread that reads and writes connections.
  void Aside(std::function<Response()> work, const Reply& reply) {
    worker_->Do([this, work = std::move(work), reply] {
      const auto response = std::make_shared<Response>(work());
      post_([response, reply] { reply(std::move(*response)); });
    });
  }

  const RouterOptions& options_;
  std::optional<TokenFile> tokens_;
  std::function<void(std::function<void()>)> post_;
  std::atomic<std::size_t> under_way_ = 0;  ///< requests with bodies
  std::optional<Worker> worker_{std::in_place};
};

}  // namespace

Status Route(const RouterOptions& options,
             const std::function<void(const std::string& url)>& listening) {
  return Guarded([&]() -> Status {
    Router router(options);
    Result<std::unique_ptr<Transport>> transport = Transport::Listen(
        options.listen, [&router](const Head& head) { return router.Begin(head); }, options.tls);
    if (!transport.ok()) return transport.status();
    router.SetPost([&io = **transport](std::function<void()> work) { io.Post(std::move(work)); });
    listening((*transport)->url());
    (*transport)->Run([] {});
    router.End();
    return Status::Ok();
  });
}

}  // namespace muster::http
