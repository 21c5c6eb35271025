// Nothing is made that no cluster could have: counts are whole and not negative, and nothing was
// submitted after the time it is looked at.
#include "bindings/luajit/probe_batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace muster::luajit {
namespace {

constexpr std::uint64_t kPoorRounds = 4;  // one round in so many has amounts of nothing
/// What a user may write into a label where a number is wanted. `tonumber` answers nil to the last
/// two, which it would take for numbers in plain Lua.
constexpr std::array<std::string_view, 11> kNumerals = {
    "0", "1e308", "-1", "0.5", "1e-320", "-1e308", "7", "1e15", "0x10", "nan", "inf"};
constexpr double kStep = 31 * 3600;  // between rounds: other hours and other days of the week

struct NumberField {
  std::string_view name;
  double muster_workload::*member;
  double least;
  bool whole;
};
constexpr std::array<NumberField, 8> kNumbers = {
    {{"priority", &muster_workload::priority, -2147483647, true},
     {"pods", &muster_workload::pods, 1, true},
     {"podsets", &muster_workload::podsets, 1, true},
     {"gpus", &muster_workload::gpus, 0, true},
     {"attempts", &muster_workload::attempts, 0, true},
     {"preemptions", &muster_workload::preemptions, 0, true},
     {"max_run", &muster_workload::max_run, 1, true},
     {"borrowing_level", &muster_workload::borrowing_level, 0, true}}};

}  // namespace

// SplitMix64.
std::uint64_t ProbeBatch::Draw(std::uint64_t below) {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t drawn = state_;
  drawn = (drawn ^ (drawn >> 30)) * 0xbf58476d1ce4e5b9u;
  drawn = (drawn ^ (drawn >> 27)) * 0x94d049bb133111ebu;
  return (drawn ^ (drawn >> 31)) % below;
}

// One field in four stays as it is.
bool ProbeBatch::DrawNumber(std::string_view path, double least, bool whole, double* number) {
  const auto found = values_.numbers.find(path);
  if (found == values_.numbers.end() || Draw(4) == 0) return false;
  const double drawn = found->second[Draw(found->second.size())];
  *number = std::max(least, whole ? std::floor(drawn) : drawn);
  return true;
}

unsigned int ProbeBatch::Intern(std::string_view text) {
  for (std::size_t i = 0; i < strings_.size(); ++i) {
    if (std::string_view(strings_[i].data, strings_[i].size) == text) {
      return static_cast<unsigned int>(i);
    }
  }
  const std::string& kept = texts_.emplace_back(text);
  strings_.push_back({kept.data(), static_cast<unsigned int>(kept.size())});
  return static_cast<unsigned int>(strings_.size() - 1);
}

// One of the usual, of those that it is compared with, or of the words of the source.
unsigned int ProbeBatch::DrawText(std::string_view path,
                                  std::initializer_list<std::string_view> usual) {
  const auto found = values_.texts.find(path);
  if (found != values_.texts.end() && Draw(2) == 0) {
    return Intern(found->second[Draw(found->second.size())]);
  }
  if (!values_.words.empty() && Draw(2) == 0) {
    return Intern(values_.words[Draw(values_.words.size())]);
  }
  return Intern(usual.begin()[Draw(usual.size())]);
}

// The usual three, and those that the source names behind a field of amounts.
void ProbeBatch::MakeResources() {
  resource_names_ = {"cpu", "memory", "nvidia.com/gpu"};
  std::set<std::string> named;
  for (const auto& [path, numbers] : values_.numbers) {
    for (const std::string_view member : {"request.", "uses.", "usage.", "nominal.", "borrowed.",
                                          "borrowed_ratio.", "lendable.", "free.", "total."}) {
      if (path.starts_with(member)) named.insert(path.substr(member.size()));
    }
  }
  for (const std::string& name : resource_names_) named.erase(name);
  for (const std::string& name : named) {
    if (resource_names_.size() < MUSTER_MAX_RESOURCES) resource_names_.push_back(name);
  }
  for (const std::string& name : resource_names_) resources_.push_back(Intern(name));
}

// One of so many after the other, beside the draws, which stay those of the same seed.
unsigned int ProbeBatch::Turn(std::size_t choices) {
  turns_ = turns_ * 6364136223846793005u + 1442695040888963407u;
  return static_cast<unsigned int>((turns_ >> 33) % choices);
}

// A job may ask for nothing of a resource, and a queue own, lend or use nothing of it.
void ProbeBatch::Amounts(std::string_view member, double* amounts) {
  for (std::size_t i = 0; i < resource_names_.size(); ++i) {
    DrawNumber(std::string(member) + "." + resource_names_[i], 0, false, amounts + i);
    if (round_ % kPoorRounds == 0 && Turn(2) == 0) amounts[i] = 0;
  }
}

void ProbeBatch::Labels(unsigned int* labels) {
  const std::size_t count = std::min<std::size_t>(table_.labels.size(), MUSTER_MAX_LABELS);
  for (std::size_t i = 0; i < count; ++i) {
    labels[i] = DrawText("label." + table_.labels[i], {"", "", "other", "0", "1"});
    if (values_.reads_numerals && Turn(2) == 0) {
      labels[i] = Intern(kNumerals[Turn(kNumerals.size())]);
    }
  }
}

void ProbeBatch::Accounts(double* accounts) {
  const std::size_t count = std::min<std::size_t>(table_.accounts.size(), MUSTER_MAX_ACCOUNTS);
  for (std::size_t i = 0; i < count; ++i) {
    DrawNumber("account." + table_.accounts[i].name, 0, false, accounts + i);
  }
}

void ProbeBatch::Change(muster_workload& workload) {
  workload.created += later_;
  workload.queued_at += later_;
  workload.last_admitted += later_;
  for (const NumberField& field : kNumbers) {
    DrawNumber(field.name, field.least, field.whole, &(workload.*field.member));
  }
  double waited = 0;
  if (DrawNumber("waited", 0, false, &waited)) workload.queued_at = batch_.now - waited;
  DrawNumber("queued_at", 0, false, &workload.queued_at);
  workload.queued_at = std::min(workload.queued_at, batch_.now);
  DrawNumber("created", 0, false, &workload.created);
  workload.created = std::min(workload.created, workload.queued_at);
  DrawNumber("last_admitted", 0, false, &workload.last_admitted);
  workload.request[2] = workload.gpus;
  Amounts("request", workload.request);
  Accounts(workload.account);
  Labels(workload.label);
  workload.name = DrawText("name", {"first", "second", "third"});
  workload.namespace_ = DrawText("namespace", {"team-a", "team-b"});
  workload.local_queue = DrawText("local_queue", {"queue"});
  workload.cluster_queue = DrawText("cluster_queue", {"cluster"});
}

void ProbeBatch::Change(muster_holding& holding) {
  holding.reserved_at += later_;
  double ran = 0;
  if (DrawNumber("ran", 0, false, &ran)) holding.reserved_at = batch_.now - ran;
  DrawNumber("reserved_at", 0, false, &holding.reserved_at);
  holding.reserved_at = std::min(holding.reserved_at, batch_.now);
  holding.borrowing = static_cast<double>(Draw(2));
  holding.same_queue = static_cast<double>(Draw(2));
  Amounts("uses", holding.uses);
  for (std::size_t i = 0; i < resource_names_.size(); ++i) {
    holding.flavor[i] = DrawText("flavor." + resource_names_[i], {"", "first", "second"});
  }
}

void ProbeBatch::Change(muster_node& node) {
  node.last_admitted += later_;
  DrawNumber("last_admitted", 0, false, &node.last_admitted);
  DrawNumber("weight", 0, false, &node.weight);
  DrawNumber("depth", 0, true, &node.depth);
  DrawNumber("native_share", 0, false, &node.native_share);
  DrawNumber("share", 0, false, &node.native_share);
  Amounts("nominal", node.nominal);
  Amounts("usage", node.usage);
  Amounts("borrowed", node.borrowed);
  Amounts("lendable", node.lendable);
  Amounts("borrowed_ratio", node.borrowed_ratio);
  Accounts(node.account);
  node.name = DrawText("name", {"first", "cluster"});
}

void ProbeBatch::Change(muster_flavor& flavor) {
  DrawNumber("index", 0, true, &flavor.index);
  DrawNumber("borrowing_level", 0, true, &flavor.borrowing_level);
  Amounts("free", flavor.free);
  flavor.name = DrawText("name", {"first", "second", "third"});
  Labels(flavor.label);
}

void ProbeBatch::Change(muster_domain& domain) {
  DrawNumber("depth", 0, true, &domain.depth);
  DrawNumber("room", 1, true, &domain.room);
  DrawNumber("hosts", 1, true, &domain.hosts);
  DrawNumber("gpus", 0, true, &domain.gpus);
  DrawNumber("free_gpus", 0, true, &domain.free_gpus);
  for (std::size_t i = 0; i < std::min<std::size_t>(table_.labels.size(), MUSTER_MAX_LABELS); ++i) {
    DrawNumber("placed." + table_.labels[i], 0, true, domain.placed + i);
  }
  Amounts("total", domain.total);
  Amounts("free", domain.free);
  domain.level = DrawText("level", {"queue", "kubernetes.io/hostname"});
  domain.name = DrawText("name", {"first", "second", "third"});
  Labels(domain.label);
}

ProbeBatch::ProbeBatch(Hook hook, std::size_t items, const ProbeValues& values,
                       const PackageTable& table, std::uint64_t round)
    : MadeUpBatch(hook, items),
      values_(values),
      table_(table),
      round_(round),
      state_(round << 32),
      turns_(round) {
  Intern("");
  MakeResources();
  const double then = batch_.now;
  batch_.now += kStep * static_cast<double>(round);
  DrawNumber("now", 0, false, &batch_.now);
  later_ = batch_.now - then;
  batch_.cycle = 1 + static_cast<double>(round);
  DrawNumber("cycle", 1, true, &batch_.cycle);
  Change(queue_);
  Change(subject_);
  for (muster_workload& workload : workloads_) Change(workload);
  for (muster_holding& holding : holdings_) Change(holding);
  for (muster_node& node : nodes_) Change(node);
  for (muster_flavor& flavor : flavors_) Change(flavor);
  for (muster_domain& domain : domains_) Change(domain);
  batch_.strings = strings_.data();
  batch_.resources = resources_.data();
  batch_.resource_count = static_cast<unsigned int>(resources_.size());
}

}  // namespace muster::luajit
