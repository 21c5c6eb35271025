// Simulations and backtests: the verbs of the command line, with their options as JSON.
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

Status ReadOptions(std::string_view text, std::vector<std::string>* words) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Misuse(R"(json is no object; write {"policy": ["native"]})");
  for (const auto& [member, value] : json.items()) {
    if (member == "output") return Misuse("json.output is always json; leave it out");
    if (value.is_boolean()) {
      if (value.get<bool>()) words->push_back(FlagOf(member));
      continue;
    }
    words->push_back(FlagOf(member));
    const Json list = value.is_array() ? value : Json::array({value});
    for (const Json& each : list) {
      std::string word;
      if (!ReadWord(each, &word)) {
        return Misuse(
            "json." + member +
            " is wrong; options are texts that do not begin with -, whole numbers from 0, "
            "true, or lists of texts");
      }
      words->push_back(std::move(word));
    }
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

muster_code RunVerb(const char* verb, std::string_view options, muster_bytes** answer,
                    muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  return Run(error, [&]() -> Status {
    std::vector<std::string> words = {verb};
    if (Status wrong = ReadOptions(options, &words); !wrong.ok()) return wrong;
    words.insert(words.end(), {"--output", "json"});
    const cli::Uninterrupted signals_are_the_callers;
    std::istringstream nothing;
    std::ostringstream out, complaints;
    cli::Io io{nothing, out, complaints, cli::Paint(), cli::Paint()};
    const int code = cli::RunMuster(words, io);
    if (code != cli::kDone) return {CodeOfExit(code), Complaint(complaints.str())};
    Give(std::move(out).str(), answer);
    return Status::Ok();
  });
}

}  // namespace
}  // namespace muster::c

muster_code muster_simulate(const char* json, size_t size, muster_bytes** answer,
                            muster_error** error) {
  return muster::c::RunVerb("simulate", muster::c::TextOf(json, size), answer, error);
}

muster_code muster_backtest(const char* json, size_t size, muster_bytes** answer,
                            muster_error** error) {
  return muster::c::RunVerb("backtest", muster::c::TextOf(json, size), answer, error);
}
