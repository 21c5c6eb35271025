// The room is asked as by a long poll; the answer goes to all of the group, which asks again.
#include "bindings/http/feed.h"

#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "bindings/http/problem.h"
#include "bindings/http/surely.h"
#include "bindings/wire/wire.h"
#include "muster/engine.h"

namespace muster::http {
namespace {

constexpr std::size_t kDecisionsAtOnce = 1000;               // decisions of one text
constexpr std::size_t kMostBehind = std::size_t{512} << 10;  // bytes; one that has more waits
constexpr std::size_t kMostRecent = std::size_t{32} << 20;   // bytes of texts that are kept
constexpr std::size_t kTurnsAtOnce = 8;
constexpr int kPauses = 4;  // as long as a round took on the thread
constexpr std::chrono::milliseconds kLongestPause{25};

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
      : feed_(std::move(feed)), after_(after), may_hear_(std::move(may_hear)) {
    feed_->all_.insert(this);
  }
  ~Listener() override {
    feed_->all_.erase(this);
    feed_->ForgetHeard();
  }

  void Begin(Outlet& outlet) override {
    outlet_ = &outlet;
    feed_->Join(this);
  }
  void Drained() override {
    if (ended_) return;
    if (!gathered_.empty()) return feed_->Enlist(this);
    GoOn();
  }
  void Gone() override {
    outlet_ = nullptr;
    feed_->Leave(this);
  }

  std::int64_t after() const { return after_; }
  /// As much waits to leave as is kept for one listener; from now on it waits, too, if so.
  bool WaitsToLeave() { return waits_ = gathered_bytes_ + outlet_->Behind() > kMostBehind; }

  /// Takes a text, which is said at its turn.
  void Take(const Text& text) {
    feed_->Enlist(this);
    gathered_.push_back(text.events);
    gathered_bytes_ += text.events->size();
    after_ = text.last;
  }
  /// Its turn. Where what was said before has not left, there is another once it has.
  void Say() {
    if (ended_ || outlet_->Behind() > 0) return;
    if (!may_hear_()) return End();
    SendGathered();
    if (outlet_->Behind() == 0) GoOn();
  }
  void SayLast(SharedText text) {
    if (may_hear_()) {
      if (text) gathered_.push_back(std::move(text));
      SendGathered();
    }
    End();
  }
  void Cut() noexcept {
    ended_ = true;
    outlet_->Cut();
  }

 private:
  void SendGathered() {
    gathered_bytes_ = 0;
    if (const auto merged = feed_->MergedFor(gathered_)) gathered_ = {merged};
    outlet_->Send(std::exchange(gathered_, {}));
  }
  /// Goes on to hear where it had stopped to.
  void GoOn() {
    if (std::exchange(waits_, false)) feed_->Join(this);
  }
  void End() {
    ended_ = true;
    outlet_->End();
  }

  const std::shared_ptr<Feed> feed_;
  std::int64_t after_;
  const std::function<bool()> may_hear_;
  Outlet* outlet_ = nullptr;
  SharedTexts gathered_;  ///< leads up to after_
  std::size_t gathered_bytes_ = 0;
  bool waits_ = false;  ///< until what was said has left; it is in no group
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

/// It hears of what follows: from the texts that are kept, then from the room.
void Feed::Join(Listener* listener) {
  for (auto kept = recent_.find(listener->after()); kept != recent_.end();
       kept = recent_.find(listener->after())) {
    if (listener->WaitsToLeave()) return;
    listener->Take(kept->second);
  }
  if (listener->WaitsToLeave()) return;
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
  ready_.erase(listener);
  round_.erase(listener);
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
    const auto events = Surely([&] { return Share(batch.text.empty() ? ":\n\n" : batch.text); });
    const Text text{events, batch.last};
    if (!batch.text.empty() && all_.size() > 1) Keep(after, text);
    return each([&](Listener& listener) {
      listener.Take(text);
      Join(&listener);
    });
  }
  // One that is told why must not come again with the same number; a service that stops just ends.
  const bool stops = response.status == 503;
  const auto text =
      Surely([&] { return Share("event: refused\ndata: " + OneLine(response.body) + "\n\n"); });
  each([&](Listener& listener) { listener.SayLast(stops ? nullptr : text); });
}

/// For listeners that are not as far yet.
void Feed::Keep(std::int64_t after, const Text& text) {
  try {
    if (!recent_.try_emplace(after, text).second) return;
  } catch (const std::bad_alloc&) {  // they ask the room
    return;
  }
  recent_bytes_ += text.events->size();
  ForgetHeard();
  while (recent_bytes_ > kMostRecent) ForgetOldest();
}

/// Lets go of what all have. O(listeners).
void Feed::ForgetHeard() {
  std::int64_t behind = std::numeric_limits<std::int64_t>::max();
  for (const Listener* const each : all_) behind = std::min(behind, each->after());
  while (!recent_.empty() && recent_.begin()->first < behind) ForgetOldest();
}

void Feed::ForgetOldest() {
  recent_bytes_ -= recent_.begin()->second.events->size();
  recent_.erase(recent_.begin());
}

/// One text for all that have gathered the same; null: it is one, or the first asks for it, which
/// may stay alone.
SharedText Feed::MergedFor(const SharedTexts& texts) {
  if (texts.size() < 2) return nullptr;
  try {
    const auto [merged, first] = merged_.try_emplace(texts);
    if (!first && merged->second == nullptr) {
      std::string text;
      for (const SharedText& each : texts) text += *each;
      merged->second = Share(std::move(text));
    }
    return merged->second;
  } catch (const std::bad_alloc&) {  // they leave as they are
    return nullptr;
  }
}

/// Gives it a turn in the next round.
void Feed::Enlist(Listener* listener) {
  ready_.insert(listener);
  if (!speaking_) Rouse(next_round_ - Clock::now());
}

/// Begins a round, after a while. Unchanged when memory runs out.
void Feed::Rouse(Clock::duration delay) {
  later_(delay, [feed = self_] {
    if (const auto alive = feed.lock()) alive->BeginRound();
  });
  speaking_ = true;
}

void Feed::BeginRound() {
  round_.swap(ready_);
  spent_ = {};
  TakeTurns();
}

/// The turns of a few; others use the thread before the next few have theirs.
void Feed::TakeTurns() {
  const Clock::time_point begin = Clock::now();
  for (std::size_t i = 0; i < kTurnsAtOnce && !round_.empty(); ++i) {
    Listener* const listener = *round_.begin();
    round_.erase(round_.begin());
    try {
      listener->Say();
    } catch (...) {  // it begins anew
      LogCaught("a stream of decisions");
      listener->Cut();
    }
  }
  const Clock::time_point end = Clock::now();
  spent_ += end - begin;
  if (!round_.empty()) {
    return Surely([this] {
      later_({}, [feed = self_] {
        if (const auto alive = feed.lock()) alive->TakeTurns();
      });
    });
  }
  merged_.clear();
  const Clock::duration pause = std::min<Clock::duration>(spent_ * kPauses, kLongestPause);
  next_round_ = end + pause;
  speaking_ = false;
  if (!ready_.empty()) Surely([&] { Rouse(pause); });
}

}  // namespace muster::http
