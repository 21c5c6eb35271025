// Parse: sources to documents to objects. Lists are unpacked, duplicates refused, and the keys that
// a scenario names are looked up when everything has been read.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "bindings/manifest/beside.h"
#include "bindings/manifest/closest.h"
#include "bindings/manifest/declared_kinds.h"
#include "bindings/manifest/decode_scenario.h"
#include "bindings/manifest/field_log.h"
#include "bindings/manifest/inference_pool.h"
#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/kinds.h"
#include "bindings/manifest/kueue_marks.h"
#include "bindings/manifest/managed_jobs.h"
#include "bindings/manifest/passive_kinds.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/settle.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/yaml_parser.h"

namespace muster::manifest {
namespace {

/// Kinds of which there is one.
bool IsSingle(ObjectKind kind) {
  return kind == ObjectKind::kConfiguration || kind == ObjectKind::kEngineConfiguration;
}

/// Of a Job that is a workload itself.
JobOrigin OriginOf(const YamlNode& job) {
  const YamlNode& metadata = *job.Find("metadata");
  const YamlNode* uid = metadata.Find("uid");
  JobOrigin origin;
  origin.kind = "Job";
  if (uid == nullptr || uid->text().empty()) return origin;
  origin.uid = uid->text();
  origin.name_without_uid = JobWorkloadName(metadata.Find("name")->text(), "");
  return origin;
}

class Parser {
 public:
  explicit Parser(const ParseOptions& options)
      : options_(options), index_(std::make_shared<Manifests::Index>()) {
    Reporter engines;
    for (const Object& object : options.around) {
      for (const YamlNode* document : ParseYaml(ToJson(object), index_->arena, engines)) {
        NoteAround(*document, &around_);
      }
    }
  }

  void ReadSources(std::span<const Source> sources);
  Manifests Finish();

 private:
  void ReadDocument(const YamlNode& written);
  /// The object with the queue that it goes to, one that has none as it is; null where it is not
  /// queued, which is said.
  const YamlNode* InItsQueue(const YamlNode& node, Decoding& decoding);
  /// Whether it asks for no quota, whatever it says, and no user has named its kind.
  bool IsSkipped(const YamlNode& node);
  /// Notes of a document that is none of the kinds what references may mean by it.
  void NoteUnread(const YamlNode& node);
  void ReadList(const Value& document);
  void ReadScenario(const Value& document);
  void ReadObject(const Value& document, const DocumentKind& kind);
  /// Takes an object that was read from `node`, with `errors` reported before.
  void Keep(Object object, const YamlNode& node, const DocumentKind& kind, std::size_t errors);
  /// A workload that was made of a job, as far as it alone decides.
  struct Decoded {
    std::optional<DocumentKind> kind;
    std::optional<Object> object;
    Reporter reporter;
  };
  /// Reads what was made, by several threads where it is much.
  std::vector<Decoded> Decode(const std::vector<MadeDocument>& made) const;
  /// Of jobs that a step applies. They see each other and no others.
  MadeObjects ObjectsOf(const std::vector<const YamlNode*>& jobs);
  /// Leaves what an engine may take back to the step.
  void ReportOfStep(Reporter part, std::vector<Diagnostic>* open);
  /// Whether an object of a job kind stands here for the first time, with whatever uid or none.
  bool IsNewJob(const YamlNode& made, const std::string& object, const Key& workload);
  bool IsNew(const Object& object, const YamlNode& node);
  void MakeWorkloads();
  void CheckUses();
  void FillSubmits();

  const ParseOptions& options_;
  Reporter reporter_;
  Manifests out_;
  std::shared_ptr<Manifests::Index> index_;
  std::map<std::pair<ObjectKind, Key>, Place> first_;  ///< where each object was defined
  struct FirstJob {
    Key workload;
    Place place;
  };
  /// By the object, and by its workload as without a uid: one object may make several.
  std::map<std::pair<std::string, Key>, FirstJob> first_jobs_;
  std::vector<KeyUse> uses_;
  std::vector<std::pair<std::size_t, std::vector<Key>>> submits_;  ///< by step
  std::size_t scenario_source_ = 0;
  DeclaredKinds declared_;
  JobDocuments jobs_;
  PassiveDocuments passive_;
  bool jobs_are_made_ = false;
  objects::Setting around_;              ///< kinds that are declared, and what manages jobs
  std::set<std::string> namespaces_;     ///< with objects of job kinds
  std::set<std::string> without_queue_;  ///< with such that name no queue
};

void Parser::ReadSources(std::span<const Source> sources) {
  std::vector<std::vector<const YamlNode*>> roots;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    reporter_.BeginSource(i, sources[i].name);
    const std::size_t errors = reporter_.errors();
    roots.push_back(ParseYaml(sources[i].text, index_->arena, reporter_));
    for (const YamlNode* root : roots.back()) {
      declared_.Read(*root, options_, reporter_);
      NoteAround(*root, &around_);
    }
    if (reporter_.errors() > errors) out_.all_named = false;
  }
  around_.declared = declared_.rows();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    reporter_.BeginSource(i, sources[i].name);
    for (const YamlNode* root : roots[i]) ReadDocument(*root);
  }
  if (namespaces_.empty()) return;
  ReadAgain again{{sources.begin(), sources.end()},
                  options_,
                  std::move(namespaces_),
                  std::move(without_queue_)};
  again.options.fields = nullptr;
  out_.again = std::make_shared<const ReadAgain>(std::move(again));
}

const YamlNode* Parser::InItsQueue(const YamlNode& node, Decoding& decoding) {
  if (jobs_are_made_) return &node;
  const Management management = ManagementOf(node, around_);
  if (!management.ns.empty()) namespaces_.insert(management.ns);
  switch (management.kind) {
    case Management::Kind::kAsWritten:
      break;
    case Management::Kind::kDefaultQueue:
      return WithDefaultQueue(node, index_->arena);
    case Management::Kind::kNoQueue:
      decoding.needs_no_queue = true;
      break;
    case Management::Kind::kLacksQueue:
      without_queue_.insert(management.ns);
      break;
    case Management::Kind::kUnmanaged:
      decoding.reporter.Warning(FindPlace(node, "metadata.name"), management.why, management.cure);
      return nullptr;
  }
  return &node;
}

void Parser::ReadDocument(const YamlNode& written) {
  Decoding decoding{reporter_, options_};
  const YamlNode* const in_its_queue = InItsQueue(written, decoding);
  if (in_its_queue == nullptr) return;
  const YamlNode& node = *in_its_queue;
  const std::size_t errors = reporter_.errors();
  if (DeclaredKinds::Declared* declared = declared_.Find(node, reporter_)) {
    if (options_.ignore_kinds.contains(declared->kind.kind)) return;
    CheckPodMarks(node, decoding);
    jobs_.Add(node, reporter_.source(), reporter_.PlaceAt({}).file, declared);
    return;
  }
  if (IsInferencePool(node)) {
    if (options_.ignore_kinds.contains("InferencePool")) return;
    jobs_.Add(node, reporter_.source(), reporter_.PlaceAt({}).file, nullptr);
    return;
  }
  if (IsSkipped(node)) return;
  bool foreign = false;
  const std::optional<DocumentKind> kind =
      FindKind(Value(node, "document", decoding), &foreign, declared_.names());
  if (reporter_.errors() > errors && !foreign) NoteUnread(node);
  if (!kind) return;
  decoding.v1beta1 = kind->v1beta1;
  KnownFields known;
  if (options_.fields != nullptr) decoding.known = &known;
  const Value document(node, kind->info->kind, decoding);
  const bool is_job = kind->info->is_job_document;
  const bool runs_pods = is_job || kind->info->kind == "Job" || kind->info->kind == "Pod";
  if (runs_pods && options_.ignore_kinds.contains(std::string(kind->info->kind))) return;
  if (is_job || kind->info->kind == "Pod") CheckPodMarks(node, decoding);
  if (!jobs_are_made_ && (is_job || JobDocuments::Takes(node))) {
    jobs_.Add(node, reporter_.source(), reporter_.PlaceAt({}).file, nullptr);
    return;
  }
  if (JobDocuments::IsLost(node)) {
    jobs_.AddLost(node, reporter_.source(), reporter_.PlaceAt({}).file);
    return;
  }
  if (JobDocuments::WarnOfBound(node, reporter_)) return;
  if (kind->info->decode == DecodeJob) jobs_.AddOwner(node);
  if (kind->info->kind == kJobKind) return;  // read before all others
  if (kind->info->decode != nullptr) {
    ReadObject(document, *kind);
  } else if (kind->info->kind == "List") {
    ReadList(document);
  } else if (kind->info->kind == "Scenario") {
    ReadScenario(document);
  } else {
    out_.namespace_quotas.push_back(DecodeResourceQuota(document));
  }
  if (options_.fields != nullptr) {
    LogFields(node, std::string(kind->info->kind) + " ", known, options_.fields);
  }
}

bool Parser::IsSkipped(const YamlNode& node) {
  const YamlNode* kind = node.Find("kind");
  if (kind != nullptr && options_.ignore_kinds.contains(std::string(kind->text()))) return false;
  return passive_.Take(node, reporter_);
}

void Parser::NoteUnread(const YamlNode& node) {
  const YamlNode* metadata = node.Find("metadata");
  const YamlNode* name = metadata == nullptr ? nullptr : metadata->Find("name");
  const bool is_one = name != nullptr && !name->text().empty() && node.Find("items") == nullptr;
  if (is_one) out_.unread.insert(std::string(name->text()));
  out_.all_named = out_.all_named && is_one;
}

void Parser::ReadList(const Value& document) {
  Fields fields(document);
  fields.Accept({"apiVersion", "kind", "metadata"});
  const auto items = fields.Find("items");
  if (!items || !items->ExpectList()) return;
  for (const YamlNode* item : items->node().items()) ReadDocument(*item);
}

void Parser::ReadScenario(const Value& document) {
  const std::size_t errors = reporter_.errors();
  ScenarioText text =
      DecodeScenario(document, [this](const auto& jobs) { return ObjectsOf(jobs); });
  if (out_.scenario) {
    reporter_.Error(document.at(),
                    "there are two Scenarios, the first in " + PlaceText(out_.scenario->place),
                    "run them one by one");
  }
  if (reporter_.errors() > errors) return;
  scenario_source_ = reporter_.source();
  out_.scenario = std::move(text.scenario);
  uses_ = std::move(text.uses);
  submits_ = std::move(text.submits);
}

MadeObjects Parser::ObjectsOf(const std::vector<const YamlNode*>& jobs) {
  MadeObjects out;
  JobDocuments documents;
  Reporter part = reporter_.ForPart();
  Decoding decoding{part, options_};
  for (const YamlNode* written : jobs) {
    const YamlNode* const job = InItsQueue(*written, decoding);
    if (job == nullptr) continue;
    CheckPodMarks(*job, decoding);
    documents.Add(*job, reporter_.source(), reporter_.PlaceAt({}).file, nullptr);
  }
  for (const MadeDocument& made : documents.Make(options_, around_, part, index_->arena)) {
    Decoding of_one{part, options_};
    of_one.needs_no_queue = around_.manage_without_queue;
    const auto kind = FindKind(Value(*made.node, "document", of_one));
    if (!kind) continue;
    std::optional<Object> object = kind->info->decode(Value(*made.node, kind->info->kind, of_one));
    if (!object) continue;
    const JobOrigin origin = made.object.empty() ? OriginOf(*made.node) : made.origin;
    out.open.origins.emplace(KeyOf(*object), origin);
    out.open.names.push_back(part.PlaceAt(FindPlace(*made.node, "metadata.name")));
    out.objects.push_back(std::move(*object));
  }
  out.open.scaled = documents.TakeScaled();
  ReportOfStep(std::move(part), &out.open.diagnostics);
  return out;
}

void Parser::ReportOfStep(Reporter part, std::vector<Diagnostic>* open) {
  for (Diagnostic& each : part.Take()) {
    const Position at{each.place.line, each.place.column};
    if (!each.unless.empty() || each.cure == kGiveTheOthers) {
      open->push_back(std::move(each));
    } else if (each.severity == Severity::kError) {
      reporter_.Error(at, std::move(each.what), std::move(each.cure));
    } else {
      reporter_.Warning(at, std::move(each.what), std::move(each.cure));
    }
  }
}

void Parser::ReadObject(const Value& document, const DocumentKind& kind) {
  const std::size_t errors = reporter_.errors();
  std::optional<Object> object = kind.info->decode(document);
  if (object) Keep(*std::move(object), document.node(), kind, errors);
}

void Parser::Keep(Object object, const YamlNode& node, const DocumentKind& kind,
                  std::size_t errors) {
  const bool is_job = kind.info->decode == DecodeJob;
  if (is_job && reporter_.errors() == errors) {
    const JobOrigin origin = OriginOf(node);
    out_.origins.emplace(KeyOf(object), origin);
    const YamlNode& name = *node.Find("metadata")->Find("name");
    if (!IsNewJob(node, "Job " + Quoted(name.text()), KeyOf(object))) return;
  }
  if (!IsNew(object, node)) return;
  const Manifests::Index::Entry entry{&node, reporter_.PlaceAt({}).file,
                                      is_job         ? Spelling::kJob
                                      : kind.v1beta1 ? Spelling::kV1beta1
                                                     : Spelling::kSame};
  if (reporter_.errors() == errors) {
    index_->entries.push_back(entry);
    out_.objects.push_back(std::move(object));
    return;
  }
  if (KeyOf(object).name.empty() && !IsSingle(KindOf(object))) out_.all_named = false;
  index_->left_out.push_back(entry);
  out_.left_out.push_back(std::move(object));
}

bool Parser::IsNewJob(const YamlNode& made, const std::string& object, const Key& workload) {
  Key bare = workload;
  const auto origin = out_.origins.find(workload);
  if (origin != out_.origins.end() && !origin->second.name_without_uid.empty()) {
    bare.name = origin->second.name_without_uid;
  }
  const Position at = FindPlace(made, "metadata.name");
  const auto [first, is_new] =
      first_jobs_.try_emplace({object, bare}, FirstJob{workload, reporter_.PlaceAt(at)});
  // Of one name they are told apart as any two objects are.
  if (is_new || first->second.workload == workload) return true;
  reporter_.Error(at,
                  object + " is defined twice, first in " + PlaceText(first->second.place) +
                      ", with another metadata.uid or none",
                  "remove one of them, or rename it");
  return false;
}

bool Parser::IsNew(const Object& object, const YamlNode& node) {
  const Key key = KeyOf(object);
  if (key.name.empty()) return true;  // reported already
  const ObjectKind kind = KindOf(object);
  const bool is_single = IsSingle(kind);
  const Position at = FindPlace(node, is_single ? "kind" : "metadata.name");
  const auto [first, is_new] = first_.try_emplace({kind, key}, reporter_.PlaceAt(at));
  if (is_new) return true;
  std::string name(KindName(kind));
  if (!is_single) name.append(" ").append(Quoted(key.ns.empty() ? key.name : key.ToString()));
  reporter_.Error(at, name + " is defined twice, first in " + PlaceText(first->second),
                  is_single ? "merge them into one" : "remove one of them, or rename it");
  return false;
}

std::vector<Parser::Decoded> Parser::Decode(const std::vector<MadeDocument>& made) const {
  constexpr std::size_t kOfRun = 256;  // what a thread takes at a time
  std::vector<Decoded> decoded(made.size());
  BesideInRuns(made.size(), kOfRun, [&](std::size_t i) {
    if (made[i].object.empty()) return;  // it is no Workload, and read as any document
    Decoded& each = decoded[i];
    each.reporter.BeginSource(made[i].source, made[i].file);
    Decoding decoding{each.reporter, options_};
    each.kind = FindKind(Value(*made[i].node, "document", decoding));
    if (!each.kind) return;
    decoding.v1beta1 = each.kind->v1beta1;
    each.object = each.kind->info->decode(Value(*made[i].node, each.kind->info->kind, decoding));
  });
  return decoded;
}

/// Jobs may need what stands in later files.
void Parser::MakeWorkloads() {
  const std::size_t errors = reporter_.certain_errors();
  jobs_are_made_ = true;
  std::vector<MadeDocument> made = jobs_.Make(options_, around_, reporter_, index_->arena);
  out_.scaled = jobs_.TakeScaled();
  if (reporter_.certain_errors() > errors) out_.all_named = false;
  const bool logs_fields = options_.fields != nullptr;
  std::vector<Decoded> decoded;
  if (!logs_fields) decoded = Decode(made);
  out_.objects.reserve(out_.objects.size() + made.size());
  const MadeDocument* spoilt = nullptr;  // what is wrong in one replica is so in all
  for (std::size_t i = 0; i < made.size(); ++i) {
    MadeDocument& each = made[i];
    if (spoilt != nullptr && each.object == spoilt->object && each.source == spoilt->source &&
        each.workload.ns == spoilt->workload.ns) {
      out_.all_named = false;
      continue;
    }
    if (!each.object.empty()) out_.origins.emplace(each.workload, std::move(each.origin));
    reporter_.BeginSource(each.source, each.file);
    const bool is_workload = !each.object.empty();
    if (is_workload && !IsNewJob(*each.node, each.object, each.workload)) continue;
    const std::size_t before = reporter_.certain_errors();
    if (logs_fields || !decoded[i].kind) {
      ReadDocument(*each.node);
    } else {
      const std::size_t all_before = reporter_.errors();
      reporter_.Add(std::move(decoded[i].reporter));
      if (decoded[i].object) {
        Keep(*std::move(decoded[i].object), *each.node, *decoded[i].kind, all_before);
      }
    }
    if (is_workload && reporter_.certain_errors() > before) spoilt = &each;
  }
  declared_.ReportUnused(reporter_);
}

/// A misspelt key in a step would otherwise show only while the scenario runs. Silent when
/// something else is wrong: the workload may be among what was left out.
void Parser::CheckUses() {
  if (reporter_.errors() > 0 || !out_.scenario) return;
  std::vector<std::string> names;
  std::set<Key> known;
  const auto know = [&known](const std::vector<Object>& objects) {
    for (const Object& object : objects) {
      if (KindOf(object) == ObjectKind::kWorkload) known.insert(KeyOf(object));
    }
  };
  know(out_.objects);
  for (const Step& step : out_.scenario->steps) {
    for (const Command& each : step.commands) {
      if (const auto* apply = std::get_if<command::Apply>(&each)) know(apply->objects);
    }
  }
  for (const Key& key : known) names.push_back(key.ToString());
  const std::vector<std::string_view> views(names.begin(), names.end());
  reporter_.BeginSource(scenario_source_, out_.scenario->place.file);
  for (const KeyUse& use : uses_) {
    const std::string name = use.workload.ToString();
    const Key job{use.workload.ns, FirstSliceOf(use.workload.name)};
    if (known.contains(use.workload) || known.contains(job)) continue;
    reporter_.Error({use.place.line, use.place.column},
                    "there is no Workload " + Quoted(name) + " in these files",
                    views.empty() ? "add it" : ProposeName(name, views));
  }
}

/// What a step submits is known when all files are read.
void Parser::FillSubmits() {
  if (reporter_.errors() > 0 || !out_.scenario) return;
  std::map<Key, const Object*> workloads;
  for (const Object& object : out_.objects) {
    if (KindOf(object) == ObjectKind::kWorkload) workloads.emplace(KeyOf(object), &object);
  }
  for (const auto& [step, keys] : submits_) {
    if (keys.empty()) continue;
    command::Apply apply;
    apply.missing = MissingReference::kAsKueue;
    OpenJobs open;
    for (const Key& key : keys) {
      apply.objects.push_back(*workloads.at(key));
      const auto origin = out_.origins.find(key);
      if (origin != out_.origins.end()) open.origins.insert(*origin);
    }
    Step& of = out_.scenario->steps[step];
    of.jobs.emplace(of.commands.size(), std::move(open));
    of.commands.emplace_back(std::move(apply));
    out_.scenario->arrivals.insert(keys.begin(), keys.end());
  }
}

Manifests Parser::Finish() {
  MakeWorkloads();
  CheckUses();
  FillSubmits();
  passive_.Report(reporter_);
  out_.diagnostics = reporter_.Take();
  out_.index = std::move(index_);
  return std::move(out_);
}

}  // namespace

bool Manifests::HasErrors() const {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::kError) return true;
  }
  return false;
}

Manifests Parse(std::span<const Source> sources, const ParseOptions& options) {
  Parser parser(options);
  parser.ReadSources(sources);
  return parser.Finish();
}

}  // namespace muster::manifest
