// Reports, simulations and backtests: verbs of the command line, with their options as JSON.
#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bindings/c/handles.h"
#include "bindings/cli/app.h"
#include "bindings/cli/interrupted.h"
#include "bindings/cli/io.h"
#include "bindings/lab/json.h"

namespace muster::c {
namespace {

using lab::Json;

/// Verbs that print JSON and change no ledger.
constexpr std::array<std::string_view, 20> kReports = {
    "backtest",        "convert",     "defrag",      "describe",      "eta",
    "eta calibration", "explain",     "get",         "ledger export", "ledger query",
    "policy bench",    "policy diff", "policy list", "policy test",   "simulate",
    "start-patch",     "test",        "usage",       "version",       "what-if"};

/// "warmUp" is --warm-up.
std::string FlagOf(const std::string& member) {
  std::string flag = "--";
  for (const char c : member) {
    if (c >= 'A' && c <= 'Z') {
      flag += '-';
      flag += static_cast<char>(c - 'A' + 'a');
    } else {
      flag += c;
    }
  }
  return flag;
}

/// A value as the word behind its option; false: it is none.
bool ReadWord(const Json& value, std::string* word) {
  if (value.is_number_integer() && value >= 0) {
    *word = std::to_string(value.get<std::uint64_t>());
  } else if (value.is_string()) {
    *word = value.get<std::string>();
  }
  // What looks like an option would be taken for one.
  return !word->empty() && !word->starts_with('-');
}

/// The words of a value behind each other: one, or a list of them.
bool ReadWords(const Json& value, std::vector<std::string>* words) {
  const Json list = value.is_array() ? value : Json::array({value});
  for (const Json& each : list) {
    std::string word;
    if (!ReadWord(each, &word)) return false;
    words->push_back(std::move(word));
  }
  return true;
}

/// Words come before options: an option that takes a list would take them.
Status ReadArguments(const Json& json, std::vector<std::string>* words) {
  const auto arguments = json.find("arguments");
  if (arguments == json.end() || ReadWords(*arguments, words)) return Status::Ok();
  return Misuse("json.arguments is wrong; write a list of texts that do not begin with -");
}

Status ReadOptions(std::string_view text, std::vector<std::string>* words) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Misuse(R"(json is no object; write {"policy": ["native"]})");
  if (Status wrong = ReadArguments(json, words); !wrong.ok()) return wrong;
  for (const auto& [member, value] : json.items()) {
    if (member == "arguments") continue;
    if (member == "watch") return Misuse("json.watch would never end; ask again instead");
    if (member == "output") return Misuse("json.output is always json; leave it out");
    if (value.is_boolean()) {
      if (value.get<bool>()) words->push_back(FlagOf(member));
      continue;
    }
    words->push_back(FlagOf(member));
    if (ReadWords(value, words)) continue;
    return Misuse("json." + member +
                  " is wrong; options are texts that do not begin with -, whole numbers from 0, "
                  "true, or lists of texts");
  }
  return Status::Ok();
}

StatusCode CodeOfExit(int code) {
  return code == cli::kRefused ? StatusCode::kUnavailable : StatusCode::kInvalidArgument;
}

/// What the verb had to say, without the name of the program before each line.
std::string Complaint(const std::string& printed) {
  constexpr std::string_view kName = "muster: ";
  std::string text;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kName)) line.erase(0, kName.size());
    if (!line.empty()) text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

/// JSON values of a line each as one list.
std::string ListOfLines(std::string_view lines) {
  std::string list = "[";
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (!line.empty()) list.append(list.size() > 1 ? "," : "").append(line);
  }
  return list + "]\n";
}

muster_code RunVerb(std::string_view verb, std::string_view options, muster_bytes** answer,
                    muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  return Run(error, [&]() -> Status {
    const std::size_t blank = verb.find(' ');
    std::vector<std::string> words = {std::string(verb.substr(0, blank))};
    if (blank != std::string_view::npos) words.emplace_back(verb.substr(blank + 1));
    if (Status wrong = ReadOptions(options, &words); !wrong.ok()) return wrong;
    words.insert(words.end(), {"--output", verb == "ledger export" ? "jsonl" : "json"});
    const cli::Uninterrupted signals_are_the_callers;
    std::istringstream nothing;
    std::ostringstream out, complaints;
    cli::Io io{nothing, out, complaints, cli::Paint(), cli::Paint()};
    const int code = cli::RunMuster(words, io);
    std::string said = std::move(out).str();
    // Tests that fail are what a report of tests is about.
    const bool is_answer = code == cli::kNo && !said.empty() && complaints.view().empty();
    if (code != cli::kDone && !is_answer) {
      std::string complaint = Complaint(complaints.str());
      if (complaint.empty()) complaint = "muster " + std::string(verb) + " ended without a word";
      return {CodeOfExit(code), std::move(complaint)};
    }
    Give(verb == "convert" ? ListOfLines(said) : std::move(said), answer);
    return Status::Ok();
  });
}

Status CheckReport(std::string_view verb) {
  if (std::find(kReports.begin(), kReports.end(), verb) != kReports.end()) return Status::Ok();
  std::string all;
  for (const std::string_view each : kReports) {
    all += (all.empty() ? "" : ", ") + std::string(each);
  }
  return Misuse("there is no report '" + std::string(verb) + "'; write one of " + all);
}

}  // namespace
}  // namespace muster::c

muster_code muster_report(const char* verb, const char* json, size_t size, muster_bytes** answer,
                          muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  const std::string_view asked = muster::c::TextOf(verb);
  const muster_code code = muster::c::Run(error, [asked] { return muster::c::CheckReport(asked); });
  if (code != MUSTER_OK) return code;
  return muster::c::RunVerb(asked, muster::c::TextOf(json, size), answer, error);
}

muster_code muster_simulate(const char* json, size_t size, muster_bytes** answer,
                            muster_error** error) {
  return muster::c::RunVerb("simulate", muster::c::TextOf(json, size), answer, error);
}

muster_code muster_backtest(const char* json, size_t size, muster_bytes** answer,
                            muster_error** error) {
  return muster::c::RunVerb("backtest", muster::c::TextOf(json, size), answer, error);
}
