// See writes.h.
#include "bindings/http/writes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "bindings/cpp/stored_policies.h"
#include "bindings/http/problem.h"
#include "bindings/http/target.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/door.h"
#include "bindings/lab/json.h"
#include "bindings/lab/lint/lint.h"
#include "bindings/manifest/named_by_uid.h"
#include "bindings/wire/wire.h"
#include "engine/base/utf8.h"
#include "engine/model/names.h"

namespace muster::http {
namespace {

using lab::Json;
using manifest::Diagnostic;
using manifest::Severity;

constexpr const char* kBody = "body";

/// A refusal with every error among `found`; nullopt when there is none.
std::optional<Response> RefuseErrors(const std::vector<Diagnostic>& found) {
  std::vector<Refusal> refusals;
  for (const Diagnostic& each : found) {
    if (each.severity == Severity::kError) refusals.push_back(RefusalOf(each));
  }
  if (refusals.empty()) return std::nullopt;
  return Refuse(refusals);
}

/// Without those that only the engine can confirm.
std::vector<Diagnostic> Certain(std::vector<Diagnostic> found) {
  std::erase_if(found, [](const Diagnostic& each) { return !each.unless.empty(); });
  return found;
}

/// What neither an apply nor a submit takes.
std::vector<Diagnostic> Foreign(const manifest::Manifests& manifests, Sent sent) {
  std::vector<Diagnostic> foreign;
  const auto add = [&](const manifest::Place& place, std::string what, std::string cure) {
    foreign.push_back({Severity::kError, place, std::move(what), std::move(cure)});
  };
  if (manifests.scenario) {
    add(manifests.scenario->place, "a Scenario is played, not sent", "use muster schedule -f");
  }
  if (!manifests.namespace_quotas.empty()) {
    add(manifests.namespace_quotas.front().place, "ResourceQuotas are not stored",
        "leave them out; muster validate looks at them");
  }
  if (sent == Sent::kApply) return foreign;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    if (std::holds_alternative<Workload>(manifests.objects[i])) continue;
    add(manifests.PlaceOf(i, "kind"),
        "a " + std::string(KindName(KindOf(manifests.objects[i]))) + " cannot be submitted",
        "use muster apply, or POST /v1/apply");
  }
  return foreign;
}

Json OutcomesJson(const std::vector<Object>& objects, const std::vector<Applied>& applied,
                  const std::vector<PolicyFailure>& failures) {
  std::map<Key, const PolicyFailure*> failed;
  for (const PolicyFailure& each : failures) failed[each.workload] = &each;
  Json list = Json::array();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Key key = KeyOf(objects[i]);
    Json json = {{"kind", KindName(KindOf(objects[i]))},
                 {"name", key.ns.empty() ? key.name : key.ToString()},
                 {"result", EnumName(applied[i])}};
    const auto failure =
        std::holds_alternative<Workload>(objects[i]) ? failed.find(key) : failed.end();
    if (failure != failed.end()) {
      json["policyFailure"] = {{"policy", failure->second->policy},
                               {"hook", failure->second->hook},
                               {"clusterQueue", failure->second->cluster_queue},
                               {"message", failure->second->message},
                               {"instead", "queued as submitted"}};
    }
    list.push_back(std::move(json));
  }
  return list;
}

/// What JsonText makes of these outcomes and no warnings: most submits have nothing else to tell,
/// and a document would be built for each. Empty: a name needs an escape.
std::string PlainOutcomes(const std::vector<Object>& objects, const std::vector<Applied>& applied) {
  std::string text = "{\n  \"objects\": [\n";
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Key key = KeyOf(objects[i]);
    const std::string name = key.ns.empty() ? key.name : key.ToString();
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
      return c >= ' ' && c <= '~' && c != '"' && c != '\\';
    });
    if (!plain) return "";
    text += i == 0 ? "    {\n      \"kind\": \"" : ",\n    {\n      \"kind\": \"";
    text += KindName(KindOf(objects[i]));
    text += "\",\n      \"name\": \"";
    text += name;
    text += "\",\n      \"result\": \"";
    text += EnumName(applied[i]);
    text += "\"\n    }";
  }
  text += "\n  ],\n  \"warnings\": []\n}\n";
  return text;
}

bool AreJobs(const manifest::Manifests& manifests) {
  return std::all_of(manifests.objects.begin(), manifests.objects.end(),
                     [](const Object& object) { return std::holds_alternative<Workload>(object); });
}

void Add(std::vector<Diagnostic> more, std::vector<Diagnostic>* found) {
  std::move(more.begin(), more.end(), std::back_inserter(*found));
}

Json WarningsJson(const std::vector<Diagnostic>& found) {
  Json list = Json::array();
  for (const Diagnostic& each : found) {
    if (each.severity != Severity::kWarning) continue;
    Json json = RefusalJson(RefusalOf(each));
    json.erase("code");
    list.push_back(std::move(json));
  }
  return list;
}

/// The answers so far as the elements of a list.
std::string Joined(const std::vector<std::string>& answers) {
  std::string text;
  for (const std::string& answer : answers) text += (text.empty() ? "" : ",\n") + answer;
  return text;
}

/// What else helps where the state refuses a command.
std::string CureOf(const Command& command, const Status& status) {
  const bool used = status.code() == StatusCode::kFailedPrecondition;
  if (!used || !std::holds_alternative<command::Delete>(command)) return "";
  return "delete that first, or force it (\"force\": true in JSON, or add --force)";
}

}  // namespace

Response NotUtf8() {
  return Refuse(
      Refusal{400, "InvalidArgument", "the body is not UTF-8", "encode it in UTF-8", {kBody}});
}

bool SentCommands::NeedsLedger() const {
  return std::any_of(commands.begin(), commands.end(), [](const Command& command) {
    return std::holds_alternative<command::ActivatePolicy>(command) ||
           std::holds_alternative<command::RollBackPolicy>(command);
  });
}

std::variant<manifest::Manifests, Response> ReadManifests(std::string body, Sent sent) {
  if (!IsUtf8(body)) return NotUtf8();
  const manifest::Source source{kBody, std::move(body)};
  manifest::ParseOptions options;
  options.refuse_unread = true;
  manifest::Manifests manifests = manifest::Parse(std::span(&source, 1), options);
  if (manifests.again == nullptr || manifests.again->without_queue.empty()) {
    if (auto refused = RefuseErrors(Certain(manifests.diagnostics))) return *std::move(refused);
  }
  if (auto refused = RefuseErrors(Foreign(manifests, sent))) return *std::move(refused);
  const bool says_something = !manifests.objects.empty() || !manifests.scaled.empty();
  if (says_something || manifests.HasErrors()) return manifests;
  return Refuse(Refusal{400,
                        "InvalidArgument",
                        "there is no object in the body",
                        "send Kueue's YAML or JSON, several documents or a List",
                        {kBody}});
}

Response ApplyManifests(Engine& engine, manifest::Manifests& manifests, Sent sent, TimeNs now,
                        bool dry_run, manifest::NamesByUid* names) {
  const lab::References references =
      sent == Sent::kSubmit ? lab::References::kMustBeStored : lab::References::kMustExist;
  manifest::NamesByUid asked;
  manifest::Settle(engine, &manifests, names == nullptr ? &asked : names);
  // Read again it may be found to have more.
  if (auto refused = RefuseErrors(Foreign(manifests, sent))) return *std::move(refused);
  std::vector<Diagnostic> found = lab::Diagnose(manifests, references, engine);
  if (auto refused = RefuseErrors(found)) return *std::move(refused);
  // A job's names are those of its LocalQueue, which is there; all others would be read for
  // nothing.
  if (!AreJobs(manifests)) Add(lab::LintBeforeApply(manifests, engine), &found);
  std::vector<Applied> applied;
  std::vector<PolicyFailure> failures;
  std::vector<Warning> warnings;
  const Status status = engine.Apply(manifests.objects, now, MissingReference::kRefuse, &applied,
                                     Submission::kAsk, &failures, &warnings);
  if (!status.problems().empty()) {
    return *RefuseErrors(manifest::Locate(manifests, status.problems()));
  }
  if (!status.ok()) return Refuse(RefusalOf(status));
  const Status followed = manifest::Follow(&engine, manifests, now, &applied);
  if (!followed.ok()) return Refuse(RefusalOf(followed));
  if (names != nullptr) names->Note(manifests.objects);
  Add(lab::LintApplied(manifests, engine), &found);
  if (sent == Sent::kSubmit) Add(lab::LintEnded(manifests, engine, warnings), &found);
  Add(lab::Located(manifests, warnings), &found);
  Json told = WarningsJson(found);
  if (told.empty() && failures.empty() && !manifests.objects.empty() && !dry_run) {
    Response response;
    response.body = PlainOutcomes(manifests.objects, applied);
    if (!response.body.empty()) return response;
  }
  Json json = {{"objects", OutcomesJson(manifests.objects, applied, failures)},
               {"warnings", std::move(told)}};
  if (dry_run) json["dryRun"] = true;
  return JsonResponse(json);
}

Result<std::shared_ptr<Policy>> PolicyForCommand(const StoredHistory& ledger,
                                                 std::string_view hash) {
  const auto find = [&ledger](std::string_view h) { return ledger.LoadPolicy(h); };
  return LoadNamedPolicy(find, hash);
}

std::variant<SentCommands, Response> ReadCommands(std::string body) {
  if (!IsUtf8(body)) return NotUtf8();
  SentCommands sent;
  std::vector<wire::Mistake> mistakes;
  Result<std::vector<Command>> read = wire::CommandsFromJson(body, &mistakes);
  if (!read.ok()) {
    std::vector<Refusal> refusals;
    for (const wire::Mistake& mistake : mistakes) refusals.push_back(RefusalOf(mistake));
    if (refusals.empty()) refusals.push_back(RefusalOf(read.status()));
    return Refuse(refusals);
  }
  sent.commands = *std::move(read);
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  sent.list = first != std::string::npos && body[first] == '[';
  sent.text = std::move(body);
  return sent;
}

Response RefuseCommand(const SentCommands& sent, std::size_t index, const Status& status,
                       const std::vector<std::string>& answers) {
  std::vector<Refusal> refusals;
  for (const Problem& problem : status.problems()) {
    if (refusals.size() == wire::kMaxMistakes) break;
    refusals.push_back(RefusalOf(wire::Locate(sent.text, index, &problem)));
  }
  if (refusals.empty()) {
    const wire::Mistake place = wire::Locate(sent.text, index);
    refusals.push_back(RefusalOf(status));
    refusals.front().cure = CureOf(sent.commands[index], status);
    refusals.front().where = {kBody, "", place.path, place.line, place.column};
  }
  Response response = Refuse(refusals);
  response.status = RefusalOf(status).status;
  if (!sent.list) return response;
  Json json = Json::parse(response.body);
  json["code"] = RefusalOf(status).code;
  json["refused"] = index;
  json["answers"] = Json::parse("[" + Joined(answers) + "]");
  response.body = lab::JsonText(json) + "\n";
  return response;
}

Result<Answer> DoNoted(Engine& engine, const Command& command, TimeNs now,
                       metrics::Metrics* metrics) {
  const std::vector<std::string> queues = metrics->QueuesOf(command, engine);
  Result<Answer> answer = engine.Do(command, now);
  if (answer.ok()) metrics->NoteDone(command, *answer, queues);
  return answer;
}

Response CarryOut(Engine& engine, const SentCommands& sent, TimeNs now, metrics::Metrics* metrics) {
  std::vector<std::string> answers;
  for (std::size_t i = 0; i < sent.commands.size(); ++i) {
    const Command& command = sent.commands[i];
    if (const Status may = lab::CheckAtDoor(engine, command); !may.ok()) {
      return RefuseCommand(sent, i, may, answers);
    }
    const Result<Answer> answer = DoNoted(engine, command, now, metrics);
    if (!answer.ok()) return RefuseCommand(sent, i, answer.status(), answers);
    answers.push_back(wire::ToJson(*answer));
  }
  Response response;
  response.body = sent.list ? "[" + Joined(answers) + "]\n" : Joined(answers) + "\n";
  return response;
}

}  // namespace muster::http
