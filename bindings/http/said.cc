// See said.h.
#include "bindings/http/said.h"

#include <utility>

#include "bindings/http/problem.h"

namespace muster::http {

std::string LastWords(std::string err) {
  while (err.ends_with('\n')) err.pop_back();
  const std::size_t line = err.rfind('\n');
  if (line != std::string::npos) err.erase(0, line + 1);
  constexpr std::string_view kBegin = "muster: ";
  return err.starts_with(kBegin) ? err.substr(kBegin.size()) : err;
}

Response ResponseOf(const Said& said, std::string_view media) {
  switch (said.code) {
    case 0:
      return {200, std::string(media), said.out};
    case 1:
      return Refuse(Refusal{400, "InvalidArgument", LastWords(said.err), "", {"query"}});
    case 2:
      return Refuse(Refusal{404, "NotFound", LastWords(said.err), "", {"query"}});
    default:
      return Refuse(Refusal{503, "Unavailable", LastWords(said.err), "", {}});
  }
}

std::optional<Response> NeedsToSeeAll(const Caller& caller) {
  if (caller.SeesAll()) return std::nullopt;
  return Refuse(Refusal{403,
                        "PermissionDenied",
                        "token " + caller.name + " does not see the ledger",
                        "it is about more than it is of; use a viewer's of everything",
                        {}});
}

}  // namespace muster::http
