// The corpus in tests/fault/policies. Each file says in its second line how it ends:
//   -- fails: TEXT     it loads, and fails on the job with 4 GPUs (or)
//   -- refused: TEXT   it does not load (both with TEXT in the message), or
//   -- answers         it does what others were hurt by, and nothing comes of it
// The message must name the line that is marked "--> here", if one is.
#ifndef MUSTER_TESTS_FAULT_HOSTILE_CORPUS_H_
#define MUSTER_TESTS_FAULT_HOSTILE_CORPUS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "tests/testing/paths.h"

namespace muster::luajit::testing {

enum class Verdict { kFails, kRefused, kAnswers };

struct Hostile {
  std::string name;
  std::string source;
  Verdict verdict = Verdict::kFails;
  std::string text;
  int line = 0;  ///< 0: any
};

inline std::ostream& operator<<(std::ostream& out, const Hostile& hostile) {
  return out << hostile.name;
}

inline Hostile ReadHostile(const std::filesystem::path& path) {
  Hostile hostile;
  hostile.name = path.stem().string();
  hostile.source = muster::testing::ReadFile(path);
  const std::size_t second = hostile.source.find('\n') + 1;
  const std::string verdict =
      hostile.source.substr(second, hostile.source.find('\n', second) - second);
  if (verdict == "-- answers") {
    hostile.verdict = Verdict::kAnswers;
    return hostile;
  }
  if (verdict.starts_with("-- refused: ")) hostile.verdict = Verdict::kRefused;
  EXPECT_TRUE(hostile.verdict == Verdict::kRefused || verdict.starts_with("-- fails: ")) << path;
  hostile.text = verdict.substr(verdict.find(": ") + 2);
  const auto begin = hostile.source.begin();
  const std::size_t mark = hostile.source.find("--> here");
  if (mark != std::string::npos) {
    hostile.line =
        1 + static_cast<int>(std::count(begin, begin + static_cast<std::ptrdiff_t>(mark), '\n'));
  }
  return hostile;
}

inline std::vector<Hostile> ReadCorpus() {
  std::vector<Hostile> corpus;
  for (const std::filesystem::path& path :
       muster::testing::FilesUnder(muster::testing::SourceDir() / "tests/fault/policies", ".lua")) {
    corpus.push_back(ReadHostile(path));
  }
  return corpus;
}

/// Every problem on a line of its own, as `muster policy check` shows them.
inline std::string TextOf(const std::vector<PackageProblem>& problems) {
  std::string text;
  for (const PackageProblem& problem : problems) text += problem.ToString() + "\n";
  return text;
}

}  // namespace muster::luajit::testing

#endif  // MUSTER_TESTS_FAULT_HOSTILE_CORPUS_H_
