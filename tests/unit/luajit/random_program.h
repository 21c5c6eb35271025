// Random Lua programs that end: every statement form of Lua 5.1 and LuaJIT's goto, every spelling
// of strings, numbers and comments that the lexer must not trip over. Same seed and compiler, same
// program.
#ifndef MUSTER_TESTS_UNIT_LUAJIT_RANDOM_PROGRAM_H_
#define MUSTER_TESTS_UNIT_LUAJIT_RANDOM_PROGRAM_H_

#include <random>
#include <string>
#include <vector>

namespace muster::luajit::testing {

class RandomProgram {
 public:
  explicit RandomProgram(unsigned int seed) : random_(seed) {}

  /// The body of a queue_order(w, c): two keys made of everything the program did.
  std::string Body() {
    return kStart + Block(4) + "\nreturn num(a) + num(b) * 3 + num(t.x), num(s) + num(t[1])";
  }

 private:
  // num makes a finite number of anything; `a` and `b` are numbers, `s` a short string, `t` a
  // table.
  inline static const std::string kStart =
      "local function num(v) local k = type(v) if k == 'number' then\n"
      "  if v ~= v or v - v ~= 0 then return 7 end return v % 1009\n"
      "elseif k == 'string' then return #v % 997 elseif k == 'boolean' then return v and 1 or 2\n"
      "elseif k == 'table' then return #v % 991 end return 5 end\n"
      "local function short(v) if #v > 40 then return v:sub(-20) end return v end\n"
      "local a, b, s, t = w.priority, 3, 'x' .. w.gpus, { 4, 5, x = 6 }\n";

  int Pick(int n) { return static_cast<int>(random_() % static_cast<unsigned int>(n)); }
  template <typename... Texts>
  std::string Any(Texts... texts) {
    const std::vector<std::string> all = {texts...};
    return all[static_cast<std::size_t>(Pick(static_cast<int>(all.size())))];
  }
  std::string Id() { return std::to_string(++count_); }

  std::string Gap() {
    return Any(" ", " ", " ", "\n", "\t", " --[[ do ]] ", " -- end\n", " --[==[ ]] \n repeat ]==] ",
               "\r\n", " --\n", " --[ then\n");
  }
  std::string Number() {
    return Any("0", "1", "2", "7", "0x10", "0xfp1", "1e2", "3.", ".5", "0x.8", "1e-2", "12345678",
               "0XA.8P0", "9007199254740993", "1E+1");
  }
  std::string Text() {
    return Any("'do'", "\"end\"", "'\\'until'", "\"\\\"--\"", "[[while ]]", "[==[ ]] goto ]==]",
               "'\\x41\\065\\n'", "'a\\z   \n  b'", "'--[['", "[[\n\r\n]]", "'\\\\'", "''",
               "'\\u{e9}'", "'tab\\\nline'", "\"]]\"", "'1'");
  }
  std::string Numeric(int depth) {
    if (depth == 0) return Any("a", "b", "t.x", "#s", "w.gpus", "num(t[2])");
    const std::string x = Numeric(depth - 1);
    switch (Pick(12)) {
      case 0:
        return Number();
      case 1:
        return "(" + x + Any(" + ", " - ", " * ", "+", "*") + Numeric(depth - 1) + ") % 8191";
      case 2:
        return "-" + Any("", " ") + "(" + x + ")";
      case 3:
        return "math." + Any("floor", "abs", "ceil") + "(" + x + Gap() + ")";
      case 4:
        return "num" + Any(Text(), "{" + x + "}", "(" + x + ")", "(" + Boolean(depth - 1) + ")");
      case 5:
        return "(" + Boolean(depth - 1) + " and " + x + " or" + Gap() + Numeric(depth - 1) + ")";
      case 6:
        return "select('#', " + x + ", s, nil)";
      case 7:
        return "(select(2, " + Textual(depth - 1) + ", " + x + "))";
      case 8:
        return "(function(...)" + Gap() + "local p, q = ... return q or p end)(" + x + ")";
      case 9:
        return "bit.band(num(" + x + "), 255)";
      case 10:
        return "#" + Any(std::string("t"), "(" + Textual(depth - 1) + ")");
      default:
        return "num(" + x + ")";
    }
  }
  std::string Textual(int depth) {
    if (depth == 0) return Any(std::string("s"), Text());
    switch (Pick(7)) {
      case 0:
        return Textual(depth - 1) + " .. " + Textual(depth - 1);
      case 1:
        return "(" + Textual(depth - 1) + Gap() + ".." + Gap() + "num(" + Numeric(depth - 1) + "))";
      case 2:
        return "short(" + Textual(depth - 1) + "):" + Any("upper", "lower", "reverse") + "()";
      case 3:
        return "('%s|%d'):format(" + Textual(depth - 1) + ", num(" + Numeric(depth - 1) + "))";
      case 4:
        return "string.rep(short(" + Textual(depth - 1) + "), 2)";
      case 5:
        return "tostring(" + Boolean(depth - 1) + ")";
      default:
        return Text();
    }
  }
  std::string Boolean(int depth) {
    if (depth == 0) return Any("true", "a < b", "nil", "s == 'x0'", "w.gpus > 2", "a % 2 == 1");
    switch (Pick(5)) {
      case 0:
        return "not (" + Boolean(depth - 1) + ")";
      case 1:
        return "(" + Boolean(depth - 1) + " or " + Boolean(depth - 1) + ")";
      case 2:
        return "num(" + Numeric(depth - 1) + ")" + Any(" < ", " <= ", "~=", " == ", ">=") + "num(" +
               Numeric(depth - 1) + ")";
      case 3:
        return Textual(depth - 1) + Any(" < ", " == ", " >= ") + Textual(depth - 1);
      default:
        return "(" + Boolean(depth - 1) + ")";
    }
  }
  std::string Block(int depth) {
    std::string text;
    for (int i = 1 + Pick(3); i > 0; --i) text += Gap() + Statement(depth) + Any(" ", ";", "\n");
    return text;
  }
  std::string Assignment() {
    switch (Pick(7)) {
      case 0:
        return "a, b = num(" + Numeric(2) + "), num(" + Numeric(1) + ")";
      case 1:
        return "s = short(" + Textual(2) + ")";
      case 2:
        return "t." + Any("x", "goto1", "y") + " = num(" + Numeric(2) + ")";
      case 3:
        return "t[" + Any("1", "#t + 1", "'x'") + "] = num(" + Numeric(1) + ")";
      case 4:
        return "t = { num(" + Numeric(1) + "), [2] = a; x = b, " + Any("", "num(a)", "s") + " }";
      case 5:
        return "local " + Any("a", "b") + " = num(" + Numeric(2) + ")";
      default:
        return Any("a", "b") + " = num(" + Numeric(3) + ")";
    }
  }
  std::string Statement(int depth) {
    if (depth == 0 || Pick(4) == 0) return Assignment();
    const std::string id = Id();
    const std::string body = Block(depth - 1);
    switch (Pick(15)) {
      case 0:
        return "for i" + id + " = " +
               Any("1, 3", "3, 1, -1", "1, 2, 0.5", "1, num(a) % 4", "1, 0") + " do" + body +
               "a = a + i" + id + " end";
      case 1:
        return "for k, v in " +
               Any("ipairs { #t, t[1] }", "pairs { 1, x = 2 }", "ipairs { a, b }") + " do" + body +
               "b = (b + num(v)) % 97 end";
      case 2:
        return "do local n = 0 while n < 3" + Gap() + "and " + Boolean(1) + " do n = n + 1" + body +
               "if " + Boolean(1) + " then break end end end";
      case 3:
        return "do local n = 0 repeat local m = n n = n + 1" + body + "until m > 1 or " +
               Boolean(1) + " end";
      case 4:
        return "if " + Boolean(2) + " then" + body + "elseif " + Boolean(1) + " then" +
               Block(depth - 1) + "else" + Block(depth - 1) + "end";
      case 5:
        return "local function f" + id + "(a, b, ...)" + body + "return num(a), select('#', ...) " +
               "end a, b = f" + id + "(a, " + Any("b", "s", "b, a, s") + ")";
      case 6:
        return "function t" + Any(".m", ":m", ".g") + "(p) " + body +
               "return num(p) end a = num(a + b)";
      case 7:
        return "for _, v in ipairs { a, b } do if num(v) % 2 == 0 then goto l" + id + " end" +
               body + "::l" + id + ":: end";
      case 8:
        return "do local n = 0 ::l" + id + ":: n = n + 1" + body + "if n < 3 then goto l" + id +
               " end end";
      case 9:
        return "do local ok, e = pcall(function(...)" + body +
               Any("", "error('no', 0) ", "t = nil + 1 ") +
               "end, a) if not ok then s = short(e) end end";
      case 10:
        return "local function r" + id + "(n) if n <= 0 then return 0 end" + body + "return " +
               Any("", "1 + ") + "r" + id + "(n - 1) end b = r" + id + "(3)";
      case 11:
        return "do local fs = {} for i = 1, 3 do fs[#fs + 1] = function() a = num(a + i) return i "
               "end end" +
               body + "for i = 1, #fs do b = fs[i]() end end";
      case 12:
        return "do local l = { 3, 1, num(a) } table.sort(l, function(p, q) return p " +
               Any("<", ">") + " q end)" + body + "a = l[1] end";
      case 13:
        return "do" + body + "local a = " + Number() + " end";
      default:
        return "do (function()" + body + "do return end end)() end";
    }
  }

  std::mt19937 random_;
  int count_ = 0;
};

}  // namespace muster::luajit::testing

#endif  // MUSTER_TESTS_UNIT_LUAJIT_RANDOM_PROGRAM_H_
