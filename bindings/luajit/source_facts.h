// What one reading of a policy file finds out: what the rewriter puts in, what every name means,
// which values flow where. The parser fills it; the rewriter and the checks use it. No syntax tree
// is kept.
#ifndef MUSTER_BINDINGS_LUAJIT_SOURCE_FACTS_H_
#define MUSTER_BINDINGS_LUAJIT_SOURCE_FACTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/lexer.h"

namespace muster::luajit {

inline constexpr int kNoIndex = -1;

struct SourceProblem {
  SourcePlace place;
  std::string what;
  std::string cure;
};

/// A local variable or parameter.
struct Variable {
  std::string_view name;
  int function = 0;       ///< that declares it, 0: the file itself
  int origin = kNoIndex;  ///< the value it was given, when that is a variable or a field of one
  int bound = kNoIndex;   ///< the function it was given
  bool reassigned = false;
  bool fresh = false;  ///< it was given a table that its own statement makes
};

/// A value that can be traced: a variable (`parent` none), or the field `name` of another one.
struct Origin {
  int variable = kNoIndex;
  int parent = kNoIndex;
  std::string_view name;
  SourcePlace place;
};

struct Return {
  SourcePlace place;
  int values = 0;  ///< kNoIndex: not known before it runs
};

struct Function {
  SourcePlace place;
  std::vector<int> parameters;  ///< variables
  std::vector<Return> returns;
  bool open = false;  ///< it takes `...` too
};

enum class ValueKind {
  kOther,
  kNil,
  kOrigin,
  kScaled,  ///< an origin times `number`
  kGlobal,
  kFunction,
  kTable,
  kString,
  kNumber,
  kMultiple
};

/// The value of an expression, as far as reading can tell. `id` is the origin, function or table.
struct Value {
  ValueKind kind = ValueKind::kOther;
  int id = kNoIndex;
  std::string_view text;  ///< of kGlobal and kString
  double number = 1;      ///< of kNumber and kScaled
};

/// Two values that are compared, with any of the six operators.
struct Comparison {
  Value left, right;
  SourcePlace place;   ///< of the operator
  bool equal = false;  ///< it is == or ~=
};

/// What arithmetic is done with.
struct OperandUse {
  Value value;
  SourcePlace place;
};

struct TableEntry {
  std::string_view key;  ///< empty: positional
  SourcePlace place;
  Value value;
};

struct TableFacts {
  SourcePlace place;
  std::vector<TableEntry> entries;
};

/// A global that is read, alone or with one field: `math`, `math.floor`.
struct GlobalUse {
  std::string_view name;
  std::string_view field;
  SourcePlace place;
  SourcePlace field_place;
  bool assigned = false;  ///< it is written to, which is a problem of its own
};

/// A call of a function held in a local variable.
struct CallUse {
  int variable = kNoIndex;
  std::vector<Value> arguments;
};

/// A call of a field or method: `c.rng("tie")`, `string.find(s, "x")`, `s:find("x")`.
struct FieldCall {
  std::string_view name;
  SourcePlace place;
  int origin = kNoIndex;  ///< of what is called, if it can be traced
  bool method = false;
  std::vector<Value> arguments;
};

/// A traced value that is put where it outlives the expression, or goes where it cannot be traced.
struct EscapeUse {
  int origin = kNoIndex;
  SourcePlace place;
  bool stored = false;  ///< put into a table
};

/// What the rewriter puts into the source: a tick that takes `cost` units of fuel and counts
/// `keys`, a check, or one of the two ends of a call around an expression.
struct Insertion {
  enum class Kind {
    kTick,
    kKeys,       ///< counts `keys` where no tick does: in the file itself
    kJoinBegin,  ///< around a concatenation
    kJoinEnd,
    kOperandBegin,  ///< around what is computed or compared with, and may be a string
    kOperandEnd,    ///< `text`: what an error calls it
    kCountedBegin,  ///< around what # counts, and may be a view
    kCountedEnd,    ///< `text`: what an error calls it
    kOwnBegin,      ///< around a table that is written to
    kOwnEnd,
    kOwn,       ///< a check of the table `text`
    kKeyBegin,  ///< around a key that is written to, and may be any number
    kKeyEnd,
    kGoneBegin,  ///< around what is written, and may be nil; `cost`: for so many keys
    kGoneEnd,
    kFewBegin,  ///< around returned values of which the last are not counted
    kFewEnd,
    kListedBegin,  ///< around the last value of a new table when it may be several
    kArguments,    ///< a check of `...`
  };
  std::size_t offset = 0;
  Kind kind = Kind::kTick;
  int cost = 0;
  int variable = kNoIndex;  ///< of kOwn...: unnecessary if this one is never reassigned
  std::string text = {};
  int keys = 0;  ///< of kTick and kKeys: that this code may add to tables
};

/// A place whose executions can be counted: see rewriter.h.
enum class MarkKind {
  kStatement,
  kThen,    ///< begin of an arm
  kElse,    ///< begin of the last arm
  kNoElse,  ///< where an `if` without else would have one
  kChain,   ///< begin of an expression with `and` or `or`
  kRight,   ///< right side of an `and` or `or`
};

struct SourceMark {
  MarkKind kind = MarkKind::kStatement;
  std::size_t offset = 0;  ///< where the count goes
  SourcePlace place;       ///< what is counted
  int chain = kNoIndex;    ///< of kRight: the kChain mark it belongs to
  bool is_and = false;     ///< of kRight
};

struct SourceFacts {
  std::vector<Insertion> insertions;    ///< by offset
  std::vector<SourceMark> marks;        ///< by number, not by offset
  std::vector<SourceProblem> problems;  ///< a syntax error is the last one
  bool syntax_ok = true;
  std::vector<Variable> variables;
  std::vector<Origin> origins;
  std::vector<Function> functions;  ///< [0] is the file
  std::vector<TableFacts> tables;
  std::vector<GlobalUse> globals;
  std::vector<CallUse> calls;
  std::vector<FieldCall> field_calls;
  std::vector<Comparison> comparisons;
  std::vector<OperandUse> operands;
  std::vector<EscapeUse> escapes;
  std::vector<EscapeUse> counted;              ///< by # or walked through by pairs and ipairs
  std::vector<EscapeUse> truths;               ///< taken for true or false
  std::vector<std::string_view> loose_fields;  ///< named, of values that cannot be traced
  bool loose_index = false;                    ///< such a value is indexed by an expression
  Value result;                                ///< what the file returns
  SourcePlace result_place;
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SOURCE_FACTS_H_
