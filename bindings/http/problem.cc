// See problem.h.
#include "bindings/http/problem.h"

#include <utility>

#include "engine/base/shown.h"

namespace muster::http {
namespace {

using lab::Json;

struct Meaning {
  int status;
  const char* code;
};

Meaning MeaningOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return {200, "Ok"};
    case StatusCode::kInvalidArgument:
      return {400, "InvalidArgument"};
    case StatusCode::kNotFound:
      return {404, "NotFound"};
    case StatusCode::kFailedPrecondition:
      return {409, "FailedPrecondition"};
    case StatusCode::kUnavailable:
      return {503, "Unavailable"};
    case StatusCode::kDataLoss:
      return {500, "DataLoss"};
    case StatusCode::kInternal:
      return {500, "Internal"};
  }
  return {500, "Internal"};
}

Json WhereJson(const Where& where) {
  if (where.in.empty()) return {};
  Json json = {{"in", where.in}};
  if (!where.name.empty()) json["name"] = where.name;
  if (where.line > 0) json["line"] = where.line;
  if (where.column > 0) json["column"] = where.column;
  if (!where.path.empty()) json["path"] = where.path;
  return json;
}

}  // namespace

Json RefusalJson(const Refusal& refusal) {
  return {{"code", refusal.code},
          {"message", CutUnbroken(refusal.message)},
          {"place", WhereJson(refusal.where)},
          {"cure", CutUnbroken(refusal.cure)}};
}

Response Refuse(const Refusal& refusal) { return Refuse(std::span(&refusal, 1)); }

Response Refuse(std::span<const Refusal> refusals) {
  Json json = RefusalJson(refusals.front());
  if (refusals.size() > 1) {
    Json list = Json::array();
    for (const Refusal& each : refusals) {
      Json mistake = RefusalJson(each);
      mistake.erase("code");
      list.push_back(std::move(mistake));
    }
    json["mistakes"] = std::move(list);
  }
  return JsonResponse(json, refusals.front().status);
}

Refusal RefusalOf(const Status& status) {
  const Meaning meaning = MeaningOf(status.code());
  Refusal refusal{meaning.status, meaning.code, status.message()};
  if (!status.problems().empty()) refusal.cure = status.problems().front().cure;
  return refusal;
}

Refusal RefusalOf(const wire::Mistake& mistake) {
  return {400,
          "InvalidArgument",
          mistake.what,
          mistake.cure,
          {"body", "", mistake.path, mistake.line, mistake.column}};
}

Refusal RefusalOf(const manifest::Diagnostic& diagnostic) {
  return {400,
          "InvalidArgument",
          diagnostic.what,
          diagnostic.cure,
          {"body", "", "", diagnostic.place.line, diagnostic.place.column}};
}

Response TooMuch(std::string message, std::size_t seconds) {
  const std::string when = std::to_string(seconds);
  Response response =
      Refuse(Refusal{429, "ResourceExhausted", std::move(message),
                     "come back in " + (seconds == 1 ? "a second" : when + " seconds")});
  response.fields.emplace_back("Retry-After", when);
  return response;
}

Response Stopping() {
  Response response =
      Refuse(Refusal{503, "Unavailable", "the service is stopping; nothing was done", "try again"});
  response.fields.emplace_back("Retry-After", "1");
  return response;
}

Response JsonResponse(const Json& json, int status) {
  return {status, "application/json", lab::JsonText(json) + "\n"};
}

}  // namespace muster::http
