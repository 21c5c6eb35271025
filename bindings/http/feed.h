// Feed: decisions as a stream of events, for any number of listeners.
//
// Listeners behind the same number are one group: the room is asked once for all of them, and they
// share the text. One that has just come reads what it missed in a group of its own, and joins the
// others when it has come as far. A listener that reads slowly waits alone until it has read what
// was sent, so it holds up none and at most a batch is kept for it.
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

#include "bindings/http/engine_room.h"
#include "bindings/http/message.h"

namespace muster::http {

inline constexpr std::chrono::seconds kQuiet{15};

class Feed {
 public:
  /// `room` outlives the feed. Used on the io thread alone.
  explicit Feed(EngineRoom& room) : room_(room) {}
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  /// A response of events behind number `after`; it ends once `may_hear` says no. `feed` lives as
  /// long as one of its listeners.
  static Response Listen(const std::shared_ptr<Feed>& feed, std::int64_t after,
                         std::function<bool()> may_hear);

 private:
  class Listener;
  struct Batch;
  using Group = std::set<Listener*>;

  void Join(Listener* listener);
  void Leave(Listener* listener);
  void Ask(std::int64_t after);
  void Tell(std::int64_t after, const Batch& batch, const Response& response);

  EngineRoom& room_;
  std::map<std::int64_t, Group> groups_;  ///< by the number they are behind; each has asked
  std::weak_ptr<Feed> self_;
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_FEED_H_
