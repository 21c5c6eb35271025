// From a package's files to a policy, or to every mistake in them. Steps, each only when the one
// before found nothing: read the source, run it, check its table, try its hooks on a made-up batch.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "bindings/luajit/account_rule.h"
#include "bindings/luajit/hook_reads.h"
#include "bindings/luajit/lua_policy.h"
#include "bindings/luajit/made_up_batch.h"
#include "bindings/luajit/near_name.h"
#include "bindings/luajit/parser.h"
#include "bindings/luajit/probe_batch.h"
#include "bindings/luajit/rewriter.h"
#include "bindings/luajit/source_check.h"
#include "bindings/luajit/source_keys.h"

namespace muster::luajit {
namespace {

constexpr std::size_t kMaxSource = 256u << 10;

}  // namespace

class PackageLoader {
 public:
  PackageLoader(const PackageSource& source, const ParamTexts& params,
                const SandboxOptions& options)
      : source_(source), params_(params), policy_(std::make_shared<LuaPolicy>()) {
    policy_->options_ = options;
    policy_->source_ = source;
    policy_->params_ = params;
    policy_->file_ = source.folder + "/" + std::string(kPolicyFile);
  }

  LoadedPackage Run() {
    if (FindFile() && Start() && ReadSource() && RunFile() && ReadTable() && TryHooks() &&
        Probe()) {
      return {policy_, {}};
    }
    std::stable_sort(problems_.begin(), problems_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.line, a.column, a.what) < std::tie(b.line, b.column, b.what);
    });
    if (problems_.size() > kMaxProblems) problems_.resize(kMaxProblems);
    return {nullptr, std::move(problems_)};
  }

 private:
  bool Fail(int line, int column, std::string_view what, std::string_view cure) {
    problems_.push_back({policy_->file_, line, column, Printable(what), Printable(cure)});
    return false;
  }
  // "what; cure" as the prelude raises it.
  bool Fail(const CallError& error, int line) {
    const std::size_t cut = error.text.find("; ");
    return Fail(error.line > 0 ? error.line : line, 0, error.text.substr(0, cut),
                cut == std::string::npos ? "" : error.text.substr(cut + 2));
  }

  bool FindFile();
  bool Start();
  bool ReadSource();
  bool RunFile();
  PackageZones Zones() const;
  bool ReadTable();
  void CheckKeyLabels();
  void CheckKeyLabel(const std::string& path, const std::string& label);
  bool TryHooks();
  bool TryHook(HookInfo& info);
  bool Probe();
  bool ProbeHook(const HookInfo& info, const ProbeValues& values);
  std::optional<CallError> AskProbe(const HookInfo& info, const muster_batch& batch);
  void WarmUp(const HookInfo& info);
  bool TryMany(const HookInfo& info);
  bool Finite(Hook hook, std::span<const double> keys);
  bool NameAlike(Hook hook, std::vector<double>& answers, std::vector<std::string>& reasons);
  double Seconds() const { return ThreadSeconds() - begun_; }
  bool InTime(int line);

  const PackageSource& source_;
  const ParamTexts& params_;
  std::shared_ptr<LuaPolicy> policy_;
  PackageTable table_;
  std::string_view text_;
  SourceFacts facts_;
  std::vector<PackageProblem> problems_;
  const double begun_ = ThreadSeconds();
};

bool PackageLoader::FindFile() {
  const auto file = std::find_if(source_.files.begin(), source_.files.end(),
                                 [](const PackageFile& f) { return f.path == kPolicyFile; });
  if (file == source_.files.end()) {
    return Fail(0, 0, "the package has no policy.lua",
                "write one that ends with return { api = 1, ... }");
  }
  text_ = file->bytes;
  if (text_.size() > kMaxSource) {
    return Fail(1, 1, "policy.lua has " + std::to_string(text_.size()) + " bytes",
                "write at most " + std::to_string(kMaxSource));
  }
  return true;
}

bool PackageLoader::Start() {
  auto state = State::Create(policy_->options_);
  if (!state.ok()) return Fail(0, 0, state.status().message(), "");
  policy_->state_ = std::move(*state);
  policy_->ShareTime(std::make_shared<CycleTime>());
  policy_->info_.hash = source_.Hash();
  std::uint32_t seed = 0;
  std::from_chars(policy_->info_.hash.data(), policy_->info_.hash.data() + 8, seed, 16);
  policy_->state_->set_random_seed(seed);
  return true;
}

// Bytecode is not a language we read: it could do anything to this process.
bool PackageLoader::ReadSource() {
  if (!policy_->options_.text_only) return true;
  if (text_.starts_with('\x1b')) return Fail(1, 1, "policy.lua is bytecode", "give its source");
  facts_ = ParseSource(text_, policy_->options_.ascii_names);
  std::vector<SourceProblem> found;
  if (policy_->options_.source_rules || !facts_.syntax_ok) found = facts_.problems;
  if (policy_->options_.source_rules && facts_.syntax_ok) {
    const bool strict = policy_->options_.probing;
    for (SourceProblem& problem : CheckSource(facts_, *policy_->state_, strict)) {
      found.push_back(std::move(problem));
    }
  }
  for (SourceProblem& problem : found) {
    Fail(problem.place.line, problem.place.column, problem.what, problem.cure);
  }
  return facts_.syntax_ok;
}

// Those it was stored with, and none of this machine.
PackageZones PackageLoader::Zones() const {
  PackageZones zones;
  if (text_.find("zones") == std::string_view::npos) return zones;
  for (const PackageFile& file : source_.files) {
    if (!file.path.starts_with(kZoneFolder)) continue;
    auto rules = TimeZone::Parse(file.bytes);
    if (!rules) continue;
    zones.names.push_back(file.path.substr(kZoneFolder.size()));
    zones.rules.push_back(std::move(*rules));
  }
  const std::vector<std::string_view> declared = TextsUnder(facts_, "zones");
  const bool lacks = std::any_of(declared.begin(), declared.end(), [&](std::string_view name) {
    return std::find(zones.names.begin(), zones.names.end(), name) == zones.names.end();
  });
  if (lacks || declared.empty()) zones.known = SystemZones();
  return zones;
}

// A file with mistakes is run too, to report those of its table with the rest; an error it raises
// then is most likely one of them.
bool PackageLoader::RunFile() {
  policy_->state_->set_zones(Zones());
  if (!policy_->options_.rewriting) facts_.insertions.clear();
  std::vector<std::uint64_t>* const counts = policy_->options_.counts;
  if (counts != nullptr) counts->resize(std::max(counts->size(), facts_.marks.size()));
  const std::span<const SourceMark> marks =
      counts != nullptr ? facts_.marks : std::span<const SourceMark>();
  const std::string wrapped = policy_->options_.text_only
                                  ? RewriteSource(text_, facts_.insertions, marks)
                                  : std::string(text_);
  if (const auto error = policy_->state_->Load(text_, wrapped, params_, table_)) {
    return problems_.empty() && Fail(*error, facts_.result_place.line);
  }
  for (const TableProblem& problem : table_.problems) {
    const SourcePlace place = LocateKey(facts_, problem.path);
    Fail(place.line, place.column, problem.what, problem.cure);
  }
  return problems_.empty();
}

bool PackageLoader::ReadTable() {
  const bool cycle = ReadsCycle(facts_);
  PolicyInfo& info = policy_->info_;
  info.name = table_.name;
  info.description = table_.description;
  info.labels = table_.labels;
  info.accounts = AccountsOf(table_);
  for (const TableHook& entry : table_.hooks) {
    HookInfo& hook = info.hooks.emplace_back();
    hook.hook = *HookFromName(entry.hook);
    hook.reads = entry.reads;
    hook.named = FieldsNamedIn(facts_, entry.hook, info.accounts);
    hook.fields = FieldsTold(facts_);
    hook.reads_subject = hook.hook != Hook::kVictim || ReadsSubject(facts_, entry.hook);
    if (cycle) hook.reads.emplace_back("cycle");
    hook.every = entry.every;
    if (policy_->options_.probing && entry.every > 0 && entry.reads.empty()) {
      Fail(entry.line, 0, entry.hook + " has every and reads nothing that changes by itself",
           "remove every, or declare reads = {\"now\"}");
    }
    hook.per = KeyPartsOf(entry.per);
    hook.place = policy_->file_ + ":" + std::to_string(entry.line);
  }
  if (policy_->options_.probing) CheckKeyLabels();
  info.reject_on_error = table_.reject_on_error;
  for (std::size_t i = 0; i < info.hooks.size(); ++i) {
    policy_->defined_[static_cast<std::size_t>(info.hooks[i].hook)].line = table_.hooks[i].line;
  }
  return problems_.empty();
}

// A key may be of a label that no view has. One that is nearly a declared label is that one
// misspelt, and would be the same empty key for every job.
void PackageLoader::CheckKeyLabel(const std::string& path, const std::string& label) {
  const std::vector<std::string>& known = table_.labels;
  if (label.empty() || std::find(known.begin(), known.end(), label) != known.end()) return;
  const auto near = std::find_if(known.begin(), known.end(),
                                 [&](const std::string& name) { return IsNear(name, label); });
  if (near == known.end()) return;
  const SourcePlace place = LocateKey(facts_, path);
  Fail(place.line, place.column, "label '" + label + "' is not declared",
       "did you mean '" + *near + "'? Else add it to labels");
}

void PackageLoader::CheckKeyLabels() {
  for (const TableHook& hook : table_.hooks) {
    for (const auto& [by, label] : hook.per) CheckKeyLabel(hook.hook + ".per", label);
  }
  for (const TableAccount& account : table_.accounts) {
    const std::string path = "accounts." + account.name + ".by";
    CheckKeyLabel(path, account.label);
    for (const auto& [by, label] : account.also) CheckKeyLabel(path, label);
  }
}

// Fuel bounds the time of each trial; this is for what no unit of fuel has foreseen.
bool PackageLoader::InTime(int line) {
  const double limit = policy_->options_.limits.load_seconds;
  if (Seconds() < limit) return true;
  return Fail(line, 0,
              "running the file and trying its hooks took more than " +
                  std::to_string(static_cast<int>(limit)) + " s",
              "let them do less for each item");
}

bool PackageLoader::TryHooks() {
  std::vector<std::uint64_t>* const counts = policy_->options_.counts;
  const std::vector<std::uint64_t> before =
      counts != nullptr ? *counts : std::vector<std::uint64_t>();
  const bool sound = std::all_of(policy_->info_.hooks.begin(), policy_->info_.hooks.end(),
                                 [this](HookInfo& info) { return TryHook(info); });
  if (counts != nullptr && !policy_->options_.count_trials) *counts = before;
  return sound;
}

// A pure function answers the same when it is asked again, and whatever it was asked before.
bool PackageLoader::TryHook(HookInfo& info) {
  auto& defined = policy_->defined_[static_cast<std::size_t>(info.hook)];
  State& state = *policy_->state_;
  const MadeUpBatch first(info.hook), last(info.hook, MadeUpBatch::kFew, true);
  if (info.hook == Hook::kSubmit) {
    SubmitAnswer answer;
    const auto error = state.Submit(first.batch(), answer, true);
    return error ? Fail(*error, defined.line) : InTime(defined.line);
  }
  int width = 0;
  if (const auto error = state.Rehearse(info.hook, first.batch(), width)) {
    return Fail(*error, defined.line);
  }
  if (const auto error = state.Bind(info.hook, width)) return Fail(*error, defined.line);
  info.keys = defined.keys = width;
  const std::size_t count = first.batch().count;
  const auto row = static_cast<std::size_t>(width);
  std::vector<double> keys(count * row), again(count * row);
  if (const auto error = state.Ask(info.hook, first.batch(), keys.data(), true)) {
    return Fail(*error, defined.line);
  }
  std::vector<std::string> reasons;
  if (!NameAlike(info.hook, keys, reasons)) return false;
  if (const auto error = state.Ask(info.hook, last.batch(), again.data(), true)) {
    return Fail(*error, defined.line);
  }
  if (!NameAlike(info.hook, again, reasons)) return false;
  if (!InTime(defined.line)) return false;
  if (!Finite(info.hook, keys)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::equal(keys.begin() + static_cast<std::ptrdiff_t>(i * row),
                    keys.begin() + static_cast<std::ptrdiff_t>((i + 1) * row),
                    again.begin() + static_cast<std::ptrdiff_t>((count - 1 - i) * row))) {
      return Fail(defined.line, 0,
                  std::string(HookName(info.hook)) + " answers differently when it is asked again",
                  "use nothing but its arguments; a policy has no memory");
    }
  }
  if (info.hook == Hook::kQueueOrder && policy_->options_.compiled) WarmUp(info);
  return TryMany(info) && InTime(defined.line);
}

// What fails only where a field has the value that it is compared with fails now, and not in the
// first cycle that has such a job.
bool PackageLoader::Probe() {
  if (!policy_->options_.probing) return true;
  const ProbeValues values = FindProbeValues(facts_, table_);
  return std::all_of(policy_->info_.hooks.begin(), policy_->info_.hooks.end(),
                     [&](const HookInfo& info) { return ProbeHook(info, values); });
}

std::optional<CallError> PackageLoader::AskProbe(const HookInfo& info, const muster_batch& batch) {
  State& state = *policy_->state_;
  if (info.hook == Hook::kSubmit) {
    SubmitAnswer answer;
    return state.Submit(batch, answer, true);
  }
  std::vector<double> keys(batch.count * static_cast<std::size_t>(info.keys));
  if (auto error = state.Ask(info.hook, batch, keys.data(), true)) return error;
  const auto refused = policy_->FirstRefused(info.hook, keys, policy_->options_.probing);
  return refused ? std::optional(refused->second) : std::nullopt;
}

// Whatever a batch of such items burns is for the cycle to say, as in TryMany; probing ends before
// the time for loading does.
bool PackageLoader::ProbeHook(const HookInfo& info, const ProbeValues& values) {
  const bool of_one = info.hook == Hook::kSubmit || info.hook == Hook::kPreemptLimits;
  const bool of_subject = info.hook == Hook::kVictim || info.hook == Hook::kFlavorOrder ||
                          info.hook == Hook::kDomainOrder;
  constexpr std::size_t kProbes = 1024;
  const std::size_t items = of_one ? 1 : of_subject ? 16 : 64;
  const std::size_t rounds = std::min<std::size_t>(kProbes / items, 256);
  const double most = policy_->options_.limits.load_seconds / 5;
  const int line = policy_->defined(info.hook).line;
  for (std::size_t round = 1; round <= rounds && Seconds() < most; ++round) {
    const ProbeBatch probe(info.hook, items, values, table_, round);
    auto error = AskProbe(info, probe.batch());
    if (!error || policy_->state_->ran_out()) continue;
    const std::size_t cut = std::min(error->text.find("; "), error->text.size());
    error->text.insert(cut, ", for a made-up one with values that the policy compares with");
    return Fail(*error, line);
  }
  return true;
}

// Reasons are numbered as they come: equal ones get equal numbers in `answers`, those of `reasons`.
bool PackageLoader::NameAlike(Hook hook, std::vector<double>& answers,
                              std::vector<std::string>& reasons) {
  if (hook != Hook::kHold) return true;
  std::vector<std::string> named;
  if (const auto error = policy_->FindReasons(answers, named)) return Fail(*error, 0);
  for (std::size_t i = 0; i < answers.size(); i += 2) {
    if (answers[i] == 0) continue;
    const std::string& reason = named[static_cast<std::size_t>(answers[i]) - 1];
    const auto known = std::find(reasons.begin(), reasons.end(), reason);
    answers[i] = static_cast<double>(known - reasons.begin() + 1);
    if (known == reasons.end()) reasons.push_back(reason);
  }
  return true;
}

// Answers that are no numbers hide where few jobs show them. Whatever else may be wrong with so
// many is for the cycle to say: their fuel is that of a batch, which few do not have.
bool PackageLoader::TryMany(const HookInfo& info) {
  constexpr std::size_t kMany = 64;
  const MadeUpBatch many(info.hook, kMany);
  std::vector<double> keys(many.batch().count * static_cast<std::size_t>(info.keys));
  if (policy_->state_->Ask(info.hook, many.batch(), keys.data(), true)) return true;
  return Finite(info.hook, keys);
}

bool PackageLoader::Finite(Hook hook, std::span<const double> keys) {
  const auto refused = policy_->FirstRefused(hook, keys, policy_->options_.probing);
  if (!refused) return true;
  CallError error = refused->second;
  error.text.insert(error.text.find("; "), " for one it was tried on");
  return Fail(error, error.line);
}

// Has the loop over many batches compiled now rather than in the first cycles: as many at once as a
// cycle asks about, mostly of one newcomer, some of more. LuaJIT compiles a loop after 56 rounds,
// and what leaves it elsewhere each after ten more: the last of that was seen after 70 calls. What
// burns much a row is left after fewer: it is not the calling that takes its time.
void PackageLoader::WarmUp(const HookInfo& info) {
  constexpr std::size_t kCalls = 100, kBatches = 32;
  constexpr std::int64_t kMostFuel = 1'000'000;
  constexpr auto rows_of = [](std::size_t batch) { return batch % 8 == 7 ? 2U : 1U; };
  const MadeUpBatch rows(info.hook, 2 * kBatches);
  std::vector<muster_batch> batches(kBatches, rows.batch());
  std::size_t items = 0;
  for (std::size_t i = 0; i < kBatches; ++i) {
    batches[i].workloads += items;
    batches[i].count = rows_of(i);
    items += rows_of(i);
  }
  std::vector<double> keys(items * static_cast<std::size_t>(info.keys));
  std::vector<std::int64_t> fuel(kBatches);
  std::int64_t burnt = 0;
  const double most = policy_->options_.limits.load_seconds / 5;
  for (std::size_t call = 0; call < kCalls && burnt < kMostFuel && Seconds() < most; ++call) {
    if (!policy_->state_->AskEach(info.hook, batches, keys.data(), fuel, true)) return;
    burnt = std::accumulate(fuel.begin(), fuel.end(), burnt);
  }
}

LoadedPackage Load(const PackageSource& source, const ParamTexts& params,
                   const SandboxOptions& options) {
  return PackageLoader(source, params, options).Run();
}

}  // namespace muster::luajit
