// See spec_depth.h.
#include "bindings/cli/author/spec_depth.h"

#include <string>
#include <utility>

#include "bindings/cli/author/packages.h"

namespace muster::cli {
namespace {

std::string At(const luajit::PackageSource& source, luajit::SourcePlace place) {
  return source.folder + "/policy.lua:" + std::to_string(place.line) + ":" +
         std::to_string(place.column) + ": ";
}

/// "3, 7-9".
std::string Ranges(const std::vector<int>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t last = i;
    while (last + 1 < lines.size() && lines[last + 1] == lines[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(lines[i]);
    if (last > i) text += "-" + std::to_string(lines[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

void PrintCoverage(const luajit::PackageSource& source, const luajit::Coverage& coverage,
                   std::ostream& out) {
  const auto lines = static_cast<std::size_t>(coverage.lines);
  const auto branches = static_cast<std::size_t>(coverage.branches);
  out << "coverage " << coverage.Percent() << " %: " << lines - coverage.missed_lines.size()
      << " of " << lines << " lines, " << branches - coverage.missed_branches.size() << " of "
      << branches << " branches\n";
  if (!coverage.missed_lines.empty()) {
    out << "  " << source.folder << "/policy.lua: never reached: lines "
        << Ranges(coverage.missed_lines) << '\n';
  }
  for (const luajit::MissedBranch& branch : coverage.missed_branches) {
    out << "  " << At(source, branch.place) << branch.what << '\n';
  }
}

void PrintMutants(const luajit::PackageSource& source, const std::vector<luajit::Mutant>& survivors,
                  std::size_t tried, std::ostream& out) {
  if (tried == 0) {
    out << "mutants: none; no function of policy.lua has anything to change\n";
    return;
  }
  out << "mutants: " << tried - survivors.size() << " of " << tried << " noticed\n";
  for (const luajit::Mutant& mutant : survivors) {
    const std::string after = mutant.after == " " ? "nothing" : "'" + mutant.after + "'";
    out << "  " << At(source, mutant.place) << "'" << mutant.before << "' may become " << after
        << " and no test fails; test this place, or end its line with `-- equivalent: why`\n";
  }
}

void PrintNotTried(const luajit::PackageSource& source, std::ostream& out) {
  const std::vector<int> lines = luajit::LinesNotTried(source);
  if (lines.empty()) {
    out << "every line was tried\n";
    return;
  }
  out << source.folder << "/policy.lua: not tried: lines " << Ranges(lines)
      << "; a test in policy_spec.lua can reach them\n";
}

void PrintNoticed(std::size_t noticed, std::size_t tried, std::size_t all, std::ostream& out) {
  if (all == 0) return;
  out << "mutants noticed " << noticed << " of " << tried;
  if (tried < all) out << ", the first of " << all << "; --mutate tries all";
  if (tried == all && noticed < tried) out << "; --mutate names the others";
  out << '\n';
}

}  // namespace muster::cli
