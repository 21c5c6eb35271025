// See examined_past.h.
#include "bindings/cli/world/examined_past.h"

#include <charconv>

#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/stored_policies.h"

namespace muster::cli {

int ReadQuestions(const std::string& text, Io& io, std::size_t* questions) {
  constexpr std::size_t kMostDigits = 6;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *questions);
  if (error == std::errc() && end == text.data() + text.size() && text.size() <= kMostDigits) {
    return kDone;
  }
  return io.Fail(kWrongUse,
                 "--questions takes a whole number from 0 to 999999, not '" + text + "'");
}

int ExaminePast(const StoredHistory& ledger, const std::string& db, std::size_t questions,
                const eta::EstimateOptions& estimate, Io& io,
                std::unique_ptr<eta::Examiner>* examiner) {
  eta::ExamineOptions options;
  options.estimate = estimate;
  if (questions > 0) {
    const Result<std::size_t> waits = eta::CountWaits(ledger);
    if (!waits.ok()) return FailLedger(waits.status(), db, io);
    options.every = (*waits + questions - 1) / questions;
  }
  *examiner = std::make_unique<eta::Examiner>(
      [&ledger](std::string_view hash) {
        return LoadPolicyByHash(
            [&ledger](std::string_view wanted) { return ledger.LoadPolicy(wanted); }, hash);
      },
      options);
  const Status status = (*examiner)->Read(ledger);
  return status.ok() ? static_cast<int>(kDone) : io.Fail(ExitCodeFor(status), status.message());
}

}  // namespace muster::cli
