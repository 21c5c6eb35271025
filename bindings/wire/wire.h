// Wire: commands and answers as JSON, the one contract that all doors share.
//
// Both are made of the field lists that bytes are made of (engine/codec/fields.h): names in
// camelCase, enums by their words, quantities as Kubernetes writes them, times in RFC 3339,
// durations as Go writes them, whole numbers exact in 64 bits. A field that is left out has its
// default, and what has its default is left out. docs/wire.md has every field,
// docs/wire.schema.json the same for programs. Pure functions over text; nlohmann-json does not
// leave this folder.
#ifndef MUSTER_BINDINGS_WIRE_WIRE_H_
#define MUSTER_BINDINGS_WIRE_WIRE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "muster/command.h"
#include "muster/status.h"

namespace muster::wire {

inline constexpr std::size_t kMaxBytes = std::size_t{32} << 20;  ///< of one text
inline constexpr std::size_t kMaxValues = 4'000'000;             ///< in one text
inline constexpr std::size_t kMaxDepth = 32;                     ///< of nested lists and objects
inline constexpr std::size_t kMaxCommands = 10'000;              ///< in one list
inline constexpr std::size_t kMaxMistakes = 20;                  ///< told of one text

/// What is wrong at one place of a text.
struct Mistake {
  int line = 0;      ///< from 1
  int column = 0;    ///< from 1, in characters
  std::string path;  ///< "[3].workloads[0].name"; empty: the text itself
  std::string what;
  std::string cure;  ///< what to write instead
  /// "3:14: [3].workloads[0].name: what; cure"
  std::string ToString() const;
};

/// {"command":"finish","workloads":[{"namespace":"team-a","name":"train"}]} in one line.
/// kInvalidArgument, with the path, for what JSON cannot say: text that is not UTF-8, a number that
/// is not finite. O(its size).
Result<std::string> ToJson(const Command& command);

/// {"answer":"done"} in one line. Bytes that are not UTF-8, which only a message of a policy can
/// have, come out as U+FFFD: what happened is told in any case.
std::string ToJson(const Answer& answer);
/// One of the decisions of an answer.
std::string ToJson(const Decision& decision);

// The functions below read what those above write, with blanks and in any order of fields. Mistakes
// are looked for all at once: the first kMaxMistakes go to `mistakes`, in the order of the text,
// and the status is kInvalidArgument with the text of the first. A text that is no JSON has one.
// O(bytes) time and memory.

Result<Command> CommandFromJson(std::string_view json, std::vector<Mistake>* mistakes = nullptr);
Result<Answer> AnswerFromJson(std::string_view json, std::vector<Mistake>* mistakes = nullptr);

/// A command, or a list of at most kMaxCommands.
Result<std::vector<Command>> CommandsFromJson(std::string_view json,
                                              std::vector<Mistake>* mistakes = nullptr);

/// Ends the status of a text that has more mistakes than were told.
inline constexpr std::string_view kManyMore = " (and many more)";

/// Where command number `command` of `json` stands, which CommandsFromJson read or, with a
/// `problem` that the engine has with it, the value that the problem is about. Where that is not
/// written it is the nearest around it, and `what` begins with what is not there. O(bytes).
Mistake Locate(std::string_view json, std::size_t command, const Problem* problem = nullptr);

/// JSON Schema (draft 2020-12) of all the above, as docs/wire.schema.json has it.
std::string Schema();

}  // namespace muster::wire

#endif  // MUSTER_BINDINGS_WIRE_WIRE_H_
