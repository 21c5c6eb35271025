// Worker: a thread that does one piece of work after the other, in the order given.
#ifndef MUSTER_BINDINGS_HTTP_WORKER_H_
#define MUSTER_BINDINGS_HTTP_WORKER_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace muster::http {

class Worker {
 public:
  Worker() : thread_([this] { Run(); }) {}
  /// Does what was given before, then ends.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// What `work` throws ends it alone, and is logged. From any thread. Throws, and will not do it,
  /// when memory runs out.
  void Do(std::function<void()> work);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses what stands before it
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_WORKER_H_
