// Expected starts, and how far such answers held, as tables or JSON.
#ifndef MUSTER_BINDINGS_CLI_SHOW_ETA_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_ETA_VIEW_H_

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/eta/estimate.h"
#include "bindings/eta/trust.h"

namespace muster::cli {

/// What `muster eta` found out.
struct ExpectedStarts {
  TimeNs now = kNoTime;
  DurationNs horizon = 0;
  std::size_t futures = 0;        ///< that were looked at
  std::size_t futures_asked = 0;  ///< fewer are looked at where nothing asked about starts
  std::size_t runs_learnt = 0;    ///< jobs whose run time is known
  std::vector<eta::Outlook> outlooks;
  bool mended = false;  ///< the waits were put right by answers of the past
  eta::Score past;      ///< of questions about the past, as they would have been answered
};

void PrintExpectedStarts(const ExpectedStarts& starts, Io& io);
Json ExpectedStartsJson(const ExpectedStarts& starts);

/// One estimate and how it did.
struct Measured {
  std::string name;
  std::string says;
  eta::Score score;
};

void PrintMeasured(const std::vector<Measured>& measured, Io& io);
Json MeasuredJson(const std::vector<Measured>& measured);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_ETA_VIEW_H_
