// What a flood of requests must not hold up: changes, the end, other callers' memory.
#include "bindings/http/engine_room.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/http/service.h"
#include "muster/muster.h"
#include "tests/testing/paths.h"

namespace muster::http {
namespace {

constexpr int kReads = 250;
constexpr std::chrono::milliseconds kLong{2};  // what each of them takes

class FloodedRoom : public ::testing::Test {
 protected:
  FloodedRoom() {
    auto opened = DurableEngine::Open((folder_.path() / "flooded.ledger").string());
    EXPECT_TRUE(opened.ok());
    engine_ = *std::move(opened);
    Open({});
  }
  ~FloodedRoom() override {
    room_.reset();
    engine_.reset();
  }

  /// In the place of the one before.
  void Open(EngineRoomOptions options) {
    room_.reset();
    options.metrics = &metrics_;
    options.post = [this](const std::function<void()>& work) {
      const std::lock_guard lock(mutex_);
      if (!holds_) return work();
      held_.push_back(work);
    };
    options.on_closed = [](const Status&) {};
    auto room = EngineRoom::Open(*engine_, std::move(options));
    EXPECT_TRUE(room.ok());
    room_ = *std::move(room);
  }

  /// Answers stay with the room until they are let go of.
  void HoldAnswers() {
    const std::lock_guard lock(mutex_);
    holds_ = true;
  }
  void LetAnswersGo() {
    const std::lock_guard lock(mutex_);
    holds_ = false;
    for (const auto& work : held_) work();
    held_.clear();
  }

  /// A service whose lists have so many bytes.
  std::unique_ptr<Service> Serve(std::size_t bytes) {
    Views views;
    views.kinds = {{"clusterqueues", false}};
    views.outputs = {"table"};
    views.print = [bytes](const Engine&, const Asked&, const std::string&) {
      return Result<std::string>(std::string(bytes, 'x'));
    };
    auto service = std::make_unique<Service>("", lab::Json(), views, "");
    service->SetSurroundings({room_.get(), nullptr, nullptr, &metrics_, {}});
    return service;
  }
  static std::future<Response> Ask(Service& service, const std::string& target) {
    Head head;
    head.method = "GET";
    head.target = target;
    head.fields = {{"host", "localhost"}};
    const auto answer = std::make_shared<std::promise<Response>>();
    std::get<Accepted>(service.Begin(head)).go("", [answer](Response response) {
      answer->set_value(std::move(response));
    });
    return answer->get_future();
  }

  /// Waits until the room has come to reads that are asked now.
  void AwaitReads() {
    std::promise<void> done;
    room_->Do({[&done](Engine&, TimeNs) {
                 done.set_value();
                 return Response();
               },
               /*changes=*/false, /*alone=*/false, [](const Response&) {}});
    done.get_future().wait();
  }
  bool HasPolicy() {
    std::promise<bool> has;
    room_->Do({[&has](Engine& engine, TimeNs) {
                 has.set_value(!engine.Policies()->empty());
                 return Response();
               },
               /*changes=*/false, /*alone=*/false, [](const Response&) {}});
    return has.get_future().get();
  }

  /// Reads of which the first waits for `open_`, so that all are there before the second begins.
  void Flood() {
    const std::shared_future<void> open = open_.get_future().share();
    for (int i = 0; i < kReads; ++i) {
      room_->Do({[this, i, open](Engine&, TimeNs) {
                   if (i == 0) open.wait();
                   std::this_thread::sleep_for(kLong);
                   ++done_;
                   return Response();
                 },
                 /*changes=*/false, /*alone=*/false, [](const Response&) {}});
    }
  }

  std::promise<void> open_;
  const testing::TemporaryDirectory folder_;
  std::mutex mutex_;
  bool holds_ = false;
  std::vector<std::function<void()>> held_;
  std::unique_ptr<DurableEngine> engine_;
  metrics::Metrics metrics_{"test"};
  std::unique_ptr<EngineRoom> room_;
  std::atomic<int> done_ = 0;
};

TEST_F(FloodedRoom, CarriesOutChangesBetweenReads) {
  Flood();
  std::promise<int> before;
  room_->Do({[this, &before](Engine&, TimeNs) {
               before.set_value(done_);
               return Response();
             },
             /*changes=*/true, /*alone=*/false, [](const Response&) {}});
  open_.set_value();
  EXPECT_LT(before.get_future().get(), kReads / 2);
}

TEST_F(FloodedRoom, EndsWithoutThem) {
  Flood();
  std::thread stops([this] { room_->Stop(); });
  std::atomic<bool> refused = false;
  while (!refused) {  // until it is told to stop
    room_->Do({[](Engine&, TimeNs) { return Response(); }, /*changes=*/false, /*alone=*/false,
               [&refused](const Response& response) {
                 if (response.status == 503) refused = true;
               }});
    std::this_thread::yield();
  }
  open_.set_value();
  stops.join();
  EXPECT_LE(done_, 1);  // it may be told before the first begins
}

constexpr const char* kList = "/v1/clusterqueues?output=table";

TEST_F(FloodedRoom, RefusesWhatWouldNotBeRead) {
  constexpr std::size_t kAnswer = std::size_t{16} << 20;
  const auto service = Serve(kAnswer);
  std::vector<std::shared_ptr<void>> unread;  // the bodies themselves need not stay for that
  for (std::size_t bytes = 0; bytes <= kMostUnread; bytes += kAnswer) {
    const Response response = Ask(*service, kList).get();
    ASSERT_EQ(response.status, 200) << bytes;
    unread.push_back(response.held);
  }
  EXPECT_EQ(Ask(*service, kList).get().status, 429);
  EXPECT_EQ(Ask(*service, "/readyz").get().status, 200);
  EXPECT_EQ(Ask(*service, "/metrics").get().status, 200);
  unread.clear();
  EXPECT_EQ(Ask(*service, kList).get().status, 200);
}

TEST_F(FloodedRoom, CountsAnswersFromWhenTheyAreMade) {
  constexpr std::size_t kAnswer = std::size_t{64} << 20;
  const auto service = Serve(kAnswer);
  HoldAnswers();
  std::vector<std::future<Response>> answers;
  for (std::size_t bytes = 0; bytes <= kMostUnread; bytes += kAnswer) {
    answers.push_back(Ask(*service, kList));
  }
  std::future<Response> one_more = Ask(*service, kList);
  AwaitReads();
  LetAnswersGo();
  for (std::future<Response>& answer : answers) EXPECT_EQ(answer.get().status, 200);
  EXPECT_EQ(one_more.get().status, 429);
}

TEST_F(FloodedRoom, SaysThatItLivesBeforeItReads) {
  Flood();
  std::promise<int> before;
  Job job;
  job.work = [this, &before](Engine&, TimeNs) {
    before.set_value(done_);
    return Response();
  };
  job.reply = [](const Response&) {};
  job.turn = Turn::kFirst;
  room_->Do(std::move(job));
  open_.set_value();
  EXPECT_LT(before.get_future().get(), kReads / 2);
}

TEST_F(FloodedRoom, RefusesReadsThatCameToTheirTurnLate) {
  EngineRoomOptions options;
  options.longest_queued = std::chrono::milliseconds(50);
  const std::chrono::milliseconds late = options.longest_queued * 2;
  Open(std::move(options));
  const auto service = Serve(1);
  room_->Do({[open = open_.get_future().share()](Engine&, TimeNs) {
               open.wait();
               return Response();
             },
             /*changes=*/true, /*alone=*/false, [](const Response&) {}});
  std::future<Response> list = Ask(*service, kList);
  std::future<Response> decisions = Ask(*service, "/v1/decisions?after=0");
  std::future<Response> ready = Ask(*service, "/readyz");
  std::future<Response> metrics = Ask(*service, "/metrics");
  std::this_thread::sleep_for(late);  // at least
  open_.set_value();
  EXPECT_EQ(list.get().status, 429);
  EXPECT_EQ(decisions.get().status, 429);
  EXPECT_EQ(ready.get().status, 200);
  EXPECT_EQ(metrics.get().status, 200);
}

/// Asks until it holds, for as long as a busy machine may need; whether it does.
template <typename Condition>
bool Await(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

std::ptrdiff_t Threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST_F(FloodedRoom, WatchesPackagesFromWhenItCanUntilTheyAreGone) {
  const std::filesystem::path parent = folder_.path() / "packages";
  const std::filesystem::path package = parent / "one";
  std::atomic<int> looks = 0;
  std::atomic<bool> there = true;
  EngineRoomOptions options;
  options.packages = [&] {
    ++looks;
    std::vector<ReloadOptions> packages(there ? 1 : 0);
    if (there) packages.front().folder = package.string();
    return packages;
  };
  const std::ptrdiff_t threads = Threads();
  Open(std::move(options));
  ASSERT_TRUE(Await([&] { return looks > 1; }));  // it cannot be watched without its parent
  EXPECT_TRUE(Await([&] { return Threads() == threads; }));
  std::filesystem::create_directories(package);
  testing::WriteFile(package / "policy.lua",
                     "return { api = 1, name = 'one', queue_order = function(w) return 1 end }\n");
  EXPECT_TRUE(Await([this] { return HasPolicy(); }));
  EXPECT_GT(Threads(), threads);
  there = false;
  std::filesystem::remove_all(parent);
  EXPECT_TRUE(Await([&] { return Threads() == threads; }));
  room_.reset();  // before what it looks at
}

}  // namespace
}  // namespace muster::http
