// What is told when a request is refused: {code, message, place, cure} in JSON.
//
// `code` is for programs, one of the words below; `message` and `cure` are for people. `place` says
// where: in the body ("line", "column", "path"), or in which parameter or field of the request. A
// body with several mistakes has all of them under `mistakes`, the first one also on top.
#ifndef MUSTER_BINDINGS_HTTP_PROBLEM_H_
#define MUSTER_BINDINGS_HTTP_PROBLEM_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/http/message.h"
#include "bindings/lab/json.h"
#include "bindings/manifest/manifest.h"
#include "bindings/wire/wire.h"
#include "muster/status.h"

namespace muster::http {

/// Where something is wrong; empty parts are left out.
struct Where {
  std::string in = {};    ///< "body", "path", "query", "header"
  std::string name = {};  ///< of the parameter or field
  std::string path = {};  ///< in the body: "[3].workloads[0].name"
  int line = 0;
  int column = 0;
};

struct Refusal {
  int status = 400;
  std::string code;
  std::string message;
  std::string cure = {};
  Where where = {};
};

lab::Json RefusalJson(const Refusal& refusal);
Response Refuse(const Refusal& refusal);
/// The same for each of them, which has one at least; the first says code and status.
Response Refuse(std::span<const Refusal> refusals);

/// What a Status of the engine is over HTTP.
Refusal RefusalOf(const Status& status);
Refusal RefusalOf(const wire::Mistake& mistake);
Refusal RefusalOf(const manifest::Diagnostic& diagnostic);

/// 429: come back in so many seconds.
Response TooMuch(std::string message, std::size_t seconds = 1);
/// 503, for what was not begun.
Response Stopping();

Response JsonResponse(const lab::Json& json, int status = 200);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_PROBLEM_H_
