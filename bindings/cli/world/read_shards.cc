// See read_shards.h.
#include "bindings/cli/world/read_shards.h"

#include <optional>
#include <string>
#include <utility>

#include "bindings/cli/show/shards.h"
#include "bindings/remote/told.h"

namespace muster::cli {

int ReadShards(const Service& service, Io& io, std::vector<Tree>* trees) {
  std::string body;
  if (const int code = service.Get("/v1/shards", io, &body); code != kDone) return code;
  const Json told = remote::ParsedReply(body);
  auto read = told.is_object() ? ShardsFrom(told.value("items", Json())) : std::nullopt;
  if (!read) return io.Fail(kRefused, "the service answers not as muster serve does");
  *trees = *std::move(read);
  return kDone;
}

}  // namespace muster::cli
