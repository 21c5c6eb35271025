// The grammar is that of Slurm's page on sbatch.
#include "bindings/convert/sbatch_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

namespace muster::convert {
namespace {

constexpr std::string_view kMark = "#SBATCH";
constexpr std::int64_t kMostCount = 1'000'000;
constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kMostDays = 20'000;

/// Letters with a long form that decides something, or that many scripts have.
constexpr auto kShort = std::to_array<std::pair<char, std::string_view>>({
    {'A', "account"},   {'a', "array"},         {'C', "constraint"}, {'c', "cpus-per-task"},
    {'D', "chdir"},     {'d', "dependency"},    {'e', "error"},      {'F', "nodefile"},
    {'G', "gpus"},      {'H', "hold"},          {'i', "input"},      {'J', "job-name"},
    {'L', "licenses"},  {'M', "clusters"},      {'N', "nodes"},      {'n', "ntasks"},
    {'o', "output"},    {'p', "partition"},     {'q', "qos"},        {'t', "time"},
    {'w', "nodelist"},  {'x', "exclude"},       {'b', "begin"},      {'B', "extra-node-info"},
    {'k', "no-kill"},   {'m', "distribution"},  {'O', "overcommit"}, {'Q', "quiet"},
    {'S', "core-spec"}, {'s', "oversubscribe"}, {'v', "verbose"},    {'W', "wait"},
});

struct Word {
  std::string text;
  int column = 0;
};

/// Words of a line, with quotes taken off, up to a comment.
std::vector<Word> WordsOf(std::string_view line, std::size_t begin) {
  std::vector<Word> words;
  std::size_t at = begin;
  while (at < line.size()) {
    if (line[at] == ' ' || line[at] == '\t' || line[at] == '\r') {
      ++at;
      continue;
    }
    if (line[at] == '#') break;
    Word word{"", static_cast<int>(at) + 1};
    char quote = '\0';
    for (; at < line.size(); ++at) {
      const char c = line[at];
      if (quote != '\0') {
        if (c == quote) {
          quote = '\0';
        } else {
          word.text += c;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        break;
      } else {
        word.text += c;
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

/// Those that stand alone: the next word is another option.
bool TakesNoValue(std::string_view name) {
  static const std::set<std::string_view> names = {
      "hold",       "requeue",    "no-requeue", "exclusive", "parsable", "oversubscribe",
      "overcommit", "contiguous", "spread-job", "verbose",   "quiet"};
  return names.contains(name);
}

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::vector<std::string_view> Split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != text.npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

void ReadLine(const std::vector<Word>& words, const std::string& file, int line,
              std::vector<SbatchOption>* out, std::vector<manifest::Diagnostic>* diagnostics) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    SbatchOption option{"", "", {file, line, words[i].column}};
    bool has_value = false;
    if (word.starts_with("--") && word.size() > 2) {
      const std::size_t equals = word.find('=');
      option.name = word.substr(2, equals == word.npos ? word.npos : equals - 2);
      has_value = equals != word.npos;
      if (has_value) option.value = word.substr(equals + 1);
    } else if (word.starts_with('-') && word.size() > 1) {
      const auto letter = std::find_if(kShort.begin(), kShort.end(),
                                       [&word](const auto& each) { return each.first == word[1]; });
      option.name = letter == kShort.end() ? word.substr(0, 2) : std::string(letter->second);
      has_value = word.size() > 2;
      if (has_value) option.value = word.substr(word[2] == '=' ? 3 : 2);
    } else {
      diagnostics->push_back({manifest::Severity::kError, option.place,
                              "\"" + word + "\" is no option", "write --NAME=VALUE"});
      continue;
    }
    const bool next_is_value = i + 1 < words.size() && !words[i + 1].text.starts_with('-');
    if (!has_value && next_is_value && !TakesNoValue(option.name)) option.value = words[++i].text;
    out->push_back(std::move(option));
  }
}

}  // namespace

bool IsScript(const manifest::Source& source) {
  const auto ends = [&source](std::string_view with) { return source.name.ends_with(with); };
  return source.text.starts_with("#!") || ends(".sbatch") || ends(".slurm") || ends(".sh");
}

std::vector<SbatchOption> ReadSbatch(const manifest::Source& source,
                                     std::vector<manifest::Diagnostic>* diagnostics) {
  std::vector<SbatchOption> out;
  std::string_view text = source.text;
  bool is_over = false;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view now = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = now.find_first_not_of(" \t\r");
    const bool is_command = first != now.npos && now[first] != '#';
    is_over = is_over || is_command;
    const bool has_mark = now.starts_with(kMark) && now.size() > kMark.size() &&
                          (now[kMark.size()] == ' ' || now[kMark.size()] == '\t');
    if (!has_mark) continue;
    if (is_over) {
      diagnostics->push_back({manifest::Severity::kWarning,
                              {source.name, line, 1},
                              "Slurm reads no #SBATCH after the first command, and neither is it "
                              "read here",
                              "move it up"});
      continue;
    }
    ReadLine(WordsOf(now, kMark.size()), source.name, line, &out, diagnostics);
  }
  return out;
}

std::optional<std::int64_t> ReadSlurmTime(std::string_view text) {
  std::int64_t seconds = 0;
  const std::size_t dash = text.find('-');
  const bool has_days = dash != text.npos;
  if (has_days) {
    const auto days = WholeNumber(text.substr(0, dash));
    if (!days || *days > kMostDays) return std::nullopt;
    seconds = *days * kDay;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::int64_t> parts;
  for (const std::string_view part : Split(text, ':')) {
    const auto number = WholeNumber(part);
    if (!number || *number > kMostCount) return std::nullopt;
    parts.push_back(*number);
  }
  if (parts.size() > 3) return std::nullopt;
  // After days come hours; without them one number is minutes, and two are minutes and seconds.
  constexpr std::array kFromHours = {kHour, kMinute, std::int64_t{1}};
  const std::size_t skip = has_days || parts.size() == 3 ? 0 : 1;
  for (std::size_t i = 0; i < parts.size(); ++i) seconds += parts[i] * kFromHours[i + skip];
  return seconds;
}

std::optional<std::int64_t> ReadSlurmMemory(std::string_view text) {
  std::int64_t unit = std::int64_t{1} << 20;
  if (text.ends_with('B') || text.ends_with('b')) text.remove_suffix(1);
  if (!text.empty()) {
    constexpr std::string_view kUnits = "KMGT";
    const char last = text.back() >= 'a' ? static_cast<char>(text.back() - 'a' + 'A') : text.back();
    if (const std::size_t at = kUnits.find(last); at != kUnits.npos) {
      unit = std::int64_t{1} << (10 * (at + 1));
      text.remove_suffix(1);
    }
  }
  const auto number = WholeNumber(text);
  if (!number || *number > kMostCount * 1000) return std::nullopt;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(*number, unit, &bytes)) return std::nullopt;
  return bytes;
}

std::optional<std::int64_t> ReadSlurmCount(std::string_view text) {
  const auto number = WholeNumber(text);
  if (!number || *number < 1 || *number > kMostCount) return std::nullopt;
  return number;
}

std::optional<std::vector<std::int64_t>> ReadSlurmArray(std::string_view text, bool* throttle) {
  const std::size_t percent = text.find('%');
  *throttle = percent != text.npos;
  if (*throttle && !ReadSlurmCount(text.substr(percent + 1))) return std::nullopt;
  std::set<std::int64_t> indexes;
  for (const std::string_view part : Split(text.substr(0, percent), ',')) {
    const auto range_and_step = Split(part, ':');
    const auto range = Split(range_and_step.front(), '-');
    if (range_and_step.size() > 2 || range.size() > 2) return std::nullopt;
    const auto first = WholeNumber(range.front());
    const auto last = WholeNumber(range.back());
    const auto step = range_and_step.size() == 2 ? ReadSlurmCount(range_and_step.back())
                                                 : std::optional<std::int64_t>(1);
    if (!first || !last || !step || *last < *first || *last > kMostCount) return std::nullopt;
    for (std::int64_t i = *first; i <= *last && indexes.size() <= kMostElements; i += *step) {
      indexes.insert(i);
    }
  }
  return std::vector<std::int64_t>(indexes.begin(), indexes.end());
}

}  // namespace muster::convert
