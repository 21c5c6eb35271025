// Recursive descent over one policy file; one pass, facts instead of a tree.
//
// Accepts Lua 5.1 with LuaJIT's goto. Where it is more lenient than LuaJIT, LuaJIT refuses the file
// when it compiles it. Nesting is limited, so hostile sources cannot exhaust the C++ stack.
#ifndef MUSTER_BINDINGS_LUAJIT_PARSER_H_
#define MUSTER_BINDINGS_LUAJIT_PARSER_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bindings/luajit/lexer.h"
#include "bindings/luajit/source_facts.h"

namespace muster::luajit {

/// Reads `source`, which must outlive the facts: they point into it. O(size). Without
/// `ascii_names`, names may have any byte, as in LuaJIT: among them the fuel cell's own.
SourceFacts ParseSource(std::string_view source, bool ascii_names = true);

/// Of a short number without sign, point or exponent.
std::optional<int> WholeNumber(std::string_view text);

class Parser {
 public:
  static constexpr int kMaxLevels = 180;  ///< of blocks and brackets in each other

  Parser(std::string_view source, bool ascii_names, SourceFacts& facts);
  void ParseFile();

 private:
  /// An expression: its value, and what may be done to it.
  struct Expression {
    Value value;
    bool call = false;                       ///< may stand as a statement
    bool target = false;                     ///< may be assigned to
    bool indexed = false;                    ///< a field of something, not a plain name
    bool number = false;                     ///< it is none of a string, whatever else it is
    bool simple = false;                     ///< one operand, without operators
    bool some = false;                       ///< it is not nil
    bool whole = false;                      ///< a short whole number, if it is simple
    std::string_view field;                  ///< it is indexed by last, if that is a plain name
    int root = kNoIndex;                     ///< variable at the front of the chain
    int use = kNoIndex;                      ///< GlobalUse of a plain global
    int depth = 0;                           ///< how many times it is indexed
    std::size_t begin = 0, end = 0;          ///< its text
    std::size_t prefix_end = 0;              ///< end of what is indexed last
    std::size_t key_begin = 0, key_end = 0;  ///< key it is indexed by last; both 0: see kKeyBegin
    std::string name;                        ///< as LuaJIT names it in an error; empty: it does not
    SourcePlace place;
  };

  // parser.cc: tokens, scopes, statements
  void Advance();
  void Fail(const std::string& what);
  bool Accept(std::string_view word);
  void Expect(std::string_view word, std::string_view opener = {}, SourcePlace opened = {});
  Token ExpectName();
  bool BlockEnds() const;
  void Problem(SourcePlace place, std::string what, std::string cure);
  int Mark(MarkKind kind, std::size_t offset, SourcePlace place);
  int Declare(const Token& name);
  int Resolve(std::string_view name) const;
  void LeaveScope(std::size_t size);
  void Block();
  void ScopedBlock(std::string_view closer, std::string_view opener, SourcePlace opened);
  void Statement();
  void If(SourcePlace opened);
  void While(SourcePlace opened);
  void For(const Token& first);
  void Repeat(std::size_t tick);
  void LocalStatement();
  void FunctionStatement(std::size_t begin);
  void ReturnStatement();
  void ExpressionStatement();
  void Assign(const std::vector<Expression>& targets);
  void CheckTarget(const Expression& target);
  void Own(const Expression& target);
  void Gone(const std::vector<Expression>& targets, const std::vector<Expression>& values);
  void Key(std::size_t begin, std::size_t end);
  int WriterOf(const Expression& target) const;
  void DropNeedless();

  // parser_cures.cc
  std::string CureFor(std::string_view what) const;
  std::string CureOfOperator() const;
  std::string CureOfWord() const;

  // parser_fuel.cc
  void Capture(int variable);
  void Takes(int bytes) { regions_.back().bytes += bytes; }
  void EnterRegion(std::size_t tick);
  void LeaveRegion();
  void LeaveLoop(std::size_t begin, std::optional<int> rounds);
  void TickBefore(const Token& jump);
  void CountKeys(int keys) { regions_.back().keys += keys; }
  std::optional<int> Bound();

  // parser_expressions.cc
  int FunctionBody(bool method);
  Value TableConstructor();
  Expression Primary();
  Expression Suffixed();
  Expression Simple();
  Expression Binary(int limit);
  void Join(std::size_t begin);
  void Operand(const Expression& operand, bool named);
  void Compute(const Expression& operand);
  void Counted(const Expression& operand);
  void Truth(const Expression& condition);
  void MarkRight(const Token& sign, const Token& first, int* chain);
  Expression Parse() { return Binary(0); }
  std::vector<Value> List();
  std::vector<Expression> Expressions();
  void Index(Expression& base, std::string_view name, SourcePlace place);
  void IndexDynamic(Expression& base);
  std::vector<Value> Arguments();
  void Call(Expression& callee, bool method);
  void Escape(const Value& value, SourcePlace place, bool stored);
  void CheckNumber(const Token& number);

  Lexer lexer_;
  const bool ascii_names_;
  SourceFacts& facts_;
  Token before_;  ///< that was read last
  Token token_;
  Token ahead_;
  std::vector<int> visible_;  ///< variables in scope, innermost last
  std::unordered_map<std::string_view, std::vector<int>> by_name_;  ///< the same, by name
  /// Code that runs once for each pass of its tick, inner regions left out.
  struct Region {
    std::size_t tick = 0;  ///< index of its insertion
    int tokens = 0;
    int keys = 0;       ///< that it may add to tables
    int bytes = 0;      ///< of its new tables and functions
    bool plain = true;  ///< it only computes: no call, loop, jump, concatenation or new table
  };
  std::vector<Region> regions_ = {{}};  ///< innermost last; the first is the file, without a tick
  std::size_t read_end_ = 0;            ///< offset behind the token that was read last
  int function_ = 0;                    ///< being read
  std::vector<std::set<int>> captured_ = {{}};  ///< variables of outer functions, by function read
  int level_ = 0;
  int else_if_line_ = 0;  ///< of the newest `else if`, which needs an `end` more than elseif
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_PARSER_H_
