// The room is asked as by a long poll; the answer goes to all of the group, which asks again.
#include "bindings/http/feed.h"

#include <string>
#include <utility>

#include "bindings/http/problem.h"
#include "bindings/http/surely.h"
#include "bindings/wire/wire.h"
#include "muster/engine.h"

namespace muster::http {
namespace {

constexpr std::size_t kDecisionsAtOnce = 1000;               // decisions of one text
constexpr std::size_t kMostBehind = std::size_t{256} << 10;  // bytes; one that has more waits

std::shared_ptr<const std::string> SharedText(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

/// JSON without the blanks between its parts: a line is what an event has for data.
std::string OneLine(const std::string& json) {
  return lab::Json::parse(json).dump(-1, ' ', false, lab::Json::error_handler_t::replace);
}

}  // namespace

/// What the room found behind a number.
struct Feed::Batch {
  std::string text;
  std::int64_t last = 0;  ///< number of the last decision in `text`
};

class Feed::Listener : public Speaker {
 public:
  Listener(std::shared_ptr<Feed> feed, std::int64_t after, std::function<bool()> may_hear)
      : feed_(std::move(feed)), after_(after), may_hear_(std::move(may_hear)) {}

  void Begin(Outlet& outlet) override {
    outlet_ = &outlet;
    feed_->Join(this);
  }
  void Drained() override {
    if (!waits_ || ended_) return;
    waits_ = false;
    feed_->Join(this);
  }
  void Gone() override {
    outlet_ = nullptr;
    feed_->Leave(this);
  }

  std::int64_t after() const { return after_; }

  /// Sends the text, which leads up to number `last`, and joins those that have come as far.
  void Hear(std::shared_ptr<const std::string> text, std::int64_t last) {
    if (!may_hear_()) return End();
    after_ = last;
    outlet_->Send(std::move(text));
    waits_ = outlet_->Behind() > kMostBehind;
    if (!waits_) feed_->Join(this);
  }
  void HearLast(std::shared_ptr<const std::string> text) {
    if (may_hear_()) outlet_->Send(std::move(text));
    End();
  }
  void End() {
    ended_ = true;
    outlet_->End();
  }
  void Cut() noexcept {
    ended_ = true;
    outlet_->Cut();
  }

 private:
  const std::shared_ptr<Feed> feed_;
  std::int64_t after_;
  const std::function<bool()> may_hear_;
  Outlet* outlet_ = nullptr;
  bool waits_ = false;  ///< until what was sent has left
  bool ended_ = false;
};

Response Feed::Listen(const std::shared_ptr<Feed>& feed, std::int64_t after,
                      std::function<bool()> may_hear) {
  feed->self_ = feed;
  Response response;
  response.type = "text/event-stream";
  response.body = ": decisions behind " + std::to_string(after) + "\n\n";
  response.speaker = std::make_shared<Listener>(feed, after, std::move(may_hear));
  return response;
}

void Feed::Join(Listener* listener) {
  const auto [group, first] = groups_.try_emplace(listener->after());
  try {
    group->second.insert(listener);
    if (first) Ask(listener->after());
  } catch (...) {  // else listeners that join later would wait for ever
    if (first) groups_.erase(group);
    throw;
  }
}

// A group that is empty goes when its answer comes.
void Feed::Leave(Listener* listener) {
  const auto group = groups_.find(listener->after());
  if (group != groups_.end()) group->second.erase(listener);
}

void Feed::Ask(std::int64_t after) {
  const auto batch = std::make_shared<Batch>();
  Job job;
  job.work = [batch, after](Engine& engine, TimeNs) {
    const Result<answer::Decisions> found = engine.Decisions(after, kDecisionsAtOnce);
    if (!found.ok()) return Refuse(RefusalOf(found.status()));
    *batch = {{}, after};
    for (const Decision& decision : found->decisions) {
      batch->text += "id: " + std::to_string(decision.number) +
                     "\nevent: decision\ndata: " + wire::ToJson(decision) + "\n\n";
      batch->last = decision.number;
    }
    Response response;
    response.nothing_yet = found->decisions.empty();
    return response;
  };
  job.reply = [feed = self_, batch, after](const Response& response) {
    if (const auto alive = feed.lock()) alive->Tell(after, *batch, response);
  };
  job.until = std::chrono::steady_clock::now() + kQuiet;
  job.turn = Turn::kPatient;  // a refusal would end the streams
  room_.Do(std::move(job));
}

void Feed::Tell(std::int64_t after, const Batch& batch, const Response& response) {
  const auto node = groups_.extract(after);
  const Group& group = node.mapped();
  const auto each = [&group](const auto& tell) {
    for (Listener* const listener : group) {
      try {
        tell(*listener);
      } catch (...) {  // one that was not told everything begins anew
        LogCaught("a stream of decisions");
        listener->Cut();
      }
    }
  };
  if (response.status == 200) {
    const auto text = Surely([&] { return SharedText(batch.text.empty() ? ":\n\n" : batch.text); });
    return each([&](Listener& listener) { listener.Hear(text, batch.last); });
  }
  // One that is told why must not come again with the same number; a service that stops just ends.
  const bool stops = response.status == 503;
  const auto text = Surely(
      [&] { return SharedText("event: refused\ndata: " + OneLine(response.body) + "\n\n"); });
  each([&](Listener& listener) { stops ? listener.End() : listener.HearLast(text); });
}

}  // namespace muster::http
