// What a flood of requests must not hold up: changes, the end, other callers' memory.
#include "bindings/http/engine_room.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/http/service.h"
#include "muster/muster.h"

namespace muster::http {
namespace {

constexpr int kReads = 250;
constexpr std::chrono::milliseconds kLong{2};  // what each of them takes

class FloodedRoom : public ::testing::Test {
 protected:
  FloodedRoom() {
    std::filesystem::remove(path_);
    auto opened = DurableEngine::Open(path_);
    EXPECT_TRUE(opened.ok());
    engine_ = *std::move(opened);
    EngineRoomOptions options;
    options.metrics = &metrics_;
    options.post = [](const std::function<void()>& work) { work(); };
    options.on_closed = [](const Status&) {};
    auto room = EngineRoom::Open(*engine_, std::move(options));
    EXPECT_TRUE(room.ok());
    room_ = *std::move(room);
  }
  ~FloodedRoom() override {
    room_.reset();
    engine_.reset();
    std::filesystem::remove(path_);
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
  const std::string path_ = testing::TempDir() + "flooded.ledger";
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

TEST_F(FloodedRoom, RefusesWhatWouldNotBeRead) {
  Views views;
  views.kinds = {{"clusterqueues", false}};
  constexpr std::size_t kAnswer = std::size_t{16} << 20;
  views.outputs = {"table"};
  views.print = [](const Engine&, const Asked&, const std::string&) {
    return Result<std::string>(std::string(kAnswer, 'x'));
  };
  Service service("", {}, views, "");
  service.SetSurroundings({room_.get(), nullptr, nullptr, &metrics_, {}});
  Head head;
  head.method = "GET";
  head.target = "/v1/clusterqueues?output=table";
  head.fields = {{"host", "localhost"}};
  const auto ask = [&] {
    std::promise<Response> answer;
    std::get<Accepted>(service.Begin(head)).go("", [&answer](Response response) {
      answer.set_value(std::move(response));
    });
    return answer.get_future().get();
  };
  std::vector<std::shared_ptr<void>> unread;  // the bodies themselves need not stay for that
  for (std::size_t bytes = 0; bytes <= kMostUnread; bytes += kAnswer) {
    const Response response = ask();
    ASSERT_EQ(response.status, 200) << bytes;
    unread.push_back(response.held);
  }
  EXPECT_EQ(ask().status, 429);
  unread.clear();
  EXPECT_EQ(ask().status, 200);
}

}  // namespace
}  // namespace muster::http
