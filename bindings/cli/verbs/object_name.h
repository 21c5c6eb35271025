// NAME, NAMESPACE/NAME and -n of verbs that look at any kind of object.
#ifndef MUSTER_BINDINGS_CLI_VERBS_OBJECT_NAME_H_
#define MUSTER_BINDINGS_CLI_VERBS_OBJECT_NAME_H_

#include <string>
#include <string_view>

#include "bindings/cli/io.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/get_items.h"
#include "muster/types.h"

namespace muster::cli {

// Both print what is wrong and return an exit code, kDone when all is well: a namespace that would
// be ignored is a mistake.

/// `filter` has the word of the command line as its name and -n as its namespace; afterwards it has
/// what they mean.
int ReadName(Kind kind, std::string_view verb, Io& io, Filter* filter);

/// What `word` means beside `-n ns`, of an object that a message calls `noun`. The namespace stays
/// empty where none is named.
int ReadName(const std::string& word, const std::string& ns, bool has_namespace,
             std::string_view noun, std::string_view verb, Io& io, Key* key);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_VERBS_OBJECT_NAME_H_
