// The page at `/`: one file, whose own script and style are all that a browser may run.
#ifndef MUSTER_BINDINGS_HTTP_PAGE_H_
#define MUSTER_BINDINGS_HTTP_PAGE_H_

#include "bindings/http/message.h"

namespace muster::http {

/// The page, with a Content-Security-Policy that names its script and style by their hashes.
Response PageResponse();

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_PAGE_H_
