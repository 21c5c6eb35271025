// What a service tells, as a ledger would have told it: mistakes at their places in the texts that
// were sent, the phase of a workload that was shown.
#ifndef MUSTER_BINDINGS_REMOTE_TOLD_H_
#define MUSTER_BINDINGS_REMOTE_TOLD_H_

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "muster/object.h"
#include "muster/views.h"

namespace muster::remote {

/// Several texts sent as one, and where each begins in it.
struct SourcesJoined {
  std::string body;
  std::vector<int> lines;  ///< the line before the first of each source
};

/// As the documents of one text, in order. O(bytes).
SourcesJoined JoinSources(std::span<const manifest::Source> sources);

/// Mistakes or warnings of the service in the texts that were sent, which begin behind `lines`.
std::vector<manifest::Diagnostic> ToldDiagnostics(const nlohmann::ordered_json& told,
                                                  manifest::Severity severity,
                                                  std::span<const manifest::Source> sources,
                                                  const std::vector<int>& lines);

/// null where the body is no JSON: a proxy answered, or nothing that is a service of ours.
nlohmann::ordered_json ParsedReply(const std::string& body);
/// Where a list of commands is from. The number of a command says nothing to a user that wrote
/// none.
enum class Author { kVerb, kUser };
/// What is wrong, with its field where it is one of a command, and what to do instead.
std::string RefusalSentence(const nlohmann::ordered_json& refusal, Author author = Author::kVerb);
/// The text of member `name`; empty where it has none.
std::string TextOf(const nlohmann::ordered_json& json, const char* name);

/// The phase that the conditions of a workload tell.
WorkloadPhase PhaseShown(const Workload& workload);

}  // namespace muster::remote

#endif  // MUSTER_BINDINGS_REMOTE_TOLD_H_
