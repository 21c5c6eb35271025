// Tokens, scopes and statements. After a syntax error the current token is kEnd and stays so, which
// ends every loop.
#include "bindings/luajit/parser.h"

#include <algorithm>
#include <utility>

namespace muster::luajit {
namespace {

// Tokens of plain computation that take as long as this one interpreted: a call, a field of a view,
// a new table or text. The rows of tests/bench/fuel_rows.cc hold them to what a unit may buy.
int WeightOf(const Token& token) {
  constexpr int kField = 8, kCall = 16, kText = 32;
  if (token.kind == TokenKind::kSymbol) {
    if (token.Is("..")) return kText;
    if (token.Is("(") || token.Is("{") || token.Is("...")) return kCall;
    if (token.Is(".") || token.Is("[") || token.Is(":")) return kField;
  }
  return token.Is("function") ? kCall : 1;
}

// A name in a message: enough of it to be found.
std::string Shown(std::string_view name) {
  constexpr std::size_t kMaxShown = 40;
  return name.size() <= kMaxShown ? std::string(name)
                                  : std::string(name.substr(0, kMaxShown)) + "...";
}

}  // namespace

SourceFacts ParseSource(std::string_view source, bool ascii_names) {
  SourceFacts facts;
  Parser(source, ascii_names, facts).ParseFile();
  return facts;
}

Parser::Parser(std::string_view source, bool ascii_names, SourceFacts& facts)
    : lexer_(source), ascii_names_(ascii_names), facts_(facts) {
  ahead_ = lexer_.Next();
  Advance();
}

void Parser::ParseFile() {
  facts_.functions.push_back({{1, 1}, {}, {}});
  const std::size_t begin = token_.begin;
  Block();
  if (token_.kind != TokenKind::kEnd) Fail("expected the end of the file");
  if (const int keys = regions_.front().keys; keys > 0) {
    facts_.insertions.push_back({begin, Insertion::Kind::kKeys, 0, kNoIndex, {}, keys});
  }
  DropNeedless();
  std::stable_sort(facts_.insertions.begin(), facts_.insertions.end(),
                   [](const Insertion& a, const Insertion& b) { return a.offset < b.offset; });
}

// ---- tokens ------------------------------------------------------------------------------------

void Parser::Advance() {
  read_end_ = token_.end;
  before_ = token_;
  regions_.back().tokens += WeightOf(token_);
  token_ = ahead_;
  if (token_.kind == TokenKind::kError) {
    Fail(std::string(token_.text));
    return;
  }
  ahead_ = lexer_.Next();
  const auto foreign = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (ascii_names_ && (token_.kind == TokenKind::kName || token_.kind == TokenKind::kNumber) &&
      std::any_of(token_.text.begin(), token_.text.end(), foreign)) {
    Fail("a name may only have the letters a-z, A-Z, 0-9 and _");
  }
}

void Parser::Fail(const std::string& what) {
  if (facts_.syntax_ok) {
    std::string text = "syntax error: " + what;
    if (token_.kind == TokenKind::kEnd) {
      text += " at the end of the file";
    } else if (token_.kind != TokenKind::kError) {
      text += " near '" + Shown(token_.text) + "'";
    }
    Problem(token_.place, std::move(text), CureFor(what));
    facts_.syntax_ok = false;
  }
  token_.kind = TokenKind::kEnd;
  token_.text = {};
  ahead_ = token_;
}

bool Parser::Accept(std::string_view word) {
  if (!token_.Is(word)) return false;
  Advance();
  return true;
}

void Parser::Expect(std::string_view word, std::string_view opener, SourcePlace opened) {
  if (Accept(word)) return;
  std::string what = "expected '" + std::string(word) + "'";
  if (!opener.empty() && opened.line != token_.place.line) {
    what += " for the '" + std::string(opener) + "' of line " + std::to_string(opened.line);
  }
  Fail(what);
}

// `goto` is a name wherever a name is needed.
Token Parser::ExpectName() {
  Token name = token_;
  if (name.kind != TokenKind::kName && !name.Is("goto")) {
    Fail("expected a name");
    return name;
  }
  Advance();
  return name;
}

void Parser::Problem(SourcePlace place, std::string what, std::string cure) {
  if (!facts_.syntax_ok) return;
  facts_.problems.push_back({place, std::move(what), std::move(cure)});
}

int Parser::Mark(MarkKind kind, std::size_t offset, SourcePlace place) {
  facts_.marks.push_back({kind, offset, place, kNoIndex, false});
  return static_cast<int>(facts_.marks.size()) - 1;
}

// ---- scopes ------------------------------------------------------------------------------------

int Parser::Declare(const Token& name) {
  Variable& variable = facts_.variables.emplace_back();
  variable.name = name.text;
  variable.function = function_;
  visible_.push_back(static_cast<int>(facts_.variables.size()) - 1);
  by_name_[name.text].push_back(visible_.back());
  return visible_.back();
}

void Parser::LeaveScope(std::size_t size) {
  for (; visible_.size() > size; visible_.pop_back()) {
    by_name_[facts_.variables[static_cast<std::size_t>(visible_.back())].name].pop_back();
  }
}

int Parser::Resolve(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() || found->second.empty() ? kNoIndex : found->second.back();
}

// ---- statements --------------------------------------------------------------------------------

bool Parser::BlockEnds() const {
  return token_.kind == TokenKind::kEnd || token_.Is("end") || token_.Is("else") ||
         token_.Is("elseif") || token_.Is("until") || token_.Is("}") || token_.Is(")");
}

void Parser::Block() {
  if (++level_ > kMaxLevels) Fail("nested too deeply");
  while (!BlockEnds()) {
    const bool last = token_.Is("return");
    Statement();
    Accept(";");
    if (last) break;
  }
  --level_;
}

void Parser::ScopedBlock(std::string_view closer, std::string_view opener, SourcePlace opened) {
  const std::size_t scope = visible_.size();
  Block();
  LeaveScope(scope);
  Expect(closer, opener, opened);
}

void Parser::Statement() {
  const Token first = token_;
  if (!first.Is(";")) Mark(MarkKind::kStatement, first.begin, first.place);
  if (Accept("if")) {
    If(first.place);
  } else if (Accept("while")) {
    While(first.place);
  } else if (Accept("for")) {
    For(first);
  } else if (Accept("repeat")) {
    Repeat(first.end);
  } else if (Accept("do")) {
    EnterRegion(first.end);
    ScopedBlock("end", "do", first.place);
    LeaveRegion();
  } else if (Accept("function")) {
    FunctionStatement(first.begin);
  } else if (Accept("local")) {
    LocalStatement();
  } else if (Accept("return")) {
    ReturnStatement();
  } else if (Accept("break")) {
    regions_.back().plain = false;
  } else if (Accept("::")) {
    ExpectName();
    Expect("::");
  } else if (first.Is("goto") && ahead_.kind == TokenKind::kName) {
    TickBefore(first);
    Advance();
    ExpectName();
  } else if (!Accept(";")) {
    ExpressionStatement();
  }
}

void Parser::If(SourcePlace opened) {
  const std::size_t scope = visible_.size();
  const auto arm = [&] {
    const SourcePlace condition = token_.place;
    Truth(Parse());
    Mark(MarkKind::kThen, token_.end, condition);
    Expect("then");
    Block();
    LeaveScope(scope);
  };
  arm();
  while (Accept("elseif")) arm();
  if (token_.Is("else")) {
    Mark(MarkKind::kElse, token_.end, token_.place);
    if (ahead_.Is("if") && ahead_.place.line == token_.place.line) {
      else_if_line_ = token_.place.line;
    }
    Advance();
    Block();
    LeaveScope(scope);
  } else {
    Mark(MarkKind::kNoElse, token_.begin, opened);
  }
  Expect("end", "if", opened);
}

void Parser::While(SourcePlace opened) {
  EnterRegion(0);
  Truth(Parse());
  facts_.insertions[regions_.back().tick].offset = token_.end;
  Expect("do");
  ScopedBlock("end", "while", opened);
  LeaveRegion();
}

void Parser::For(const Token& first) {
  const SourcePlace opened = first.place;
  std::vector<Token> names = {ExpectName()};
  std::optional<int> rounds;
  if (Accept("=")) {
    const std::optional<int> from = Bound();
    Expect(",");
    const std::optional<int> to = Bound();
    if (from && to) rounds = std::max(0, *to - *from + 1);
    if (Accept(",")) {
      Bound();
      rounds.reset();
    }
  } else {
    while (Accept(",")) names.push_back(ExpectName());
    Expect("in");
    for (const Value& value : List()) Escape(value, opened, false);
  }
  EnterRegion(token_.end);
  Expect("do");
  const std::size_t scope = visible_.size();
  for (const Token& name : names) Declare(name);
  Block();
  LeaveScope(scope);
  Expect("end", "for", opened);
  LeaveLoop(first.begin, rounds);
}

// The condition sees the locals of the body.
void Parser::Repeat(std::size_t tick) {
  const std::size_t scope = visible_.size();
  EnterRegion(tick);
  Block();
  Expect("until");
  Parse();
  LeaveScope(scope);
  LeaveRegion();
}

void Parser::LocalStatement() {
  if (Accept("function")) {
    const int variable = Declare(ExpectName());
    const int body = FunctionBody(false);
    facts_.variables[static_cast<std::size_t>(variable)].bound = body;
    return;
  }
  std::vector<Token> names = {ExpectName()};
  while (Accept(",")) names.push_back(ExpectName());
  std::vector<Value> values;
  if (Accept("=")) values = List();
  for (std::size_t i = 0; i < names.size(); ++i) {
    Variable& variable = facts_.variables[static_cast<std::size_t>(Declare(names[i]))];
    if (i >= values.size()) continue;
    if (values[i].kind == ValueKind::kOrigin) variable.origin = values[i].id;
    if (values[i].kind == ValueKind::kFunction) variable.bound = values[i].id;
    variable.fresh = values[i].kind == ValueKind::kTable;
  }
}

// function a.b:c() ... end
void Parser::FunctionStatement(std::size_t begin) {
  std::string prefix;
  std::string_view last = token_.text;
  Expression target = Primary();
  bool method = false;
  while (!method && (token_.Is(".") || token_.Is(":"))) {
    method = token_.Is(":");
    Advance();
    const Token name = ExpectName();
    if (!prefix.empty()) prefix += '.';
    prefix += last;
    last = name.text;
    Index(target, name.text, name.place);
  }
  CheckTarget(target);
  if (target.indexed) CountKeys(1);
  if (target.indexed && function_ != 0) {
    facts_.insertions.push_back(
        {begin, Insertion::Kind::kOwn, 0, WriterOf(target), std::move(prefix)});
  }
  FunctionBody(method);
}

void Parser::ReturnStatement() {
  regions_.back().plain = false;
  const SourcePlace place = token_.place;
  const std::size_t begin = token_.begin;
  std::vector<Value> values;
  if (!BlockEnds() && !token_.Is(";")) values = List();
  for (const Value& value : values) Escape(value, place, false);
  const bool open = !values.empty() && values.back().kind == ValueKind::kMultiple;
  if (open && values.size() > 1) {
    facts_.insertions.push_back({begin, Insertion::Kind::kFewBegin});
    facts_.insertions.push_back({read_end_, Insertion::Kind::kFewEnd});
  }
  facts_.functions[static_cast<std::size_t>(function_)].returns.push_back(
      {place, open ? kNoIndex : static_cast<int>(values.size())});
  if (function_ != 0) return;
  facts_.result = values.size() == 1 ? values[0] : Value{};
  facts_.result_place = place;
}

void Parser::ExpressionStatement() {
  Expression first = Suffixed();
  if (first.call) return;
  if (!token_.Is("=") && !token_.Is(",")) {
    Fail(first.target ? "expected '='" : "expected a statement");
    return;
  }
  std::vector<Expression> targets = {first};
  while (Accept(",")) targets.push_back(Suffixed());
  Expect("=");
  Assign(targets);
}

void Parser::Assign(const std::vector<Expression>& targets) {
  for (const Expression& target : targets) {
    if (!target.target) {
      Fail("this cannot be assigned to");
      return;
    }
  }
  const std::vector<Expression> values = Expressions();
  for (const Expression& value : values) {
    Escape(value.value, targets[0].place, targets[0].indexed);
  }
  for (const Expression& target : targets) {
    CheckTarget(target);
    Own(target);
    if (!target.indexed) continue;
    CountKeys(1);
    if (target.key_end != 0) Key(target.key_begin, target.key_end);
  }
  Gone(targets, values);
}

// A key that is set to nil leaves room that the next one cannot have before its table is made anew,
// which takes as long as the table is large: a program that writes nil pays for that.
void Parser::Gone(const std::vector<Expression>& targets, const std::vector<Expression>& values) {
  for (std::size_t i = 0; i < std::min(targets.size(), values.size()); ++i) {
    const bool last = i + 1 == values.size();
    const auto first = targets.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = last ? targets.end() : first + 1;
    const bool indexed = std::any_of(first, end, [](const Expression& t) { return t.indexed; });
    const auto keys = static_cast<int>(end - first);
    if (!indexed || (keys == 1 && values[i].some)) continue;
    facts_.insertions.push_back({values[i].begin, Insertion::Kind::kGoneBegin, keys});
    facts_.insertions.push_back({values[i].end, Insertion::Kind::kGoneEnd});
  }
}

// Numbers that are no place in a list may all be chosen to collide: how many there are is limited.
void Parser::Key(std::size_t begin, std::size_t end) {
  facts_.insertions.push_back({begin, Insertion::Kind::kKeyBegin});
  facts_.insertions.push_back({end, Insertion::Kind::kKeyEnd});
}

// A variable of the running function that was made a table where it was declared.
int Parser::WriterOf(const Expression& target) const {
  if (target.root == kNoIndex || target.depth != 1) return kNoIndex;
  const Variable& variable = facts_.variables[static_cast<std::size_t>(target.root)];
  return variable.fresh && variable.function == function_ ? target.root : kNoIndex;
}

// While the file is loaded it writes into what it likes; later, into what is not the file's own.
void Parser::Own(const Expression& target) {
  if (function_ == 0 || !target.indexed) return;
  const int variable = WriterOf(target);
  facts_.insertions.push_back({target.begin, Insertion::Kind::kOwnBegin, 0, variable, {}});
  facts_.insertions.push_back({target.prefix_end, Insertion::Kind::kOwnEnd, 0, variable, {}});
}

// A fresh table that its variable still holds needs no check.
void Parser::DropNeedless() {
  std::erase_if(facts_.insertions, [this](const Insertion& insertion) {
    return insertion.variable != kNoIndex &&
           !facts_.variables[static_cast<std::size_t>(insertion.variable)].reassigned;
  });
}

// What a policy assigns to must end with the call: no globals, nothing of an outer function.
void Parser::CheckTarget(const Expression& target) {
  if (target.root == kNoIndex) {
    if (target.use == kNoIndex) return;
    GlobalUse& use = facts_.globals[static_cast<std::size_t>(target.use)];
    use.assigned = true;
    const std::string name = Shown(use.name);
    if (target.indexed) {
      Problem(target.place, "'" + name + "' cannot be changed", "use a local table");
    } else {
      Problem(target.place, "'" + name + "' is global and cannot be assigned",
              "write local " + name + " = ...; a policy has no memory");
    }
    return;
  }
  Variable& variable = facts_.variables[static_cast<std::size_t>(target.root)];
  const std::string name = Shown(variable.name);
  if (!target.indexed) {
    variable.reassigned = true;
    if (variable.function != function_) {
      Problem(target.place, "'" + name + "' belongs to an outer function and cannot be assigned",
              "return the new value, or use a local; a policy has no memory");
    }
  } else if (variable.function == 0 && function_ != 0) {
    Problem(target.place, "'" + name + "' belongs to the file and cannot be changed here",
            "build the table inside the function; a policy has no memory");
  }
}

}  // namespace muster::luajit
