// SharedText: what is said to many connections, once in memory.
#ifndef MUSTER_BINDINGS_HTTP_SHARED_TEXT_H_
#define MUSTER_BINDINGS_HTTP_SHARED_TEXT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace muster::http {

using SharedText = std::shared_ptr<const std::string>;
/// In the order said.
using SharedTexts = std::vector<SharedText>;

inline SharedText Share(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_SHARED_TEXT_H_
