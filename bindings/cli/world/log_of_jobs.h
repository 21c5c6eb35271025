// A log of jobs on the command line: read from a file, and mapped on the queues of a cluster.
#ifndef MUSTER_BINDINGS_CLI_WORLD_LOG_OF_JOBS_H_
#define MUSTER_BINDINGS_CLI_WORLD_LOG_OF_JOBS_H_

#include <optional>
#include <string>
#include <vector>

#include "bindings/cli/flags.h"
#include "bindings/cli/io.h"
#include "bindings/manifest/manifest.h"
#include "bindings/simulate/simulate.h"
#include "bindings/simulate/trace.h"

namespace muster::cli {

// The functions below print what is wrong and return an exit code, kDone when all is well.

class LogFlags {
 public:
  /// --jobs, --format, --columns, --first, --resource and --queue.
  void Declare(Flags& flags);
  const std::string& file() const { return file_; }

  int Read(Io& io, simulate::Trace* trace) const;
  /// The manifests say only what the cluster is: a log has a clock of its own.
  static int NeedCluster(const manifest::Manifests& manifests, Io& io);
  /// Which resource sizes count, and which LocalQueue takes the jobs of which queue of the log.
  int Map(const manifest::Manifests& cluster, const simulate::Trace& trace, Io& io,
          simulate::Mapping* mapping) const;

 private:
  int ReadColumns(Io& io, simulate::TraceColumns* columns) const;
  int FindResource(const manifest::Manifests& cluster, Io& io, std::string* resource) const;
  int FindQueues(const manifest::Manifests& cluster, const simulate::Trace& trace, Io& io,
                 simulate::Mapping* mapping) const;

  std::string file_, format_ = "auto", resource_, queue_;
  std::vector<std::string> columns_;
  std::optional<int> first_;
};

/// `text` as a duration that is not negative; empty: 0.
int ReadDuration(std::string_view flag, const std::string& text, Io& io, DurationNs* duration);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_LOG_OF_JOBS_H_
