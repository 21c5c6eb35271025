// Checks of a request that need nothing but its head.
#ifndef MUSTER_BINDINGS_HTTP_CHECKS_H_
#define MUSTER_BINDINGS_HTTP_CHECKS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/http/message.h"
#include "bindings/http/problem.h"
#include "bindings/http/target.h"

namespace muster::http {

/// 400 because of a parameter.
Refusal BadQuery(std::string name, std::string message, std::string cure);

/// 400 where a parameter that takes one of these has another value.
std::optional<Response> CheckWord(const Target& target, const std::string& name,
                                  const std::vector<std::string>& words);

/// 404.
Response NotThere(const std::string& what);

/// 415 where the body is not one of `types`, in UTF-8.
std::optional<Response> CheckType(const Head& head, const std::vector<std::string>& types);

/// A whole number from 1 to `most`; nullopt: it is none.
std::optional<std::size_t> CountOf(std::string_view text, std::size_t most);

/// The parts of `text` between `by`.
std::vector<std::string> Split(std::string_view text, char by);

/// 403 where the Host of a request is not this machine: a page from elsewhere, whose name was made
/// to lead here, names itself.
std::optional<Response> CheckHost(const Head& head);

/// 403 where another site's page asks: the browser that sends it says whose page it is.
std::optional<Response> CheckOrigin(const Head& head);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_CHECKS_H_
