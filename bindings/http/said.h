// What a verb of the command line said, as a response.
#ifndef MUSTER_BINDINGS_HTTP_SAID_H_
#define MUSTER_BINDINGS_HTTP_SAID_H_

#include <optional>
#include <string>
#include <string_view>

#include "bindings/http/message.h"
#include "bindings/http/roles.h"
#include "bindings/http/views.h"

namespace muster::http {

inline constexpr std::string_view kTextMedia = "text/plain; charset=utf-8";
inline constexpr std::string_view kJsonMedia = "application/json";

/// What stands behind "muster: " of the last line.
std::string LastWords(std::string err);

/// 200 with what it printed, of that media type; 400 of wrong use, 404 of a no, else 503.
Response ResponseOf(const Said& said, std::string_view media);

/// 403 where the caller does not see everything.
std::optional<Response> NeedsToSeeAll(const Caller& caller);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_SAID_H_
