// An `and` or `or` went both ways when its right side ran sometimes, and less often than the whole.
#include "bindings/luajit/coverage.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "bindings/luajit/parser.h"

namespace muster::luajit {
namespace {

class Meter {
 public:
  explicit Meter(const std::vector<std::uint64_t>& counts) : counts_(counts) {}

  void Add(const SourceMark& mark, std::size_t number) {
    const std::uint64_t count = CountOf(number);
    switch (mark.kind) {
      case MarkKind::kStatement:
        ran_[mark.place.line] |= count > 0;
        break;
      case MarkKind::kThen:
        Branch(mark.place, count > 0, "the condition was never true");
        break;
      case MarkKind::kElse:
        Branch(mark.place, count > 0, "the else was never reached");
        break;
      case MarkKind::kNoElse:
        Branch(mark.place, count > 0, "no condition of this if was ever false");
        break;
      case MarkKind::kChain:
        break;
      case MarkKind::kRight: {
        const std::uint64_t whole = CountOf(static_cast<std::size_t>(mark.chain));
        const std::string word = mark.is_and ? "'and'" : "'or'";
        Branch(mark.place, count > 0, "the right side of this " + word + " was never evaluated");
        Branch(mark.place, whole > count, "the left side of this " + word + " never decided alone");
        break;
      }
    }
  }

  Coverage Take() {
    for (const auto& [line, ran] : ran_) {
      ++coverage_.lines;
      if (!ran) coverage_.missed_lines.push_back(line);
    }
    auto& missed = coverage_.missed_branches;
    std::stable_sort(missed.begin(), missed.end(), [](const auto& a, const auto& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return std::move(coverage_);
  }

 private:
  std::uint64_t CountOf(std::size_t number) const {
    return number < counts_.size() ? counts_[number] : 0;
  }
  void Branch(SourcePlace place, bool taken, std::string what) {
    ++coverage_.branches;
    if (!taken) coverage_.missed_branches.push_back({place, std::move(what)});
  }

  const std::vector<std::uint64_t>& counts_;
  std::map<int, bool> ran_;
  Coverage coverage_;
};

}  // namespace

int Coverage::Percent() const {
  const std::size_t all = static_cast<std::size_t>(lines) + static_cast<std::size_t>(branches);
  const std::size_t missed = missed_lines.size() + missed_branches.size();
  return all == 0 ? 100 : static_cast<int>((all - missed) * 100 / all);
}

Coverage MeasureCoverage(std::string_view source, const std::vector<std::uint64_t>& counts) {
  const SourceFacts facts = ParseSource(source);
  Meter meter(counts);
  for (std::size_t i = 0; i < facts.marks.size(); ++i) meter.Add(facts.marks[i], i);
  return meter.Take();
}

}  // namespace muster::luajit
