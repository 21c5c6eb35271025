// Connection: one keep-alive connection to a service on this machine, which is never waited for.
#ifndef MUSTER_TESTS_BENCH_SERVICE_CONNECTION_H_
#define MUSTER_TESTS_BENCH_SERVICE_CONNECTION_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace muster::load {

class Connection {
 public:
  /// Connects to 127.0.0.1. Ends the program where that fails.
  explicit Connection(int port);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int file() const { return file_; }
  /// Has something to write that did not go yet.
  bool wants_to_write() const { return !out_.empty(); }
  /// Takes a request; as much of it leaves as goes.
  void Send(std::string_view request);
  void Write();

  /// Reads what is there. The status of an answer that is whole; nullopt: not yet. -1: it has
  /// ended.
  std::optional<int> Read();
  /// Reads what is there of a stream of events; how many of them there were, or -1 when it has
  /// ended.
  std::ptrdiff_t CountEvents();

 private:
  template <typename Take>
  bool Receive(const Take& take);

  int file_;
  std::string in_;
  std::string out_;
};

}  // namespace muster::load

#endif  // MUSTER_TESTS_BENCH_SERVICE_CONNECTION_H_
