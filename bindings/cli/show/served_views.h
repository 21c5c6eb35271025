// What the service shows: the same objects as `muster get -o json` and `muster explain -o json`.
#ifndef MUSTER_BINDINGS_CLI_SHOW_SERVED_VIEWS_H_
#define MUSTER_BINDINGS_CLI_SHOW_SERVED_VIEWS_H_

#include "bindings/http/views.h"

namespace muster::cli {

http::Views ServedViews();

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_SERVED_VIEWS_H_
