// The history of a ledger as lines of text, for other programs: JSON Lines, and CSV (RFC 4180).
#ifndef MUSTER_BINDINGS_UPKEEP_EXPORT_H_
#define MUSTER_BINDINGS_UPKEEP_EXPORT_H_

#include <string>
#include <string_view>

#include "db/store_types.h"

namespace muster {

/// One line for each event of `commit`, each ending in a newline: an object with seq, commit, time
/// (RFC 3339), cycle, command, kind, subject, policy and payload, which is JSON itself.
std::string EventsAsJson(const CommitRecord& commit);
/// One line: seq, time, cycle, command, engine, events, and the policies that were asked.
std::string CommitAsJson(const CommitRecord& commit);

/// The same in columns, with the names of these in the first line; the payload is JSON in a field.
std::string_view EventsCsvHeader();
std::string EventsAsCsv(const CommitRecord& commit);
std::string_view CommitsCsvHeader();
std::string CommitAsCsv(const CommitRecord& commit);

/// A field of CSV.
std::string CsvField(std::string_view text);

}  // namespace muster

#endif  // MUSTER_BINDINGS_UPKEEP_EXPORT_H_
