// The gate of fuel: fails when one unit buys more than two microseconds.
//
//   fuel_gate [--smoke] [--slowest N] [TEXT]
//
// Each row of fuel_rows.cc is run interpreted and compiled, few rounds and many; what the further
// rounds took is divided by what they were charged. The least of some runs counts, by the thread's
// own clock, and the limit grows with how slow the machine is just now: a row of plain sums is
// measured beside each, and was measured when the limit was set. TEXT: only rows that have it in
// their name. --smoke runs each once and judges nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/lua_policy.h"
#include "bindings/luajit/time_zone.h"
#include "tests/bench/fuel_rows.h"
#include "tests/bench/measure.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

constexpr double kLimit = 2e-6;        // seconds a unit
constexpr double kPlainThen = 300e-9;  // what a unit of plain sums took then, interpreted
constexpr double kMargin = 1.25;       // for what the least of a few runs still has of noise

std::string SourceOf(const FuelRow& row) {
  std::string code = row.before +
                     "\nreturn { api = 1, name = 'row', labels = { 'stage' },\n"
                     "zones = { 'Europe/Zurich' },\n"
                     "params = { weight = { type = 'number', default = 1 } },\n"
                     "accounts = { used = { by = 'localqueue', of = 'cpu', half_life = '7d' } },\n"
                     "queue_order = { reads = { 'now', 'account' }, function(w, c)\n"
                     "if w.gpus ~= 7 then return c.params.weight + w.account.used end\n" +
                     row.setup + "\nfor round = 1, w.pods do ";
  for (int i = 0; i < row.copies; ++i) code += row.statement + " ";
  return code + "end return 1 end } }";
}

/// One package of one row, and the job that makes it work.
class Measured {
 public:
  Measured(const FuelRow& row, bool compiled) {
    luajit::SandboxOptions options;
    options.compiled = compiled;
    options.limits.item_fuel = 1'000'000'000;
    options.limits.one_item_fuel = 1'000'000'000;
    options.limits.load_fuel = 1'000'000'000;
    options.limits.load_seconds = std::numeric_limits<double>::infinity();
    options.limits.seconds = std::numeric_limits<double>::infinity();
    luajit::LoadedPackage loaded = luajit::Load(
        {"row",
         {{"policy.lua", SourceOf(row)},
          {"zones/Europe/Zurich", luajit::ReadSystemZone("Europe/Zurich").value_or("")}}},
        {}, options);
    if (loaded.policy == nullptr) message_ = loaded.problems[0].ToString();
    policy_ = std::move(loaded.policy);
    job_.gpus = 7;
    job_.max_run = 3'600;
    job_.request[0] = 4;
    job_.name = job_.namespace_ = job_.local_queue = job_.cluster_queue = 1;
    job_.label[0] = 1;
    queue_.name = 1;
    resources_[0] = 2;
    batch_.count = 1;
    batch_.workloads = &job_;
    batch_.subject = &job_;
    batch_.queue = &queue_;
    batch_.queues = &queue_;
    batch_.strings = strings_;
    batch_.resources = resources_;
    batch_.resource_count = 1;
    batch_.now = 100'000;
  }

  struct Cost {
    double seconds = 0;
    double fuel = 0;
  };
  /// Empty when it failed.
  std::optional<Cost> Run(int rounds) {
    if (policy_ == nullptr) return std::nullopt;
    job_.pods = rounds;
    std::vector<double> keys(1);
    HookOutcome outcome;
    const double seconds =
        CpuSeconds([&] { outcome = policy_->Call(Hook::kQueueOrder, batch_, keys); });
    message_ = outcome.message;
    if (!outcome.ok) return std::nullopt;
    return Cost{seconds, static_cast<double>(outcome.fuel)};
  }
  const std::string& message() const { return message_; }

 private:
  const std::string name_ = std::string(253, 'n');
  muster_string strings_[3] = {{"", 0}, {name_.data(), 253}, {"cpu", 3}};
  unsigned int resources_[1] = {2};
  muster_workload job_{};
  muster_node queue_{};
  muster_batch batch_{};
  std::shared_ptr<luajit::LuaPolicy> policy_;
  std::string message_;
};

/// Seconds that a unit buys in the rounds after the first, the least of some runs; nullopt: the row
/// does not work.
std::optional<double> UnitOf(const FuelRow& row, bool compiled, bool smoke, int runs = 5) {
  Measured measured(row, compiled);
  constexpr double kEnough = 4e-3;
  // To compile a loop, or to try in vain, takes milliseconds once: of so many units it is little.
  constexpr double kEnoughFuel = 20'000;
  constexpr int kMostRounds = 1 << 14;
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < (smoke ? 1 : runs); ++run) {
    int rounds = 1;
    auto few = measured.Run(0);
    auto many = measured.Run(rounds);
    if (!few || !many) {
      std::fprintf(stderr, "fuel_gate: %s: %s\n", row.what.c_str(), measured.message().c_str());
      return std::nullopt;
    }
    while (!smoke && rounds < kMostRounds &&
           (many->seconds - few->seconds < kEnough || many->fuel - few->fuel < kEnoughFuel)) {
      const auto more = measured.Run(rounds * 2);
      if (!more) break;  // memory, mostly: what fitted counts
      rounds *= 2;
      many = more;
    }
    few = measured.Run(0);
    const double fuel = many->fuel - few->fuel;
    least = std::min(least, std::max(0.0, many->seconds - few->seconds) / std::max(1.0, fuel));
  }
  return least;
}

/// Functions that the rows call nowhere.
std::vector<std::string> Missing() {
  std::ifstream file(testing::SourceDir() / "policies/api/luacheckrc.lua");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string code;
  for (const FuelRow& row : FuelRows()) code += row.setup + " " + row.statement + "\n";
  std::vector<std::string> missing;
  std::string library;
  const std::regex word(R"((\w+) = \{ fields|"(\w+)\"|(\bstd = ))");
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) {
    if ((*it)[3].matched) break;
    if ((*it)[1].matched) library = (*it)[1].str() + ".";
    if (!(*it)[2].matched) continue;
    const std::string name = library + (*it)[2].str();
    if (code.find(name) == std::string::npos) missing.push_back(name);
  }
  return missing;
}

struct Figure {
  std::string what;
  double seconds = 0;
  double allowed = 0;
};

int Judge(bool smoke, std::size_t slowest, std::string_view only) {
  const std::vector<std::string> missing = Missing();
  for (const std::string& name : missing) {
    std::fprintf(stderr, "fuel_gate: no row calls %s; add one to fuel_rows.cc\n", name.c_str());
  }
  const FuelRow plain{"plain sums", "x = x + n", "local x, n = 1, w.gpus "};
  std::vector<Figure> figures;
  std::size_t broken = missing.size();
  for (const FuelRow& row : FuelRows()) {
    if (row.what.find(only) == std::string::npos) continue;
    for (const bool compiled : {false, true}) {
      const std::optional<double> first = UnitOf(row, compiled, smoke, 2);
      if (!first) {
        ++broken;
        break;
      }
      Figure figure{row.what + (compiled ? ", compiled" : ", interpreted"), *first, 0};
      const auto slow = [&] { return std::max(1.0, *UnitOf(plain, false, smoke) / kPlainThen); };
      figure.allowed = kLimit;
      // Further looks where it matters: noise passes, cost stays.
      for (int look = 0; !smoke && look < 3 && figure.seconds > figure.allowed; ++look) {
        figure.allowed = std::max(figure.allowed, kLimit * kMargin * slow());
        figure.seconds = std::min(figure.seconds, UnitOf(row, compiled, smoke).value_or(0));
      }
      figures.push_back(std::move(figure));
    }
  }
  std::sort(figures.begin(), figures.end(),
            [](const Figure& a, const Figure& b) { return a.seconds > b.seconds; });
  std::printf("a unit of plain sums: %.1f ns\n", 1e9 * UnitOf(plain, false, smoke).value_or(0));
  std::size_t bad = 0;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const bool over = !smoke && figures[i].seconds > figures[i].allowed;
    bad += over ? 1 : 0;
    if (i < slowest || over) {
      std::printf("%9.1f ns  %s%s\n", 1e9 * figures[i].seconds, figures[i].what.c_str(),
                  over ? "  OVER" : "");
    }
  }
  std::printf("%zu rows, %zu over %.0f ns a unit\n", figures.size(), bad, 1e9 * kLimit);
  return bad + broken == 0 ? 0 : 1;
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  bool smoke = false;
  std::size_t slowest = 20;
  std::string_view only;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--smoke") {
      smoke = true;
    } else if (word == "--slowest" && i + 1 < argc) {
      slowest = std::strtoul(argv[++i], nullptr, 10);
    } else {
      only = word;
    }
  }
  return muster::bench::Judge(smoke, slowest, only);
}
