#include "bindings/upkeep/export.h"

#include "engine/base/time_text.h"
#include "engine/codec/json_writer.h"

namespace muster {
namespace {

std::string CsvLine(std::initializer_list<std::string_view> fields) {
  std::string line;
  const char* separator = "";
  for (const std::string_view field : fields) {
    line += separator + CsvField(field);
    separator = ",";
  }
  return line + '\n';
}

}  // namespace

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string EventsAsJson(const CommitRecord& commit) {
  std::string lines;
  std::int64_t seq = commit.first_event;
  for (const Event& event : commit.events) {
    JsonWriter json;
    json.BeginObject().Field("seq", seq++).Field("commit", commit.seq);
    json.Field("time", FormatTime(commit.at)).Field("cycle", commit.cycle);
    json.Field("command", commit.command).Field("kind", EventName(event.kind));
    json.Field("subject", event.subject).Field("policy", event.policy_hash);
    if (!commit.caller().empty()) json.Field("caller", commit.caller());
    json.Key("payload").Written(event.payload);
    json.EndObject();
    lines += json.Take() + '\n';
  }
  return lines;
}

std::string CommitAsJson(const CommitRecord& commit) {
  JsonWriter json;
  json.BeginObject().Field("seq", commit.seq).Field("time", FormatTime(commit.at));
  json.Field("cycle", commit.cycle).Field("command", commit.command);
  if (!commit.caller().empty()) json.Field("caller", commit.caller());
  json.Field("engine", commit.engine_version);
  json.Field("firstEvent", commit.first_event);
  json.Field("events", static_cast<std::int64_t>(commit.events.size()));
  json.Key("policies").BeginArray();
  for (const PolicyUse& use : commit.policies) {
    json.BeginObject().Field("hash", use.hash).Field("calls", use.calls).Field("fuel", use.fuel);
    json.EndObject();
  }
  json.EndArray().EndObject();
  return json.Take() + '\n';
}

std::string_view EventsCsvHeader() {
  return "seq,commit,time,cycle,command,kind,subject,policy,payload,caller\n";
}

std::string EventsAsCsv(const CommitRecord& commit) {
  std::string lines;
  std::int64_t seq = commit.first_event;
  for (const Event& event : commit.events) {
    lines += CsvLine({std::to_string(seq++), std::to_string(commit.seq), FormatTime(commit.at),
                      std::to_string(commit.cycle), commit.command, EventName(event.kind),
                      event.subject, event.policy_hash, event.payload, commit.caller()});
  }
  return lines;
}

std::string_view CommitsCsvHeader() {
  return "seq,time,cycle,command,engine,first_event,events,policy_calls,policy_fuel,caller\n";
}

std::string CommitAsCsv(const CommitRecord& commit) {
  std::int64_t calls = 0;
  std::int64_t fuel = 0;
  for (const PolicyUse& use : commit.policies) {
    calls += use.calls;
    fuel += use.fuel;
  }
  return CsvLine({std::to_string(commit.seq), FormatTime(commit.at), std::to_string(commit.cycle),
                  commit.command, commit.engine_version, std::to_string(commit.first_event),
                  std::to_string(commit.events.size()), std::to_string(calls), std::to_string(fuel),
                  commit.caller()});
}

}  // namespace muster
