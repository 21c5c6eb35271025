// What is proven of a search for victims, in words and as JSON.
#ifndef MUSTER_BINDINGS_CLI_SHOW_CERTIFICATE_H_
#define MUSTER_BINDINGS_CLI_SHOW_CERTIFICATE_H_

#include <string>

#include "bindings/cli/json.h"
#include "muster/views.h"

namespace muster::cli {

/// "Proven smallest: fewer than 2 of the 5 candidates do not make room."; empty: no search was
/// made.
std::string CertificateInWords(const SearchCertificate& certificate);

/// Precondition: a search was made.
Json CertificateJson(const SearchCertificate& certificate);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_CERTIFICATE_H_
