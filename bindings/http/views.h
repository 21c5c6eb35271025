// Views: how the objects of an engine look, which is for the program to say that serves them. What
// its own list shows, the service shows.
#ifndef MUSTER_BINDINGS_HTTP_VIEWS_H_
#define MUSTER_BINDINGS_HTTP_VIEWS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lab/json.h"
#include "bindings/lab/what_if.h"
#include "muster/engine.h"

namespace muster::http {

/// A kind as it stands in a path: /v1/NAME.
struct ViewKind {
  std::string name;  ///< "clusterqueues"
  bool namespaced = false;
};

/// What there is to know of an object to say whether a caller sees it.
struct Subject {
  Key key;
  std::string cluster_queue = {};  ///< of a LocalQueue or workload
  std::string local_queue = {};    ///< of a workload
};

/// Which objects of a kind are asked for; they come by namespace and name.
struct Asked {
  std::string kind;
  std::string ns;                                 ///< empty: every one
  std::string name;                               ///< empty: every one
  std::vector<std::string> states;                ///< of workloads; empty: every one
  std::string sort = {};                          ///< of workloads that are printed; empty: by name
  Key after;                                      ///< only those behind it; empty: from the first
  std::size_t most = 0;                           ///< at most so many
  std::function<bool(const Subject&)> sees = {};  ///< only those that the caller sees; empty: all
};

struct Listed {
  std::vector<lab::Json> items;
  bool more = false;  ///< there are others behind them
  Key next;           ///< of the last item, where there are: what to go on after
};

using SeesWorkload = std::function<bool(const Key&)>;
using SeesOfKind = std::function<bool(const std::string& kind, const Subject&)>;

/// A look at the whole, in text of that size.
struct TopAsked {
  std::size_t width = 0;
  std::size_t height = 0;  ///< 0: as many lines as there is to show
  std::string ns;          ///< of what waits; empty: every one
  bool colour = false;     ///< with the colours of a terminal
  SeesOfKind sees = {};    ///< only what the caller sees; empty: all
};

/// What a verb of the command line said, and how it ended.
struct Said {
  int code = 0;  ///< 0: done, 1: wrong use, 2: no, 3: it cannot be done
  std::string out;
  std::string err;
};

struct Views {
  std::vector<ViewKind> kinds;
  std::vector<std::string> states;   ///< that Asked::states may have
  std::vector<std::string> sorts;    ///< that Asked::sort may be
  std::vector<std::string> outputs;  ///< forms in which objects are printed: "table"
  /// Throws lab::Refused when the engine is closed.
  std::function<Listed(const Engine&, const Asked&)> list;
  /// What `muster get KIND -o OUTPUT` prints of those that are asked for, all in one. kNotFound:
  /// none has that name.
  std::function<Result<std::string>(const Engine&, const Asked&, const std::string& output)> print;
  /// kNotFound. Why the workload waits, as `muster explain -o OUTPUT` says it, "table" or "json".
  /// Workloads that the caller does not see are not named.
  std::function<Result<std::string>(const Engine&, const Key&, const SeesWorkload&,
                                    const std::string& output)>
      explain;
  /// Runs a verb that only reads, on the ledger beside this process: {"usage", "--db=...", ...}.
  /// From any thread.
  std::function<Said(const std::vector<std::string>& words)> say;
  /// What `muster what-if -o OUTPUT` prints of these, "table" or "json".
  std::function<std::string(const lab::Courses&, const std::string& output)> what_if;
  /// What `muster top` shows.
  std::function<std::string(const Engine&, const TopAsked&, TimeNs now)> top;
  /// How much is in use of every domain of every topology.
  std::function<lab::Json(const Engine&)> heat;
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_VIEWS_H_
