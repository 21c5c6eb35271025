// All four formats say the same: file, line, path, expected, got.
#include "bindings/cli/scenario/test_report.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "bindings/cli/world/report.h"
#include "bindings/cli/xml_text.h"

namespace muster::cli {
namespace {

struct Totals {
  std::size_t passed = 0;
  std::size_t failed = 0;  ///< or broken
  std::size_t skipped = 0;
  std::size_t checks = 0;
};

Totals Count(const std::vector<TestResult>& results) {
  Totals totals;
  for (const TestResult& result : results) {
    totals.checks += result.checks.size();
    if (result.verdict == Verdict::kPassed) {
      ++totals.passed;
    } else if (result.verdict == Verdict::kSkipped) {
      ++totals.skipped;
    } else {
      ++totals.failed;
    }
  }
  return totals;
}

std::string_view Word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return "passed";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kBroken:
      return "broken";
    case Verdict::kSkipped:
      return "skipped";
  }
  return "";
}

/// Every mismatch of a test as text, or why it is broken; lines behind `indent`.
std::string Details(const TestResult& result, std::string_view indent) {
  std::string text;
  for (const Check& check : result.checks) {
    for (const Mismatch& mismatch : check.mismatches) {
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

void PrintPretty(const std::vector<TestResult>& results, Io& io) {
  for (const TestResult& result : results) {
    switch (result.verdict) {
      case Verdict::kPassed:
        io.out << io.paint(Tone::kGood, "ok  ") << "  " << result.file << "  "
               << io.paint(Tone::kFaint, Counted(result.checks.size(), "check")) << '\n';
        break;
      case Verdict::kSkipped:
        io.out << io.paint(Tone::kFaint, "skip") << "  " << result.file << "  " << result.message
               << '\n';
        break;
      case Verdict::kFailed:
      case Verdict::kBroken:
        io.out << io.paint(Tone::kBad, "FAIL") << "  " << result.file << '\n'
               << Details(result, "      ");
        break;
    }
  }
  const Totals totals = Count(results);
  io.out << '\n' << totals.passed << " passed, " << totals.failed << " failed";
  if (totals.skipped > 0) io.out << ", " << totals.skipped << " skipped";
  io.out << " (" << Counted(totals.checks, "check") << ")\n";
}

void PrintTap(const std::vector<TestResult>& results, std::ostream& out) {
  out << "TAP version 13\n1.." << results.size() << '\n';
  for (std::size_t i = 0; i < results.size(); ++i) {
    const TestResult& result = results[i];
    const bool ok = result.verdict == Verdict::kPassed || result.verdict == Verdict::kSkipped;
    out << (ok ? "ok " : "not ok ") << i + 1 << " - " << result.file;
    if (result.verdict == Verdict::kSkipped) out << " # SKIP " << result.message;
    out << '\n';
    if (!ok) out << Details(result, "# ");
  }
}

void PrintJUnit(const std::vector<TestResult>& results, std::ostream& out) {
  const Totals totals = Count(results);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << "<testsuites>\n  <testsuite name=\"muster test\" tests=\"" << results.size()
      << "\" failures=\"" << totals.failed << "\" skipped=\"" << totals.skipped << "\">\n";
  for (const TestResult& result : results) {
    out << "    <testcase classname=\"scenario\" name=\"" << EscapeXml(result.file) << '"';
    if (result.verdict == Verdict::kPassed) {
      out << "/>\n";
    } else if (result.verdict == Verdict::kSkipped) {
      out << "><skipped message=\"" << EscapeXml(result.message) << "\"/></testcase>\n";
    } else {
      out << "><failure message=\"" << Word(result.verdict) << "\">"
          << EscapeXml(Details(result, "")) << "</failure></testcase>\n";
    }
  }
  out << "  </testsuite>\n</testsuites>\n";
}

void PrintTestJson(const std::vector<TestResult>& results, std::ostream& out) {
  Json tests = Json::array();
  for (const TestResult& result : results) {
    Json failures = Json::array();
    for (const Check& check : result.checks) {
      for (const Mismatch& mismatch : check.mismatches) {
        failures.push_back({{"line", check.place.line},
                            {"step", check.step},
                            {"path", mismatch.path},
                            {"expected", mismatch.expected},
                            {"got", mismatch.got}});
      }
    }
    tests.push_back({{"file", result.file},
                     {"verdict", Word(result.verdict)},
                     {"checks", result.checks.size()},
                     {"failures", std::move(failures)}});
    if (!result.message.empty()) tests.back()["message"] = result.message;
  }
  const Totals totals = Count(results);
  PrintJson(out, {{"tests", std::move(tests)},
                  {"passed", totals.passed},
                  {"failed", totals.failed},
                  {"skipped", totals.skipped},
                  {"checks", totals.checks}});
}

}  // namespace muster::cli
