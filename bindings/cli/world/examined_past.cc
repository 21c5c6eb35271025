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

Result<std::unique_ptr<eta::Examiner>> ExaminedPast(const StoredHistory& ledger,
                                                    std::size_t questions,
                                                    const eta::EstimateOptions& estimate) {
  eta::ExamineOptions options;
  options.estimate = estimate;
  if (questions > 0) {
    const Result<std::size_t> waits = eta::CountWaits(ledger);
    if (!waits.ok()) return waits.status();
    options.every = (*waits + questions - 1) / questions;
  }
  auto examiner = std::make_unique<eta::Examiner>(
      [&ledger](std::string_view hash) {
        return LoadPolicyByHash(
            [&ledger](std::string_view wanted) { return ledger.LoadPolicy(wanted); }, hash);
      },
      options);
  if (Status status = examiner->Read(ledger); !status.ok()) return status;
  return examiner;
}

int ExaminePast(const StoredHistory& ledger, const std::string& db, std::size_t questions,
                const eta::EstimateOptions& estimate, Io& io,
                std::unique_ptr<eta::Examiner>* examiner) {
  Result<std::unique_ptr<eta::Examiner>> examined = ExaminedPast(ledger, questions, estimate);
  if (!examined.ok()) return FailLedger(examined.status(), db, io);
  *examiner = *std::move(examined);
  return kDone;
}

}  // namespace muster::cli
