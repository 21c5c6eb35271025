// The caller that gave the command which a commit keeps: an envelope around its encoding.
//
// The byte 0xff, which is no version of the encoding, the name, and a zero; then the command. Where
// none is named there is no envelope, so that commits are what they were before there were any.
// What a commit keeps goes wherever the commit goes, in every store, under its hash; the view
// `history` of a file reads the name with SQL.
#ifndef MUSTER_DB_CALLER_H_
#define MUSTER_DB_CALLER_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "muster/status.h"

namespace muster {

inline constexpr std::size_t kMaxCaller = 255;  ///< bytes

/// kInvalidArgument unless it is UTF-8 without control characters, of at most kMaxCaller bytes.
Status CheckCaller(std::string_view caller);

/// `command` in an envelope. Precondition: the name passes CheckCaller.
std::string WithCaller(std::string_view caller, std::string command);
/// The name in what a commit keeps; empty: none is named. O(the name).
std::string_view CallerOf(std::string_view input);
/// The command in what a commit keeps.
std::string_view CommandIn(std::string_view input);

}  // namespace muster

#endif  // MUSTER_DB_CALLER_H_
