// A service whose memory runs out at one allocation, or from it on until it is noticed. Each call
// is answered or its session ends; the service goes on, or says that the engine is closed.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "bindings/http/engine_room.h"
#include "bindings/http/feed.h"
#include "bindings/http/service.h"
#include "bindings/http/worker.h"
#include "muster/log.h"
#include "muster/muster.h"
#include "tests/testing/failing_memory.h"
#include "tests/testing/paths.h"

// What a JSON object has of its members when one of them finds no memory is never freed by its
// library. The leak checker asks this function what not to tell.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions();
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:nlohmann"; }

namespace muster::http {
namespace {

using testing::FailingMemory;
using Lasting = FailingMemory::Lasting;

/// The JSON library takes a few bytes to let go of an object, and ends the process without them.
constexpr std::size_t kLeast = 160;

/// A ledger, a service in front of it, and the io thread's part done by the test.
class Served {
 public:
  explicit Served(const std::string& ledger) {
    auto opened = DurableEngine::Open(ledger);
    EXPECT_TRUE(opened.ok());
    engine_ = *std::move(opened);
    EngineRoomOptions options;
    options.metrics = &metrics_;
    options.tick = std::chrono::milliseconds(0);
    const auto post = [this](std::function<void()> work) {
      const std::lock_guard lock(mutex_);
      posted_.push_back(std::move(work));
    };
    options.post = post;
    options.on_closed = [](const Status&) {};
    auto room = EngineRoom::Open(*engine_, std::move(options));
    EXPECT_TRUE(room.ok());
    room_ = *std::move(room);
    service_ = std::make_unique<Service>(ledger, lab::Json(), Views{}, "");
    service_->SetSurroundings({room_.get(), &reader_, &aside_, &metrics_, post});
  }

  /// What it answers; 0: the session ended instead.
  int Ask(const std::string& method, const std::string& target, const std::string& body = "") {
    const auto said = std::make_shared<int>(-1);
    Head head;
    head.method = method;
    head.target = target;
    head.fields = {{"host", "localhost"}};
    if (method == "POST") head.fields.emplace_back("content-type", "application/yaml");
    if (method == "POST") head.body_bytes = body.size();
    try {  // as the transport does
      const FailingMemory::While running;
      Verdict verdict = service_->Begin(head);
      if (const auto* const refused = std::get_if<Response>(&verdict)) return refused->status;
      std::get<Accepted>(verdict).go(body,
                                     [said](const Response& response) { *said = response.status; });
    } catch (...) {
      return 0;
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const FailingMemory::While running;
    while (*said < 0 && std::chrono::steady_clock::now() < end) {
      if (FailingMemory::refused()) FailingMemory::Stop();
      try {
        if (!DoPosted()) std::this_thread::yield();
      } catch (...) {
        *said = 0;
      }
    }
    return *said;
  }

 private:
  /// Whether there was something.
  bool DoPosted() {
    std::unique_lock lock(mutex_);
    if (posted_.empty()) return false;
    const std::function<void()> work = std::move(posted_.front());
    posted_.pop_front();
    lock.unlock();
    work();
    return true;
  }

  std::mutex mutex_;
  std::deque<std::function<void()>> posted_;
  std::unique_ptr<DurableEngine> engine_;
  metrics::Metrics metrics_{"test"};
  std::unique_ptr<EngineRoom> room_;
  std::unique_ptr<Service> service_;
  Worker aside_;
  Worker reader_;
};

class ServiceWithoutMemory : public ::testing::Test {
 protected:
  ServiceWithoutMemory() { SetLogLevel(LogLevel::kOff); }
  ~ServiceWithoutMemory() override {
    FailingMemory::Arm(0, Lasting::kOnce);
    SetLogLevel(LogLevel::kWarning);
  }

  /// Every `every`-th allocation of the call fails, and those of what it sets going.
  void FailEach(const std::string& method, const std::string& target, const std::string& body,
                Lasting lasting, std::int64_t every) {
    auto served = std::make_unique<Served>(ledger_);
    ASSERT_EQ(served->Ask(method, target, body), 200);
    int failed = 0;
    for (std::int64_t k = 1;; k += every) {
      FailingMemory::Arm(k, lasting, kLeast);
      const int status = served->Ask(method, target, body);
      const bool refused = FailingMemory::refused();
      FailingMemory::Arm(0, Lasting::kOnce);
      ASSERT_TRUE(status == 200 || status == 0 || status == 503 || status == 500)
          << status << " at allocation " << k;
      failed += status == 200 ? 0 : 1;
      const int alive = served->Ask("GET", "/readyz");
      ASSERT_TRUE(alive == 200 || alive == 503) << alive << " after allocation " << k;
      if (alive == 503) {  // the engine has closed
        served.reset();
        served = std::make_unique<Served>(ledger_);
      }
      if (!refused) break;
    }
    EXPECT_GT(failed, 2) << target;
  }

  const testing::TemporaryDirectory folder_;
  const std::string ledger_ = (folder_.path() / "served.ledger").string();
};

constexpr const char* kFlavor =
    "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ResourceFlavor\nmetadata: {name: one}\n";

TEST_F(ServiceWithoutMemory, AnswersAnApplyAndLivesOn) {
  FailEach("POST", "/v1/apply", kFlavor, Lasting::kOnce, 1);
  FailEach("POST", "/v1/apply", kFlavor, Lasting::kFromThenOn, 3);
}
TEST_F(ServiceWithoutMemory, AnswersADryRunAndLivesOn) {
  FailEach("POST", "/v1/apply?dryRun=true", kFlavor, Lasting::kOnce, 7);
}
TEST_F(ServiceWithoutMemory, AnswersQuestionsAndLivesOn) {
  FailEach("GET", "/metrics", "", Lasting::kOnce, 1);
  FailEach("GET", "/metrics", "", Lasting::kFromThenOn, 1);
}

}  // namespace
}  // namespace muster::http
