// What the command line says of the ledger: verbs that read more than the engine has, its history.
// They run aside, on the ledger as it is on disk, so that no decision waits for them.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/http/checks.h"
#include "bindings/http/problem.h"
#include "bindings/http/service.h"
#include "engine/base/caught.h"

namespace muster::http {
namespace {

/// What stands behind "muster: " of the last line.
std::string LastWords(std::string err) {
  while (err.ends_with('\n')) err.pop_back();
  const std::size_t line = err.rfind('\n');
  if (line != std::string::npos) err.erase(0, line + 1);
  constexpr std::string_view kBegin = "muster: ";
  return err.starts_with(kBegin) ? err.substr(kBegin.size()) : err;
}

Response ResponseOf(const Said& said, bool json) {
  switch (said.code) {
    case 0:
      return {200, json ? "application/json" : "text/plain; charset=utf-8", said.out};
    case 1:
      return Refuse(Refusal{400, "InvalidArgument", LastWords(said.err), "", {"query"}});
    case 2:
      return Refuse(Refusal{404, "NotFound", LastWords(said.err), "", {"query"}});
    default:
      return Refuse(Refusal{503, "Unavailable", LastWords(said.err), "", {}});
  }
}

}  // namespace

/// Each parameter of the request becomes an option of that name, in one word, so that its value is
/// never taken for another option.
Verdict Service::Say(const Request& request, std::vector<std::string> words) {
  if (!request.caller.SeesAll()) {
    return Refuse(Refusal{403,
                          "PermissionDenied",
                          "token " + request.caller.name + " does not see the ledger",
                          "it is about more than it is of; use a viewer's of everything",
                          {}});
  }
  words.push_back("--db=" + db_);
  for (const auto& [name, value] : request.target.query) {
    if (name != "kind" && name != "name") words.push_back("--" + name + "=" + value);
  }
  const bool json = request.target.Query("output") == "json";
  return Take(request.head, 0, [this, words, json](const std::string&, const Reply& reply) {
    around_.aside->Do([this, words, json, reply] {
      const Result<Said> said = Guarded([&]() -> Result<Said> { return views_.say(words); });
      around_.post([reply, response = said.ok()
                                          ? ResponseOf(*said, json)
                                          : Refuse(RefusalOf(said.status()))] { reply(response); });
    });
  });
}

Verdict Service::Usage(const Request& request) { return Say(request, {"usage"}); }

Verdict Service::PolicyList(const Request& request) { return Say(request, {"policy", "list"}); }

Verdict Service::Describe(const Request& request) {
  std::vector<std::string> words = {"describe"};
  for (const char* name : {"kind", "name"}) {
    const std::string value(request.target.Query(name));
    if (value.empty() || value.starts_with('-')) {
      return Refuse(BadQuery(name, std::string(name) + " is that of an object",
                             "write kind=workloads&name=NAMESPACE/NAME"));
    }
    words.push_back(value);
  }
  return Say(request, std::move(words));
}

}  // namespace muster::http
