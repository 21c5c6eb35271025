// SlowLink: a socket that leads to PostgreSQL's, as far away as is wanted.
#ifndef MUSTER_TESTS_BENCH_SLOW_LINK_H_
#define MUSTER_TESTS_BENCH_SLOW_LINK_H_

#include <chrono>
#include <memory>
#include <string>

namespace muster::bench {

class SlowLink {
 public:
  /// To the server of `url`, whose host is a folder. What is sent either way arrives `delay` later.
  SlowLink(const std::string& url, std::chrono::microseconds delay);
  /// Connections end with it.
  ~SlowLink();
  SlowLink(const SlowLink&) = delete;
  SlowLink& operator=(const SlowLink&) = delete;

  /// The same server and ledger by way of this.
  const std::string& url() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_SLOW_LINK_H_
