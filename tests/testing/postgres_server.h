// PostgresServer: a real PostgreSQL in a temporary directory, reached through a socket there alone.
//
// It runs as another user when the tests run as root, as PostgreSQL insists. Each ledger of a test
// gets a name of its own, so one server serves a whole program.
#ifndef MUSTER_TESTS_TESTING_POSTGRES_SERVER_H_
#define MUSTER_TESTS_TESTING_POSTGRES_SERVER_H_

#include <sys/types.h>

#include <string>

#include "tests/testing/paths.h"

namespace muster::testing {

class PostgresServer {
 public:
  /// The server of this program, started when it is first asked for; null where PostgreSQL is not
  /// installed or does not start, and then why() says it.
  static PostgresServer* Get();
  static const std::string& why();

  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  /// Of the ledger `name`.
  std::string Url(const std::string& name) const;
  /// Of a ledger that no test has used.
  std::string FreshUrl();

  /// Stops it at once, as a crash would, and starts it again. False when it does not come back.
  bool CrashAndRestart();
  /// The two halves of it.
  void Crash();
  bool Restart() { return Start(); }
  /// From now on it flushes what it confirms, as one that is in earnest. Restarts it.
  bool Flush();

 private:
  PostgresServer() = default;
  bool Make();
  bool Start();
  void Stop(int signal);

  TemporaryDirectory directory_;
  pid_t process_ = -1;
  int ledgers_ = 0;
  bool flushes_ = false;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_POSTGRES_SERVER_H_
