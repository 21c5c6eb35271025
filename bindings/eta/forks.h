// Forks: copies of one engine, each made by a thread of its own while the one before is played.
//
// What they share may be shared by threads: words, lists and templates are counted atomically, and
// of a policy a fork reads its info alone. But it asks the policy for what a binding with
// parameters decides by, and the one that is played asks it, too: then each is made when it is
// taken.
#ifndef MUSTER_BINDINGS_ETA_FORKS_H_
#define MUSTER_BINDINGS_ETA_FORKS_H_

#include <future>

#include "muster/engine.h"

namespace muster::eta {

class Forks {
 public:
  /// `engine` must outlive the forks, and is not to be called as long as they are there. Throws
  /// lab::Refused.
  explicit Forks(const Engine& engine);

  /// A fork. With `others` the next one is begun, where the system gives a thread for it. Throws
  /// lab::Refused.
  Engine Take(bool others);
  /// A fork that is needed no longer. The one after the next is made in its memory.
  void GiveBack(Engine fork);

 private:
  const Engine& engine_;
  const bool beside_;  ///< while the one before is played
  Engine used_;
  std::future<Result<Engine>> next_;  // last: its end waits for what uses the others
};

}  // namespace muster::eta

#endif  // MUSTER_BINDINGS_ETA_FORKS_H_
