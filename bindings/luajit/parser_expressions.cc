// Expressions: what is read, what is called, and where values go.
#include <array>
#include <bit>
#include <utility>

#include "bindings/luajit/parser.h"
#include "bindings/luajit/source_values.h"

namespace muster::luajit {
namespace {

constexpr int kUnary = 8;
constexpr int kComparison = 3;
constexpr int kConcatenation = 5;
// Bytes that LuaJIT takes.
constexpr int kTable = 64, kValue = 8, kNode = 24, kClosure = 40, kCaptured = 56;
constexpr int kOpenValues = 200;  // that a call or `...` may give at most

struct Operator {
  std::string_view text;
  int left;
  int right;
};
constexpr std::array<Operator, 15> kOperators = {{{"or", 1, 1},
                                                  {"and", 2, 2},
                                                  {"<", 3, 3},
                                                  {">", 3, 3},
                                                  {"<=", 3, 3},
                                                  {">=", 3, 3},
                                                  {"~=", 3, 3},
                                                  {"==", 3, 3},
                                                  {"..", 5, 4},
                                                  {"+", 6, 6},
                                                  {"-", 6, 6},
                                                  {"*", 7, 7},
                                                  {"/", 7, 7},
                                                  {"%", 7, 7},
                                                  {"^", 10, 9}}};

const Operator* FindOperator(const Token& token) {
  for (const Operator& op : kOperators) {
    if (token.Is(op.text)) return &op;
  }
  return nullptr;
}

}  // namespace

// A value that leaves what can be traced.
void Parser::Escape(const Value& value, SourcePlace place, bool stored) {
  if (value.kind == ValueKind::kOrigin) facts_.escapes.push_back({value.id, place, stored});
}

int Parser::FunctionBody(bool method) {
  const int outer = std::exchange(function_, static_cast<int>(facts_.functions.size()));
  facts_.functions.push_back({token_.place, {}, {}});
  captured_.emplace_back();
  const std::size_t scope = visible_.size();
  const SourcePlace opened = token_.place;
  std::vector<int> parameters;
  bool open = false;
  if (method) {
    Token self;
    self.text = "self";
    parameters.push_back(Declare(self));
  }
  Expect("(");
  if (!token_.Is(")")) {
    do {
      if (token_.Is("...")) {
        open = true;
        Advance();
        break;
      }
      parameters.push_back(Declare(ExpectName()));
    } while (Accept(","));
  }
  const std::size_t begin = token_.end;
  EnterRegion(begin);
  if (open) facts_.insertions.push_back({begin, Insertion::Kind::kArguments});
  Expect(")");
  Block();
  Expect("end", "function", opened);
  LeaveRegion();
  LeaveScope(scope);
  Function& function = facts_.functions[static_cast<std::size_t>(function_)];
  function.parameters = std::move(parameters);
  function.open = open;
  const std::set<int> captured = std::move(captured_.back());
  captured_.pop_back();
  const int made = std::exchange(function_, outer);
  for (const int variable : captured) Capture(variable);
  Takes(kClosure + static_cast<int>(captured.size()) * kCaptured);
  return made;
}

// Notes that the function being read holds the variable, which is a value of its own from then on.
void Parser::Capture(int variable) {
  if (variable == kNoIndex) return;
  if (facts_.variables[static_cast<std::size_t>(variable)].function == function_) return;
  captured_.back().insert(variable);
}

Value Parser::TableConstructor() {
  regions_.back().plain = false;
  const SourcePlace opened = token_.place;
  const auto id = facts_.tables.size();
  facts_.tables.push_back({opened, {}});
  Expect("{");
  unsigned int fields = 0;
  while (!token_.Is("}") && token_.kind != TokenKind::kEnd) {
    TableEntry entry;
    entry.place = token_.place;
    bool keyed = true;
    if (token_.Is("[")) {
      Advance();
      const Expression key = Parse();
      if (key.value.kind == ValueKind::kString) {
        entry.key = key.value.text;
      } else if (!key.simple || !key.whole) {
        Key(key.begin, key.end);
      }
      Expect("]");
      Expect("=");
    } else if ((token_.kind == TokenKind::kName || token_.Is("goto")) && ahead_.Is("=")) {
      entry.key = token_.text;
      Advance();
      Advance();
    } else {
      keyed = false;
    }
    fields += keyed ? 1 : 0;
    const std::size_t begin = token_.begin;
    entry.value = Parse().value;
    if (!keyed && entry.value.kind == ValueKind::kMultiple && token_.Is("}")) {
      facts_.insertions.push_back({begin, Insertion::Kind::kListedBegin});
      facts_.insertions.push_back({read_end_, Insertion::Kind::kFewEnd});
    }
    Escape(entry.value, entry.place, true);
    facts_.tables[id].entries.push_back(entry);
    if (!Accept(",") && !Accept(";")) break;
  }
  const std::vector<TableEntry>& entries = facts_.tables[id].entries;
  const bool open = !entries.empty() && entries.back().value.kind == ValueKind::kMultiple;
  CountKeys(static_cast<int>(entries.size()) + (open ? kOpenValues : 0));
  const auto places = static_cast<int>(entries.size() - fields);
  const int nodes = fields == 0 ? 0 : static_cast<int>(std::bit_ceil(fields));
  Takes(kTable + (places + 1) * kValue + nodes * kNode);
  Expect("}", "{", opened);
  return {ValueKind::kTable, static_cast<int>(id), {}};
}

Parser::Expression Parser::Primary() {
  Expression result;
  result.place = token_.place;
  result.begin = token_.begin;
  if (Accept("(")) {
    const Expression inner = Parse();
    result.value = inner.value;
    result.some = inner.some;
    if (inner.simple) result.name = inner.name;
    if (result.value.kind == ValueKind::kMultiple) result.value.kind = ValueKind::kOther;
    Expect(")", "(", result.place);
    return result;
  }
  const Token name = ExpectName();
  result.target = true;
  result.root = Resolve(name.text);
  Capture(result.root);
  const bool local = result.root != kNoIndex &&
                     facts_.variables[static_cast<std::size_t>(result.root)].function == function_;
  result.name = local ? "local" : result.root != kNoIndex ? "upvalue" : "global";
  result.name.append(" '").append(name.text).append("'");
  if (result.root != kNoIndex) {
    result.value = {ValueKind::kOrigin, static_cast<int>(facts_.origins.size()), name.text};
    facts_.origins.push_back({result.root, kNoIndex, name.text, name.place});
  } else {
    result.use = static_cast<int>(facts_.globals.size());
    result.value = {ValueKind::kGlobal, result.use, name.text};
    facts_.globals.push_back({name.text, {}, name.place, {}});
  }
  return result;
}

// base.name
void Parser::Index(Expression& base, std::string_view name, SourcePlace place) {
  base.indexed = true;
  base.target = true;
  base.call = base.some = false;
  base.field = name;
  ++base.depth;
  base.name.assign("field '").append(name).append("'");
  base.key_begin = base.key_end = 0;
  if (base.value.kind == ValueKind::kOrigin) {
    const int parent = base.value.id;
    base.value.id = static_cast<int>(facts_.origins.size());
    facts_.origins.push_back({kNoIndex, parent, name, place});
    return;
  }
  if (base.value.kind == ValueKind::kGlobal) {
    GlobalUse& use = facts_.globals[static_cast<std::size_t>(base.use)];
    if (use.field.empty()) {
      use.field = name;
      use.field_place = place;
      return;
    }
  }
  facts_.loose_fields.push_back(name);
  base.value = {};
}

// base[expression]
void Parser::IndexDynamic(Expression& base) {
  facts_.loose_index |= base.value.kind != ValueKind::kOrigin;
  Escape(base.value, base.place, false);
  base.value = {};
  base.indexed = true;
  base.target = true;
  base.call = base.some = false;
  base.key_begin = base.key_end = 0;
  base.field = {};
  ++base.depth;
  base.name.clear();
}

std::vector<Value> Parser::Arguments() {
  const SourcePlace opened = token_.place;
  if (token_.kind == TokenKind::kString) {
    const Value text{ValueKind::kString, kNoIndex, StringContents(token_.text)};
    Advance();
    return {text};
  }
  if (token_.Is("{")) return {TableConstructor()};
  Expect("(");
  std::vector<Value> arguments;
  if (!token_.Is(")")) arguments = List();
  Expect(")", "(", opened);
  return arguments;
}

void Parser::Call(Expression& callee, bool method) {
  regions_.back().plain = false;
  std::vector<Value> arguments = Arguments();
  if (!callee.field.empty()) {
    const bool traced = callee.value.kind == ValueKind::kOrigin;
    facts_.field_calls.push_back(
        {callee.field, callee.place, traced ? callee.value.id : kNoIndex, method, arguments});
  }
  const bool plain = callee.value.kind == ValueKind::kOrigin && !callee.indexed && !method;
  bool inserts = false;
  if (callee.value.kind == ValueKind::kGlobal && !method) {
    const GlobalUse& use = facts_.globals[static_cast<std::size_t>(callee.value.id)];
    inserts = use.name == "table" &&
              (use.field == "insert" || use.field == "remove" || use.field == "sort");
    const bool walks = use.field.empty() && (use.name == "pairs" || use.name == "ipairs");
    if (walks && !arguments.empty() && arguments[0].kind == ValueKind::kOrigin) {
      facts_.counted.push_back({arguments[0].id, callee.place, false});
    }
  }
  if (plain) {
    facts_.calls.push_back({callee.root, std::move(arguments)});
  } else {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      Escape(arguments[i], callee.place, inserts && i > 0);
    }
    if (inserts && !arguments.empty() && arguments[0].kind == ValueKind::kOrigin) {
      int origin = arguments[0].id;
      const auto at = [this](int id) { return facts_.origins[static_cast<std::size_t>(id)]; };
      while (at(origin).parent != kNoIndex) origin = at(origin).parent;
      Expression target;
      target.place = callee.place;
      target.indexed = true;
      target.root = at(origin).variable;
      CheckTarget(target);
    }
  }
  callee.value = {ValueKind::kMultiple, kNoIndex, {}};
  callee.call = true;
  callee.target = callee.some = false;
  callee.indexed = true;
  callee.root = kNoIndex;
  callee.use = kNoIndex;
  callee.field = {};
  callee.name.clear();
}

Parser::Expression Parser::Suffixed() {
  Expression result = Primary();
  while (true) {
    const bool indexes = token_.Is(".") || token_.Is("[");
    if (indexes) result.prefix_end = read_end_;
    if (Accept(".")) {
      const Token name = ExpectName();
      Index(result, name.text, name.place);
    } else if (token_.Is("[")) {
      Advance();
      const SourcePlace place = token_.place;
      const Expression key = Parse();
      Expect("]");
      if (key.value.kind == ValueKind::kString) {
        Index(result, key.value.text, place);
      } else {
        IndexDynamic(result);
        if (!key.simple || !key.whole) {
          result.key_begin = key.begin;
          result.key_end = key.end;
        }
      }
    } else if (Accept(":")) {
      const Token name = ExpectName();
      Index(result, name.text, name.place);
      Call(result, true);
    } else if (token_.Is("(") || token_.Is("{") || token_.kind == TokenKind::kString) {
      Call(result, false);
    } else {
      return result;
    }
  }
}

// LuaJIT reads 1LL and 2i as 64-bit and complex cdata.
void Parser::CheckNumber(const Token& number) {
  const char last = static_cast<char>(number.text.back() | 0x20);
  const bool hex = number.text.size() > 1 && (number.text[1] | 0x20) == 'x';
  if (last == 'l' || last == 'i' || (last == 'u' && !hex)) {
    std::string what("'");
    what.append(number.text).append("' is not a plain number");
    Problem(number.place, std::move(what), "write it without its suffix");
  }
}

Parser::Expression Parser::Simple() {
  Expression result;
  result.place = token_.place;
  switch (token_.kind) {
    case TokenKind::kNumber:
      CheckNumber(token_);
      result.number = result.some = true;
      result.whole = WholeNumber(token_.text).value_or(0) > 0;
      result.value = NumberFrom(token_.text);
      Advance();
      return result;
    case TokenKind::kString:
      result.value = {ValueKind::kString, kNoIndex, StringContents(token_.text)};
      result.some = true;
      Advance();
      return result;
    case TokenKind::kKeyword:
      result.number = true;
      if (token_.Is("nil")) result.value.kind = ValueKind::kNil;
      if (Accept("nil")) return result;
      result.some = true;
      if (Accept("true") || Accept("false")) return result;
      if (Accept("function")) {
        result.value = {ValueKind::kFunction, FunctionBody(false), {}};
        return result;
      }
      break;
    case TokenKind::kSymbol:
      if (Accept("...")) {
        result.value = {ValueKind::kMultiple, kNoIndex, {}};
        return result;
      }
      if (token_.Is("{")) {
        result.value = TableConstructor();
        result.number = result.some = true;
        return result;
      }
      break;
    default:
      break;
  }
  if (token_.kind != TokenKind::kName && !token_.Is("(") && !token_.Is("goto")) {
    Fail("expected an expression");
    return result;
  }
  return Suffixed();
}

// `sign` is an `and` or `or` whose right side begins at the current token, in an expression that
// begins at `first`.
void Parser::MarkRight(const Token& sign, const Token& first, int* chain) {
  if (*chain == kNoIndex) *chain = Mark(MarkKind::kChain, first.begin, first.place);
  const int right = Mark(MarkKind::kRight, token_.begin, sign.place);
  SourceMark& mark = facts_.marks[static_cast<std::size_t>(right)];
  mark.chain = *chain;
  mark.is_and = sign.text == "and";
}

Parser::Expression Parser::Binary(int limit) {
  if (++level_ > kMaxLevels) Fail("nested too deeply");
  Expression result;
  result.place = token_.place;
  const Token first = token_;
  const std::size_t begin = first.begin;
  int chain = kNoIndex;
  if (token_.Is("not") || token_.Is("-") || token_.Is("#")) {
    const Token sign = token_;
    Advance();
    const Expression operand = Binary(kUnary);
    if (sign.text == "-") {
      Operand(operand, true);
      Compute(operand);
    }
    if (sign.text == "#") Counted(operand);
    if (sign.text == "not") Truth(operand);
    if (sign.text == "-") result.value = Negated(operand.value);
    result.some = true;
  } else {
    result = Simple();
    result.simple = true;
    result.begin = begin;
    result.end = read_end_;
  }
  for (const Operator* op = FindOperator(token_); op != nullptr && op->left > limit;
       op = FindOperator(token_)) {
    if (op->text == "^") {
      Problem(token_.place, "'^' differs between interpreted and compiled code",
              "write muster.pow(a, b), or muster.sq(a) for a square");
    }
    const Token sign = token_;
    Advance();
    if (sign.kind == TokenKind::kKeyword) {
      MarkRight(sign, first, &chain);
      Truth(result);
    }
    const Expression right = Binary(op->right);
    const bool compares =
        op->left == kComparison && (op->text.starts_with('<') || op->text.starts_with('>'));
    if (compares || op->left > kConcatenation) {
      Operand(result, !compares);
      Operand(right, !compares);
    }
    if (op->left > kConcatenation) {
      Compute(result);
      Compute(right);
    }
    result.simple = false;
    result.some = sign.kind != TokenKind::kKeyword;
    // A chain is one operation to LuaJIT; its own right operand is the rest of the chain.
    if (op->text == ".." && limit != op->right) Join(begin);
    const Value &l = result.value, &r = right.value;
    if (op->left == kComparison) facts_.comparisons.push_back({l, r, sign.place, !compares});
    result.value = Computed(op->text, l, r);
  }
  result.begin = begin;
  result.end = read_end_;
  --level_;
  return result;
}

void Parser::Compute(const Expression& operand) {
  const ValueKind kind = operand.value.kind;
  if (kind != ValueKind::kOrigin && kind != ValueKind::kString) return;
  facts_.operands.push_back({operand.value, operand.place});
}

// What decides a branch by being nil or false, or not.
void Parser::Truth(const Expression& condition) {
  if (condition.value.kind != ValueKind::kOrigin) return;
  facts_.truths.push_back({condition.value.id, condition.place, false});
}

std::vector<Parser::Expression> Parser::Expressions() {
  std::vector<Expression> list;
  do {
    if (!list.empty() && list.back().value.kind == ValueKind::kMultiple) {
      list.back().value.kind = ValueKind::kOther;
    }
    list.push_back(Parse());
  } while (Accept(","));
  return list;
}

std::vector<Value> Parser::List() {
  std::vector<Value> values;
  for (const Expression& expression : Expressions()) values.push_back(expression.value);
  return values;
}

}  // namespace muster::luajit
