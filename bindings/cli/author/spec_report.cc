// All four formats say the same: name, file and line, why it failed.
#include "bindings/cli/author/spec_report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>

#include "bindings/cli/json.h"
#include "bindings/lab/specs.h"
#include "bindings/report/svg.h"

namespace muster::cli {
namespace {

using luajit::SpecCase;
using luajit::SpecVerdict;

std::string_view NameOf(SpecVerdict verdict) {
  if (verdict == SpecVerdict::kPassed) return "passed";
  return verdict == SpecVerdict::kFailed ? "failed" : "pending";
}

/// In one line: what a terminal or a line of TAP would take for something else is a blank.
std::string NameIn(const SpecCase& each) {
  std::string name = each.name;
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return name;
}

std::string Indented(std::string_view text, std::string_view indent) {
  std::string result(indent);
  for (const char c : text) {
    result += c;
    if (c == '\n') result += indent;
  }
  return result;
}

std::string Cost(const SpecCase& each) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.1f ms, %lld fuel", each.seconds * 1e3,
                static_cast<long long>(each.fuel));
  return text.data();
}

void PrintPrettySpecs(const std::vector<SpecCase>& cases, bool verbose, Io& io) {
  for (const SpecCase& each : cases) {
    if (each.verdict == SpecVerdict::kFailed) {
      io.out << io.paint(Tone::kBad, "FAIL") << "  " << NameIn(each) << '\n'
             << Indented(lab::PlaceOf(each) + ": " + each.message, "      ") << '\n';
    } else if (each.verdict == SpecVerdict::kPending) {
      io.out << io.paint(Tone::kWarning, "todo") << "  " << NameIn(each)
             << (each.message.empty() ? "" : "  " + each.message) << '\n';
    } else if (verbose) {
      io.out << io.paint(Tone::kGood, "ok  ") << "  " << NameIn(each) << "  "
             << io.paint(Tone::kFaint, Cost(each)) << '\n';
    }
  }
  io.out << lab::SpecTotals(cases) << '\n';
}

/// A # would begin a directive, such as SKIP.
std::string EscapeTap(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '#' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

void PrintTapSpecs(const std::vector<SpecCase>& cases, std::ostream& out) {
  out << "TAP version 13\n1.." << cases.size() << '\n';
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const SpecCase& each = cases[i];
    const bool failed = each.verdict == SpecVerdict::kFailed;
    out << (failed ? "not ok " : "ok ") << i + 1 << " - " << EscapeTap(NameIn(each))
        << (each.verdict == SpecVerdict::kPending ? " # SKIP not written yet" : "") << '\n';
    if (failed) out << Indented(lab::PlaceOf(each) + ": " + each.message, "# ") << '\n';
  }
}

void PrintJUnitSpecs(const std::vector<SpecCase>& cases, std::ostream& out) {
  const auto counts = lab::CountVerdicts(cases);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      << "  <testsuite name=\"muster policy test\" tests=\"" << cases.size() << "\" failures=\""
      << counts[1] << "\" skipped=\"" << counts[2] << "\">\n";
  for (const SpecCase& each : cases) {
    out << "    <testcase classname=\"" << simulate::Escaped(each.file) << "\" name=\""
        << simulate::Escaped(each.name) << "\" time=\"" << std::to_string(each.seconds) << '"';
    if (each.verdict == SpecVerdict::kPassed) {
      out << "/>\n";
    } else if (each.verdict == SpecVerdict::kPending) {
      out << "><skipped/></testcase>\n";
    } else {
      out << "><failure message=\"failed\">"
          << simulate::Escaped(lab::PlaceOf(each) + ": " + each.message)
          << "</failure></testcase>\n";
    }
  }
  out << "  </testsuite>\n</testsuites>\n";
}

void PrintJsonSpecs(const std::vector<SpecCase>& cases, std::ostream& out) {
  Json tests = Json::array();
  for (const SpecCase& each : cases) {
    tests.push_back({{"name", each.name},
                     {"file", each.file},
                     {"line", each.line},
                     {"verdict", NameOf(each.verdict)},
                     {"seconds", each.seconds},
                     {"fuel", each.fuel}});
    if (!each.message.empty()) tests.back()["message"] = each.message;
  }
  const auto counts = lab::CountVerdicts(cases);
  PrintJson(out, {{"tests", std::move(tests)},
                  {"passed", counts[0]},
                  {"failed", counts[1]},
                  {"pending", counts[2]}});
}

}  // namespace

void PrintSpecs(const std::vector<SpecCase>& cases, std::string_view format, bool verbose, Io& io) {
  if (format == "tap") {
    PrintTapSpecs(cases, io.out);
  } else if (format == "junit") {
    PrintJUnitSpecs(cases, io.out);
  } else if (format == "json") {
    PrintJsonSpecs(cases, io.out);
  } else {
    PrintPrettySpecs(cases, verbose, io);
  }
}

}  // namespace muster::cli
