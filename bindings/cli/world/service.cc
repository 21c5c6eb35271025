// A refusal of the service is told as the same mistake of a ledger would be: place, what, cure.
#include "bindings/cli/world/service.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>

#include "bindings/cli/world/report.h"
#include "bindings/lab/json.h"
#include "bindings/lab/near_names.h"
#include "bindings/manifest/slices.h"
#include "bindings/stop/queue_stop.h"
#include "bindings/wire/wire.h"

namespace muster::cli {
namespace {

using remote::ParsedReply;
using remote::PhaseShown;
using remote::RefusalSentence;
using remote::SourcesJoined;
using remote::TextOf;
using remote::ToldDiagnostics;

constexpr int kOk = 200;
constexpr int kNotFound = 404;
constexpr int kTooMuch = 429;
constexpr int kServersFault = 500;

/// The service says no, or may do it later.
ExitCode CodeOfReply(int status) {
  return status == kTooMuch || status >= kServersFault ? kRefused : kNo;
}

/// The reason of its Evicted condition.
std::string_view WhyEvicted(const Workload& workload) {
  for (const Condition& condition : workload.status.conditions) {
    if (condition.type == "Evicted" && condition.status) return condition.reason.view();
  }
  return "";
}

}  // namespace

int FailReply(const remote::Reply& reply, Io& io, std::string_view consequence,
              remote::Author author) {
  const Json refusal = ParsedReply(reply.body);
  if (!refusal.is_object() || TextOf(refusal, "message").empty()) {
    return io.Fail(kRefused, "the service answers " + std::to_string(reply.status) +
                                 ", and not as muster serve does");
  }
  const Json mistakes = refusal.value("mistakes", Json::array());
  for (std::size_t i = 1; i < mistakes.size(); ++i) {
    io.err << RefusalSentence(mistakes[i], author) << '\n';
  }
  const ExitCode code = CodeOfReply(reply.status);
  std::string sentence = RefusalSentence(refusal, author);
  if (code == kNo && !consequence.empty()) sentence.append("; ").append(consequence);
  return io.Fail(code, sentence);
}

int Service::Ask(const remote::Request& request, Io& io, remote::Reply* reply) const {
  Result<remote::Reply> answer = client_.Ask(request);
  if (!answer.ok()) return io.Fail(kRefused, answer.status().message());
  *reply = *std::move(answer);
  return kDone;
}

int Service::Get(const std::string& target, Io& io, std::string* body) const {
  remote::Reply reply;
  if (const int code = Ask({"GET", target}, io, &reply); code != kDone) return code;
  if (reply.status != kOk) return FailReply(reply, io);
  *body = std::move(reply.body);
  return kDone;
}

int Service::Find(const std::string& target, Io& io, std::string* body, bool* found) const {
  remote::Reply reply;
  if (const int code = Ask({"GET", target}, io, &reply); code != kDone) return code;
  *found = reply.status == kOk;
  if (!*found && reply.status != kNotFound) return FailReply(reply, io);
  *body = std::move(reply.body);
  return kDone;
}

int Service::Ask(const std::string& target, const std::vector<muster::Command>& commands, Io& io,
                 std::string* body) const {
  std::string text;
  for (const muster::Command& command : commands) {
    const Result<std::string> json = wire::ToJson(command);
    if (!json.ok()) return io.Fail(kNo, json.status().message());
    text += (text.empty() ? "[" : ",") + *json;
  }
  return PostText(target, text + "]", io, body);
}

int Service::PostText(const std::string& target, const std::string& json, Io& io,
                      std::string* body) const {
  remote::Reply reply;
  const int code = Ask({"POST", target, "application/json", json}, io, &reply);
  if (code != kDone) return code;
  if (reply.status != kOk) return FailReply(reply, io);
  *body = std::move(reply.body);
  return kDone;
}

int Service::Do(const std::vector<muster::Command>& commands, Io& io,
                std::vector<muster::Answer>* answers) const {
  std::string body;
  if (const int code = Ask("/v1/commands", commands, io, &body); code != kDone) return code;
  const Json list = ParsedReply(body);
  for (const Json& each : list) {
    Result<muster::Answer> answer = wire::AnswerFromJson(each.dump());
    if (!answer.ok()) return io.Fail(kRefused, "the service answers " + each.dump());
    answers->push_back(*std::move(answer));
  }
  if (answers->size() == commands.size()) return kDone;
  return io.Fail(kRefused, "the service answers not as muster serve does");
}

int Service::DoUnlessGone(const muster::Command& command, Io& io, bool* gone) const {
  const Result<std::string> json = wire::ToJson(command);
  if (!json.ok()) return io.Fail(kNo, json.status().message());
  remote::Reply reply;
  const int code = Ask({"POST", "/v1/commands", "application/json", *json}, io, &reply);
  if (code != kDone) return code;
  *gone = reply.status == kNotFound;
  return reply.status == kOk || *gone ? int{kDone} : FailReply(reply, io);
}

Result<Service> Service::Only(const std::string& url) const {
  Result<remote::Client> client = client_.Only(url);
  if (!client.ok()) return client.status();
  return Service(*std::move(client));
}

int Service::Do(const std::string& json, Io& io) const {
  remote::Reply reply;
  const int code = Ask({"POST", "/v1/commands", "application/json", json}, io, &reply);
  if (code != kDone) return code;
  const Json told = ParsedReply(reply.body);
  const bool done = reply.status == kOk;
  Json answers = told;
  if (!done) answers = told.is_object() ? told.value("answers", Json::array()) : Json::array();
  if (done && told.is_object()) answers = Json::array({told});
  for (const Json& each : answers) {
    const Result<muster::Answer> answer = wire::AnswerFromJson(each.dump());
    if (!answer.ok()) return io.Fail(kRefused, "the service answers " + each.dump());
    io.out << wire::ToJson(*answer) << '\n';
  }
  if (done) return kDone;
  const Json place = told.is_object() ? told.value("place", Json()) : Json();
  if (place.is_object() && place.value("line", 0) > 0) {
    io.err << "line " << place.value("line", 0) << ", column " << place.value("column", 0) << ":\n";
  }
  return FailReply(reply, io, "", remote::Author::kUser);
}

int Service::Send(const std::string& verb, std::span<const manifest::Source> sources,
                  std::string_view consequence, Io& io, Json* answer) const {
  const SourcesJoined joined = remote::JoinSources(sources);
  remote::Reply reply;
  const int code = Ask({"POST", "/v1/" + verb, "application/yaml", joined.body}, io, &reply);
  if (code != kDone) return code;
  Json told = ParsedReply(reply.body);
  if (reply.status == kOk && told.is_object() && told.contains("objects")) {
    *answer = std::move(told);
    return Report(ToldDiagnostics(answer->value("warnings", Json::array()),
                                  manifest::Severity::kWarning, sources, joined.lines),
                  sources, "", io);
  }
  const Json place = told.is_object() ? told.value("place", Json()) : Json();
  if (!place.is_object() || place.value("in", "") != "body") {
    return FailReply(reply, io, consequence);
  }
  const Json mistakes = told.value("mistakes", Json::array({told}));
  return Report(ToldDiagnostics(mistakes, manifest::Severity::kError, sources, joined.lines),
                sources, consequence, io);
}

int Service::Post(const std::string& target, std::span<const manifest::Source> sources, Io& io,
                  std::string* answer, bool* found) const {
  remote::Reply reply;
  const std::string body = remote::JoinSources(sources).body;
  const int code = Ask({"POST", target, "application/yaml", body}, io, &reply);
  if (code != kDone) return code;
  *found = reply.status == kOk;
  if (!*found && reply.status != kNotFound) return FailReply(reply, io);
  *answer = std::move(reply.body);
  return kDone;
}

int Service::Post(const std::string& target, std::span<const manifest::Source> sources, Io& io,
                  Json* answer, bool* found) const {
  std::string text;
  const int code = Post(target, sources, io, &text, found);
  if (code == kDone) *answer = ParsedReply(text);
  return code;
}

int Service::FindNamed(const Key& key, Io& io, std::optional<Workload>* workload) const {
  manifest::Source shown{"the service", ""};
  bool found = false;
  const std::string target = remote::Target({"v1", "workloads", key.ns, key.name});
  if (const int code = Find(target, io, &shown.text, &found); code != kDone) return code;
  if (!found) return kDone;
  manifest::Manifests read = manifest::Parse(std::span(&shown, 1), {});
  if (read.objects.size() != 1 || !std::holds_alternative<Workload>(read.objects.front())) {
    return io.Fail(kRefused, "the service shows no workload as " + target);
  }
  *workload = std::get<Workload>(std::move(read.objects.front()));
  return kDone;
}

int Service::FindWorkload(const Key& key, Io& io, WorkloadView* workload) const {
  for (const std::string& name : {key.name, "job-" + key.name}) {
    std::optional<Workload> found;
    if (const int code = FindNamed({key.ns, name}, io, &found); code != kDone) return code;
    if (!found) continue;
    workload->spec = *std::move(found);
    workload->phase = PhaseShown(workload->spec);
    return kDone;
  }
  return io.Fail(kNo,
                 lab::UnknownWorkload(Names("workloads", io), key, "muster get wl lists them"));
}

int Service::FindSlices(const Key& key, bool whole_job, Io& io,
                        std::vector<WorkloadView>* slices) const {
  WorkloadView named;
  if (const int code = FindWorkload(key, io, &named); code != kDone) return code;
  slices->assign(1, named);
  if (!manifest::IsElastic(named)) return kDone;
  std::vector<WorkloadView> all;
  const int code = Workloads({{"namespace", named.spec.key.ns}}, io, &all);
  if (code != kDone) return code;
  *slices = manifest::SlicesMeant(manifest::SlicesAmong(std::move(all), named.spec.key), whole_job);
  return kDone;
}

int Service::List(const std::string& kind, Query query, Io& io,
                  std::vector<Object>* objects) const {
  manifest::Source shown{"the service", ""};
  query.emplace_back("output", "json");
  const int code = Get(remote::Target({"v1", kind}, query), io, &shown.text);
  if (code == kDone) *objects = manifest::Parse(std::span(&shown, 1), {}).objects;
  return code;
}

std::set<Key> Service::Names(const std::string& kind, const Io& io) const {
  std::ostringstream why;
  Io quiet{io.in, io.out, why, Paint(), Paint()};
  std::vector<Object> objects;
  List(kind, {}, quiet, &objects);
  std::set<Key> keys;
  for (const Object& object : objects) keys.insert(KeyOf(object));
  return keys;
}

int Service::Workloads(const Query& query, Io& io, std::vector<WorkloadView>* workloads) const {
  std::vector<Object> objects;
  const int code = List("workloads", query, io, &objects);
  for (Object& object : objects) {
    if (!std::holds_alternative<Workload>(object)) continue;
    WorkloadView& view = workloads->emplace_back();
    view.spec = std::get<Workload>(std::move(object));
    view.phase = PhaseShown(view.spec);
  }
  return code;
}

int Service::PostJson(const std::string& target, const Json& json, Io& io, Json* answer) const {
  std::string body;
  if (const int code = PostText(target, json.dump(), io, &body); code != kDone) return code;
  *answer = ParsedReply(body);
  return answer->is_object() ? int{kDone}
                             : io.Fail(kRefused, "the service answers not as muster serve does");
}

int Service::FindQueue(const Key& key, Io& io, Object* queue) const {
  manifest::Source shown{"the service", ""};
  bool found = false;
  const bool local = !key.ns.empty();
  const std::string kind = local ? "LocalQueue" : "ClusterQueue";
  const std::string target = local ? remote::Target({"v1", "localqueues", key.ns, key.name})
                                   : remote::Target({"v1", "clusterqueues", key.name});
  if (const int code = Find(target, io, &shown.text, &found); code != kDone) return code;
  if (!found) {
    return io.Fail(
        kNo, lab::UnknownObject(Names(local ? "localqueues" : "clusterqueues", io),
                                local ? ObjectKind::kLocalQueue : ObjectKind::kClusterQueue, key,
                                stop::UnlistedQueue(key)));
  }
  manifest::Manifests read = manifest::Parse(std::span(&shown, 1), {});
  if (read.objects.size() != 1 || KindName(KindOf(read.objects.front())) != kind) {
    return io.Fail(kRefused, "the service shows no " + kind + " as " + target);
  }
  *queue = std::move(read.objects.front());
  return kDone;
}

int Service::Evicting(Io& io, std::vector<Key>* keys) const {
  std::vector<WorkloadView> workloads;
  const int code = Workloads({{"state", "evicting"}}, io, &workloads);
  for (const WorkloadView& workload : workloads) keys->push_back(workload.spec.key);
  return code;
}

int Service::DoEvicting(const std::vector<muster::Command>& commands,
                        const std::vector<Key>& before, const IsTheirs& is_theirs, Io& io,
                        std::vector<muster::Answer>* answers, std::vector<Key>* leaving) const {
  if (const int code = Do(commands, io, answers); code != kDone || !is_theirs) return code;
  FindLeaving(before, is_theirs, io, leaving);
  return kDone;
}

void Service::FindLeaving(const std::vector<Key>& before, const IsTheirs& is_theirs, Io& io,
                          std::vector<Key>* leaving) const {
  std::ostringstream why;
  Io quiet{io.in, io.out, why, Paint(), Paint()};
  std::vector<WorkloadView> evicting;
  if (Workloads({{"state", "evicting"}}, quiet, &evicting) != kDone) {
    io.Warn(
        "this is done, but what has to leave cannot be listed now; later muster get wl --state "
        "evicting does");
  }
  for (const WorkloadView& workload : evicting) {
    const Key& key = workload.spec.key;
    if (std::find(before.begin(), before.end(), key) != before.end()) continue;
    if (is_theirs(workload, WhyEvicted(workload.spec))) leaving->push_back(key);
  }
}

}  // namespace muster::cli
