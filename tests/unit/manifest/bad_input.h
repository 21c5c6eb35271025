// The table of bad inputs: files under bad/, each saying in its first lines what must be reported.
//
//   # expect: LINE:COLUMN: what is wrong; what to write instead
//
// These lines are part of the input, so places count them. {file} stands for the name under which
// the text is read. After a first line that begins with "# escapes:", \xNN and \t stand for those
// bytes.
#ifndef MUSTER_TESTS_UNIT_MANIFEST_BAD_INPUT_H_
#define MUSTER_TESTS_UNIT_MANIFEST_BAD_INPUT_H_

#include <cctype>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/testing/paths.h"

namespace muster::testing {

struct BadInput {
  std::string name;                   ///< of the file, without directory
  std::string text;                   ///< escapes replaced
  std::vector<std::string> expected;  ///< messages in order, {file} still in them
};

/// For the messages of GoogleTest.
inline void PrintTo(const BadInput& input, std::ostream* out) { *out << input.name; }

inline std::filesystem::path BadInputDir() {
  return SourceDir() / "tests" / "unit" / "manifest" / "bad";
}

/// `text` with every `from` replaced.
inline std::string ReplaceAll(const std::string& text, std::string_view from, std::string_view to) {
  std::string replaced;
  std::size_t begin = 0;
  for (std::size_t i = text.find(from); i != std::string::npos; i = text.find(from, begin)) {
    replaced.append(text, begin, i - begin).append(to);
    begin = i + from.size();
  }
  return replaced.append(text, begin);
}

/// \xNN and \t as the bytes they stand for.
inline std::string ReplaceEscapes(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("\\t")) {
      bytes.push_back('\t');
      i += 1;
    } else if (rest.starts_with("\\x") && rest.size() >= 4 && std::isxdigit(rest[2]) != 0 &&
               std::isxdigit(rest[3]) != 0) {
      bytes.push_back(static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16)));
      i += 3;
    } else {
      bytes.push_back(text[i]);
    }
  }
  return bytes;
}

inline BadInput LoadBadInput(const std::filesystem::path& path) {
  constexpr std::string_view kExpect = "# expect: ";
  BadInput input{path.filename().string(), ReadFile(path), {}};
  if (input.text.starts_with("# escapes:")) input.text = ReplaceEscapes(input.text);
  std::size_t begin = 0;
  while (begin < input.text.size() && input.text[begin] == '#') {
    const std::size_t end = input.text.find('\n', begin);
    const std::string line = input.text.substr(begin, end - begin);
    if (line.starts_with(kExpect)) input.expected.push_back(line.substr(kExpect.size()));
    begin = end == std::string::npos ? input.text.size() : end + 1;
  }
  return input;
}

inline std::vector<BadInput> LoadBadInputs() {
  std::vector<BadInput> inputs;
  for (const auto& path : FilesUnder(BadInputDir(), ".yaml")) inputs.push_back(LoadBadInput(path));
  return inputs;
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_UNIT_MANIFEST_BAD_INPUT_H_
