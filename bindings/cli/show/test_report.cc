// All four formats say the same: file, line, path, expected, got.
#include "bindings/cli/show/test_report.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "bindings/cli/json.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/words.h"
#include "bindings/report/svg.h"

namespace muster::cli {
namespace {

struct TestTotals {
  std::size_t passed = 0;
  std::size_t failed = 0;  ///< or broken
  std::size_t skipped = 0;
  std::size_t checks = 0;
};

TestTotals CountTests(const std::vector<lab::TestResult>& results) {
  TestTotals totals;
  for (const lab::TestResult& result : results) {
    totals.checks += result.checks.size();
    if (result.verdict == lab::Verdict::kPassed) {
      ++totals.passed;
    } else if (result.verdict == lab::Verdict::kSkipped) {
      ++totals.skipped;
    } else {
      ++totals.failed;
    }
  }
  return totals;
}

std::string_view VerdictWord(lab::Verdict verdict) {
  switch (verdict) {
    case lab::Verdict::kPassed:
      return "passed";
    case lab::Verdict::kFailed:
      return "failed";
    case lab::Verdict::kBroken:
      return "broken";
    case lab::Verdict::kSkipped:
      return "skipped";
  }
  return "";
}

/// Every mismatch of a test as text, or why it is broken; lines behind `indent`.
std::string TestDetails(const lab::TestResult& result, std::string_view indent) {
  std::string text;
  for (const lab::Check& check : result.checks) {
    for (const lab::Mismatch& mismatch : check.mismatches) {
      text += std::string(indent) + check.place.file + ":" + std::to_string(check.place.line) +
              ": " + mismatch.path + '\n';
      text += std::string(indent) + "  expected: " + mismatch.expected + '\n';
      text += std::string(indent) + "  got:      " + mismatch.got + '\n';
    }
  }
  std::string_view rest = result.message;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += std::string(indent) + std::string(rest.substr(0, end)) + '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

}  // namespace

void PrintPretty(const std::vector<lab::TestResult>& results, Io& io) {
  for (const lab::TestResult& result : results) {
    switch (result.verdict) {
      case lab::Verdict::kPassed:
        io.out << io.paint(Tone::kGood, "ok  ") << "  " << result.file << "  "
               << io.paint(Tone::kFaint, lab::Counted(result.checks.size(), "check")) << '\n';
        break;
      case lab::Verdict::kSkipped:
        io.out << io.paint(Tone::kFaint, "skip") << "  " << result.file << "  " << result.message
               << '\n';
        break;
      case lab::Verdict::kFailed:
      case lab::Verdict::kBroken:
        io.out << io.paint(Tone::kBad, "FAIL") << "  " << result.file << '\n'
               << TestDetails(result, "      ");
        break;
    }
  }
  const TestTotals totals = CountTests(results);
  io.out << '\n' << totals.passed << " passed, " << totals.failed << " failed";
  if (totals.skipped > 0) io.out << ", " << totals.skipped << " skipped";
  io.out << " (" << lab::Counted(totals.checks, "check") << ")\n";
}

void PrintTap(const std::vector<lab::TestResult>& results, std::ostream& out) {
  out << "TAP version 13\n1.." << results.size() << '\n';
  for (std::size_t i = 0; i < results.size(); ++i) {
    const lab::TestResult& result = results[i];
    const bool ok =
        result.verdict == lab::Verdict::kPassed || result.verdict == lab::Verdict::kSkipped;
    out << (ok ? "ok " : "not ok ") << i + 1 << " - " << result.file;
    if (result.verdict == lab::Verdict::kSkipped) out << " # SKIP " << result.message;
    out << '\n';
    if (!ok) out << TestDetails(result, "# ");
  }
}

void PrintJUnit(const std::vector<lab::TestResult>& results, std::ostream& out) {
  const TestTotals totals = CountTests(results);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << "<testsuites>\n  <testsuite name=\"muster test\" tests=\"" << results.size()
      << "\" failures=\"" << totals.failed << "\" skipped=\"" << totals.skipped << "\">\n";
  for (const lab::TestResult& result : results) {
    out << "    <testcase classname=\"scenario\" name=\"" << simulate::Escaped(result.file) << '"';
    if (result.verdict == lab::Verdict::kPassed) {
      out << "/>\n";
    } else if (result.verdict == lab::Verdict::kSkipped) {
      out << "><skipped message=\"" << simulate::Escaped(result.message) << "\"/></testcase>\n";
    } else {
      out << "><failure message=\"" << VerdictWord(result.verdict) << "\">"
          << simulate::Escaped(TestDetails(result, "")) << "</failure></testcase>\n";
    }
  }
  out << "  </testsuite>\n</testsuites>\n";
}

void PrintTestJson(const std::vector<lab::TestResult>& results, std::ostream& out) {
  Json tests = Json::array();
  for (const lab::TestResult& result : results) {
    Json failures = Json::array();
    for (const lab::Check& check : result.checks) {
      for (const lab::Mismatch& mismatch : check.mismatches) {
        failures.push_back({{"line", check.place.line},
                            {"step", check.step},
                            {"path", mismatch.path},
                            {"expected", mismatch.expected},
                            {"got", mismatch.got}});
      }
    }
    tests.push_back({{"file", result.file},
                     {"verdict", VerdictWord(result.verdict)},
                     {"checks", result.checks.size()},
                     {"failures", std::move(failures)}});
    if (!result.message.empty()) tests.back()["message"] = result.message;
  }
  const TestTotals totals = CountTests(results);
  PrintJson(out, {{"tests", std::move(tests)},
                  {"passed", totals.passed},
                  {"failed", totals.failed},
                  {"skipped", totals.skipped},
                  {"checks", totals.checks}});
}

}  // namespace muster::cli
