// Heads of HTTP/1.1: what is wrong with one that came, and those that leave.
#ifndef MUSTER_BINDINGS_HTTP_HEADS_H_
#define MUSTER_BINDINGS_HTTP_HEADS_H_

#include <cstddef>
#include <optional>
#include <string>

#include "bindings/http/message.h"
#include "bindings/http/problem.h"

namespace muster::http {

/// Of what is not HTTP/1.1.
Refusal BadHttp(std::string message);
/// What is wrong with a head that the parser took.
std::optional<Refusal> CheckHead(const Head& head, unsigned version);
/// A body of more than `most` bytes.
Refusal BodyTooLong(std::size_t most);

/// The head of a response that has a length, to the blank line; `keep`: the connection stays.
std::string HeadText(const Response& response, bool keep);
/// The head of a response without a length, which ends with the connection or its last chunk.
std::string StreamHeadText(const std::string& type, bool chunked);
/// "1f\r\n": what stands before a chunk of so many bytes.
std::string ChunkHead(std::size_t bytes);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_HEADS_H_
