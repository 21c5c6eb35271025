// Feed: decisions as a stream of events, for any number of listeners.
//
// Listeners behind the same number are one group: the room is asked once for all of them, and they
// share the text. It is asked again as soon as it has answered, so that nothing is forgotten that a
// listener would have had in time; what was read gathers, and leaves by one call for each listener.
// They are told by turns, a few at a time, so that answers leave between them, and all together no
// more often than that it takes a share of the thread: the more there are, the more is told at
// once.
//
// One that has just come reads what it missed in a group of its own, and joins the others when it
// has come as far. A listener that reads slowly goes on when it has read what was sent, from the
// newest texts, which are kept while one lacks them, or else alone. So it holds up none, and little
// is kept for it.
//
// An event is one decision: its number is the `id`, its `data` the decision as docs/wire.md has it.
// When nothing is decided for kQuiet, a comment says that the stream is alive. What cannot go on,
// because what follows was forgotten, is told as an event `refused` and ends.
#ifndef MUSTER_BINDINGS_HTTP_FEED_H_
#define MUSTER_BINDINGS_HTTP_FEED_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "bindings/http/engine_room.h"
#include "bindings/http/message.h"
#include "bindings/http/shared_text.h"

namespace muster::http {

inline constexpr std::chrono::seconds kQuiet{15};

/// Runs `work` on the io thread, not before `delay` is over.
using Later = std::function<void(std::chrono::nanoseconds delay, std::function<void()> work)>;

class Feed {
 public:
  /// `room` outlives the feed, and so does what `later` uses. Used on the io thread alone.
  Feed(EngineRoom& room, Later later) : room_(room), later_(std::move(later)) {}
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  /// A response of events behind number `after`; it ends once `may_hear` says no. `feed` lives as
  /// long as one of its listeners.
  static Response Listen(const std::shared_ptr<Feed>& feed, std::int64_t after,
                         std::function<bool()> may_hear);

 private:
  class Listener;
  struct Batch;
  using Clock = std::chrono::steady_clock;
  using Group = std::set<Listener*>;
  /// Events behind a number.
  struct Text {
    SharedText events;
    std::int64_t last = 0;  ///< number of the last of them
  };

  void Join(Listener* listener);
  void Leave(Listener* listener);
  void Ask(std::int64_t after);
  void Tell(std::int64_t after, const Batch& batch, const Response& response);
  void Keep(std::int64_t after, const Text& text);
  void ForgetHeard();
  void ForgetOldest();
  SharedText MergedFor(const SharedTexts& texts);
  void Enlist(Listener* listener);
  void Rouse(Clock::duration delay);
  void BeginRound();
  void TakeTurns();

  EngineRoom& room_;
  const Later later_;
  std::map<std::int64_t, Group> groups_;  ///< by the number they are behind; each has asked
  std::map<std::int64_t, Text> recent_;   ///< by the number they are behind
  std::size_t recent_bytes_ = 0;
  Group all_;
  Group ready_;  ///< have something to say, at the next round
  Group round_;  ///< have not had their turn in this one
  std::map<SharedTexts, SharedText> merged_;  ///< in this round
  bool speaking_ = false;  ///< a round goes on, or will begin
  Clock::time_point next_round_{};
  Clock::duration spent_{};  ///< in this round, on the thread
  std::weak_ptr<Feed> self_;
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_FEED_H_
