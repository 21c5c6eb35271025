// Written as Lua. `big` is a text of 64 KB, `tiny` and `huge` are numbers whose digits and
// remainders take long, `numeral` is a text that takes long to be read as a number.
#include "tests/bench/fuel_rows.h"

#include <bit>
#include <cstdint>
#include <utility>

namespace muster::bench {
namespace {

const char* const kTexts =
    "local big, near = string.rep('x', 65536), string.rep('x', 65535) .. 'y' "
    "local medium, short = string.rep('x', 255), string.rep('x', 60) ";
const char* const kNumbers =
    "local tiny, huge, odd = 4.9406564584124654e-324, 1.7976931348623157e308, 123456.789e-300 "
    "local numeral = '4.94065645841246e-308' local digits = '0.12345678901234567' ";
const char* const kMany = "local many = {} for i = 1, 200 do many[i] = i end ";
const char* const kManyTexts =
    "local texts = {} for i = 1, 4096 do texts[i] = string.rep('x', 900) .. (i * 2654435 % 8192) "
    "end ";

// Where LuaJIT puts a number in a table of 256 places.
unsigned int PlaceOf(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  auto low = static_cast<std::uint32_t>(bits);
  std::uint32_t high = static_cast<std::uint32_t>(bits >> 32) << 1;
  low ^= high;
  high = std::rotl(high, 14);
  low -= high;
  high = std::rotl(high, 5);
  high ^= low;
  high -= std::rotl(low, 13);
  return high & 255;
}

// A list `collide` of `count` whole numbers from `first` on that LuaJIT puts into one place.
std::string Colliding(std::int64_t first, int count) {
  std::string code = "local collide = { ";
  for (std::int64_t i = first; count > 0; ++i) {
    if (PlaceOf(static_cast<double>(i)) != 7) continue;
    code += std::to_string(i) + ", ";
    --count;
  }
  return code + "} ";
}

std::vector<FuelRow> Operators() {
  const std::string both =
      std::string(kTexts) + kNumbers + "local x, t, n, yes = 1, {}, w.gpus, w.gpus == 7 ";
  return {
      {"local, of a constant", "local a = 1", both},
      {"assign, of a local", "x = n", both},
      {"+ of numbers", "x = x + n", both},
      {"- of numbers", "x = n - x", both},
      {"* of denormal numbers", "x = tiny * n", both},
      {"/ of denormal numbers", "x = tiny / huge", both},
      {"% of far numbers", "x = huge % tiny", both},
      {"- in front", "x = -x", both},
      {"+ of a text of digits", "x = digits + n", both},
      {"+ of a text with an exponent", "x = numeral + n", both},
      {"- in front of a text with an exponent", "x = -numeral", both},
      {"* of a long text that is no number", "pcall(function() return n * big end)", both},
      {"# of a text", "x = #big", both},
      {"# of a list", "x = #many", both + kMany},
      {"# of a table of far keys", "x = #t",
       both + "for i = 0, 15 do t[muster.pow(2, i)] = 1 end "},
      {"not", "yes = not yes", both},
      {"and, or", "x = yes and x or n", both},
      {"== of long texts", "yes = big == near", both},
      {"~= of numbers", "yes = x ~= n", both},
      {"< of long texts", "yes = big < near", both},
      {"< of texts that are just free", "yes = medium < medium", both},
      {"> of numbers", "yes = x > n", both},
      {"<= of long texts", "yes = near <= big", both},
      {">= of numbers", "yes = x >= n", both},
      {".. of denormal numbers", "x = tiny .. odd", both},
      {".. of ten numbers", "x = odd .. n .. tiny .. n .. huge .. n .. odd .. n .. tiny .. n",
       both},
      {".. of a long text", "x = near .. ''", both + "near = near:sub(1, 65000) "},
      {".. of a text that is just free", "x = short .. n", both + "short = short:sub(1, 40) "},
      {"^ is muster.pow", "x = muster.pow(n, tiny)", both},
      {"field of a table that is read", "x = t.name", both},
      {"field of a table that is written", "t.name = n", both},
      {"index of a list that is read", "x = many[200]", both + kMany},
      {"index of a list that is written", "many[n] = n", both + kMany},
      {"append", "many[#many + 1] = n", both + kMany, 4},
      {"new keys, one after the other", "x = x + 1 t['k' .. x] = n", both, 4},
      {"keys that come and go in a full table", "x = x + 1 t['k' .. x] = n t['k' .. x] = nil",
       both + "for i = 1, 4096 do t['f' .. i] = i end t.f1 = nil "},
      {"keys that come and go, by a variable", "x = x + 1 t['k' .. x] = n t['k' .. x] = t.none",
       both + "for i = 1, 1024 do t['f' .. i] = i end t.f1 = nil "},
      {"keys that come and go, small", "x = x + 1 t['k' .. x] = n t['k' .. x] = nil",
       both + "for i = 1, 64 do t['f' .. i] = i end t.f1 = nil "},
      {"keys that come and go, several at once",
       "x = x + 1 t['k' .. x], t['l' .. x] = n, n t['k' .. x], t['l' .. x] = nil",
       both + "for i = 1, 4096 do t['f' .. i] = i end t.f1 = nil "},
      {"keys of a literal that come and go", "x = x + 1 t['k' .. x] = n t['k' .. x] = nil",
       both + "t = made() t.f1 = nil ", 16,
       [] {
         std::string code = "local function made() return {";
         for (int i = 1; i <= 4096; ++i) code += "f" + std::to_string(i) + "=1,";
         return code + "} end ";
       }()},
      {"read of numbers that collide", "x = t[last]",
       both + "local last = 0 for i = 1, #collide do last = collide[i] t[last] = i end ", 16,
       Colliding(4'294'967'296, 250)},
      {"read of whole numbers that collide", "x = t[last]",
       both + "local last = 0 for i = 1, #collide do last = collide[i] t[last] = i end ", 16,
       Colliding(1, 250)},
  };
}

std::vector<FuelRow> Statements() {
  const std::string some = std::string("local x, n, t, yes = 1, w.gpus, {}, w.gpus == 7 ") + kMany;
  const std::string deep =
      "local function down(depth, f, ...) if depth == 0 then return f(...) end "
      "local a = down(depth - 1, f, ...) return a end ";
  std::string long_body;
  for (int i = 0; i < 15'000; ++i) long_body += "a = b b = a ";
  return {
      {"do", "do x = n end", some},
      {"while", "while yes do yes = false end yes = true", some},
      {"repeat", "repeat x = n until yes", some},
      {"for, no rounds", "for i = 1, 0 do end", some},
      {"for, numbers", "for i = 1, 100 do x = i end", some},
      {"for, a few rounds", "for i = 1, 16 do x = x + i * n end", some},
      {"for, over texts", "for i = '1e-300', '0.5e0' do x = i end", some},
      {"for, ipairs", "for i, v in ipairs(many) do x = v end", some},
      {"for, pairs of a list", "for k, v in pairs(many) do x = v end", some, 4},
      {"for, pairs of texts", "for k, v in pairs(t) do x = v end",
       some + "for i = 1, 100 do t['k' .. i] = i end ", 2},
      {"for, pairs of an empty table that was full", "for k, v in pairs(t) do x = v end",
       some + "for i = 1, 4096 do t['k' .. i] = i end for i = 1, 4096 do t['k' .. i] = nil end ",
       2},
      {"if", "if yes then x = n else x = 1 end", some},
      {"if, elseif", "if x == n then x = 1 elseif x ~= 3 then x = n end", some},
      {"goto", "do goto on ::on:: end", some},
      {"break", "while yes do break end", some},
      {"function, made", "local f = function() return x end", some},
      {"function, made and called", "local f = function() return x end f()", some},
      {"function, called", "f(x)", some + "local function f(y) return y end "},
      {"return, of many", "x = f()", some + "local function f() return unpack(many) end "},
      {"method, called", "t:f()", some + "t.f = function(self) return self end "},
      {"..., many passed on", "f(unpack(many))", some + "local function f(...) return ... end "},
      {"..., many passed on again", "f(unpack(many))",
       some + "local function g(...) return ... end local function f(...) return g(...) end "},
      {"..., into a table", "f(unpack(many))",
       some + "local function f(...) local a = { ... } end "},
      {"{}", "t = {}", some},
      {"{}, kept", "t = { t }", some, 4},
      {"{}, of values", "t = { 1, 2, 3, 4, 5, 6, 7, 8 }", some},
      {"{}, of fields", "t = { a = 1, b = 2, c = 3, d = n, e = yes, f = x }", some},
      {"{}, of computed keys", "t = { [n] = 1, [x] = 2, [yes] = 3 }", some},
      {"{}, of an open call", "t = { unpack(many) }", some},
      {"pcall, of what works", "pcall(f)", some + "local function f() return 1 end "},
      {"pcall, of an error", "pcall(error, 'x')", some},
      {"pcall, of an error with a place", "pcall(f)",
       some + "local long = string.rep('x', 65000) local function f() error(long) end "},
      {"pcall, of nothing", "pcall(nil)", some},
      {"pcall, of pcall of pcall", "pcall(pcall, pcall, pcall, pcall, error, 'x')", some},
      {"pcall, of an error far down", "down(120, pcall, error, 'x', 1000000)", some + deep, 2},
      {"pcall, of a nil in a long function", "pcall(f)",
       some + "local function f() local a, b, c while yes == 1 do " + long_body +
           " end return a.b end "},
      {"pcall, of a field there is not", "pcall(f)",
       some + "local name = string.rep('q', 64) local function f() return w[name] end "},
      {"pcall, of a comparison", "pcall(f)", some + "local function f() return t < x end "},
      {"pcall, of a recursion", "pcall(f, 40)",
       some + "local function f(k) if k == 0 then error('x') end return 1 + f(k - 1) end "},
  };
}

std::vector<FuelRow> Views() {
  const std::string some = "local x, key = 0, 'cpu' ";
  std::vector<FuelRow> rows;
  for (const char* field : {"name", "namespace", "local_queue", "cluster_queue", "priority", "gpus",
                            "waited", "max_run"}) {
    rows.push_back({std::string("w.") + field, std::string("x = w.") + field, some});
  }
  for (const char* read :
       {"w.label.stage", "w.request.cpu", "w.request[key]", "w.account.used", "c.now", "c.cycle",
        "c.params.weight", "c.queue.name", "c.queue.weight", "c.queue.nominal.cpu", "c.queue.kind",
        "c.resources.count", "c.resources[1]", "c.rng('tie')", "c.rng(4.9406564584124654e-324)",
        "c.rng('tie', 'day')", "c.local_time('Europe/Zurich').hour"}) {
    rows.push_back({read, std::string("x = ") + read, some});
  }
  rows.push_back({"c.rng(long)", "x = c.rng(big)", some + kTexts});
  return rows;
}

std::vector<FuelRow> Functions() {
  const std::string some =
      std::string("local x, n, t, yes = 1, w.gpus, {}, w.gpus == 7 ") + kTexts + kNumbers + kMany;
  std::vector<FuelRow> rows = {
      {"assert", "x = assert(yes, big)", some},
      {"assert(many)", "x = assert(unpack(many))", some},
      {"error", "pcall(error, big, 0)", some},
      {"error(level)", "pcall(error, big, numeral)", some},
      {"ipairs", "x = ipairs(many)", some},
      {"ipairs, its iterator", "pcall(following, many, numeral)",
       some + "local following = ipairs(many) "},
      {"pairs", "x = pairs(t)", some},
      {"pairs, its iterator", "state[1] = numeral pcall(following, state)",
       some + "local following, state = pairs(many) "},
      {"rawequal", "yes = rawequal(big, near)", some},
      {"select(first of many)", "x = select(1, unpack(many))", some},
      {"select(#)", "x = select('#', unpack(many))", some},
      {"select(last)", "x = select(-1, unpack(many))", some},
      {"tonumber(exponent)", "x = tonumber(numeral)", some},
      {"tonumber(digits)", "x = tonumber(digits)", some},
      {"tonumber(long)", "x = tonumber(ones)", some + "local ones = string.rep('1', 60000) "},
      {"tonumber(long fraction)", "x = tonumber(ones)",
       some + "local ones = '0.' .. string.rep('1', 790) .. 'e-300' "},
      {"tonumber(blanks)", "x = tonumber(blanks)", some + "local blanks = string.rep(' ', 65536) "},
      {"tonumber(blanks and a digit)", "x = tonumber(blanks)",
       some + "local blanks = string.rep(' ', 65000) .. '1' "},
      {"tonumber(some blanks)", "x = tonumber(blanks)",
       some + "local blanks = string.rep(' ', 254) .. 'x' "},
      {"tonumber(hex)", "x = tonumber(hex)", some + "local hex = '0x' .. string.rep('f', 250) "},
      {"tonumber(radix)", "x = tonumber(zs, 36)", some + "local zs = string.rep('z', 250) "},
      {"tostring(denormal)", "x = tostring(tiny)", some},
      {"tostring(huge)", "x = tostring(odd)", some},
      {"tostring(text)", "x = tostring(big)", some},
      {"type", "x = type(big)", some},
      {"unpack", "x = unpack(many)", some},
      {"unpack(holes)", "x = unpack(t, 1, 199)", some},
      {"string.byte", "x = string.byte(short, 1, 60)", some},
      {"string.byte(far)", "x = big:byte(-1)", some},
      {"string.byte(number)", "x = string.byte(odd, 1, 9)", some},
      {"string.contains", "x = string.contains(a, b)",
       some + "local a, b = string.rep('a', 4000), string.rep('a', 200) .. 'b' "},
      {"string.contains(short)", "x = string.contains(short, 'y')", some},
      {"string.find", "x = string.find(a, b)",
       some + "local a, b = string.rep('a', 4000), string.rep('a', 200) .. 'b' "},
      {"string.find(short)", "x = string.find(short, 'y')", some},
      {"string.find(long)", "x = string.find(big, 'y', 2)", some},
      {"string.find(nothing)", "x = string.find(big, '', -1)", some},
      {"muster.split", "t = muster.split(near, 'y')", some, 4},
      {"muster.split(many)", "t = muster.split(commas, ',')",
       some + "local commas = string.rep('abcdefgh,', 999) ", 4},
      {"muster.split(empty parts)", "t = muster.split(commas, ',')",
       some + "local commas = string.rep(',', 999) ", 4},
      {"muster.split(worst)", "t = muster.split(a, b)",
       some + "local a, b = string.rep('a', 4000), string.rep('a', 200) .. 'b' "},
      {"muster.hash", "x = muster.hash(big)", some},
      {"muster.hash(short)", "x = muster.hash(short)", some},
      {"string.format(%s)", "x = string.format('%s', big)", some},
      {"string.format(%q)", "x = string.format('%q', zeros)",
       some + "local zeros = string.rep('\\0', 8000) "},
      {"string.format(%.99f)", "x = string.format('%.99f', huge)", some},
      {"string.format(%99.99f)", "x = string.format('%99.99f', tiny)", some},
      {"string.format(%.99e)", "x = string.format('%.99e', tiny)", some},
      {"string.format(%.99g)", "x = string.format('%.99g', odd)", some},
      {"string.format(%.99f, many)", "x = string.format(form, unpack(values))",
       some +
           "local form, values = '', {} for i = 1, 40 do form = form .. '%.99f' values[i] = huge "
           "end ",
       4},
      {"string.format(%99s, many)", "x = string.format(form, unpack(values))",
       some + "local form, values = '', {} for i = 1, 190 do form = form .. '%99s' values[i] = 'x' "
              "end ",
       4},
      {"string.format(%a)", "x = string.format('%.99a', odd)", some},
      {"string.format(%d)", "x = string.format('%99d', p)", some + "local p = muster.pow(2, 52) "},
      {"string.format(text of a number)", "x = string.format('%.99f', numeral)", some},
      {"string.format(percents)", "x = string.format(form)",
       some + "local form = string.rep('%%', 30000) "},
      {"string.format(directive)", "pcall(string.format, form)",
       some + "local form = '%' .. string.rep('-', 60000) .. 'd' "},
      {"string.len", "x = string.len(big)", some},
      {"string.lower", "x = string.lower(big)", some},
      {"string.lower(short)", "x = string.lower(short)", some},
      {"string.rep", "x = string.rep(medium, 250)", some},
      {"string.rep(bytes)", "x = string.rep('x', 63)", some},
      {"string.rep(nothing)", "x = string.rep('', 1e9)", some},
      {"string.reverse", "x = string.reverse(big)", some},
      {"string.reverse(short)", "x = string.reverse(short)", some},
      {"string.sub", "x = string.sub(big, 2)", some},
      {"string.sub(short)", "x = string.sub(short, 2, -2)", some},
      {"string.upper", "x = string.upper(big)", some},
      {"string.upper(number)", "x = string.upper(odd)", some},
      {"table.concat", "x = table.concat(many)", some},
      {"table.concat(denormal)", "x = table.concat(t)",
       some + "for i = 1, 200 do t[i] = tiny * i end "},
      {"table.concat(separator)", "x = table.concat(many, medium)", some},
      {"table.concat(separator of a number)", "x = table.concat(many, tiny, 1, 2)", some},
      {"table.concat(one)", "x = table.concat(many, '', 1, 1)", some},
      {"table.insert", "table.insert(t, n)", some, 4},
      {"table.remove", "table.insert(t, n) table.remove(t)", some},
      {"table.remove(last of far keys)", "table.insert(t, n) table.remove(t)",
       some + "for i = 0, 12 do t[muster.pow(2, i)] = 1 end "},
      {"table.sort(numbers)", "for i = 1, 200 do many[i] = i * 7919 % 211 end table.sort(many)",
       some, 1},
      {"table.sort(few)", "t[1], t[2], t[3] = 3, 1, 2 table.sort(t)", some, 4},
      {"table.sort(one)", "t[1] = 1 table.sort(t)", some},
      {"table.sort(equal)", "table.sort(t)", some + "for i = 1, 500 do t[i] = 1 end ", 1},
      {"table.sort(texts)", "table.sort(texts)", some + kManyTexts, 1},
      {"table.sort(function)", "table.sort(many, less)",
       some + "local function less(a, b) return a < b end ", 1},
      {"table.sort(wrong function)", "pcall(table.sort, many, less)",
       some + "local function less(a, b) return true end ", 1},
      {"table.sort(library function)", "pcall(table.sort, t, string.contains)",
       some + "for i = 1, 500 do t[i] = string.rep('a', i % 60) end pcall(table.sort, t, "
              "string.contains) ",
       1},
      {"table.sort(rawequal)", "table.sort(many, rawequal)", some, 1},
      {"muster.clamp", "x = muster.clamp(n, tiny, huge)", some},
      {"muster.clamp(texts)", "x = muster.clamp(big, near, big)", some},
      {"muster.clamp(numerals)", "pcall(muster.clamp, numeral, numeral, numeral)", some},
      {"muster.glob(nothing)", "x = muster.glob('', stars)",
       some + "local stars = string.rep('*', 65536) "},
      {"muster.glob", "x = muster.glob(a, b)",
       some + "local a, b = string.rep('a', 4000), string.rep('*a', 100) .. 'b' "},
      {"muster.glob(short)", "x = muster.glob('aaaa', '*b')", some},
      {"muster.has", "x = muster.has(name)", some + "local name = string.rep('a', 4000) .. '.a' "},
      {"muster.has(short)", "x = muster.has('workload.max_run')", some},
      {"muster.pow", "x = muster.pow(1.0000000000000002, huge)", some},
      {"muster.pow(denormal)", "x = muster.pow(odd, 1.0626)", some},
      {"muster.sq", "x = muster.sq(tiny)", some},
      {"muster.sq(text)", "x = muster.sq(numeral)", some},
      {"muster.sq(long text)", "x = muster.sq(ones)",
       some + "local ones = '1.' .. string.rep('123456789', 7000) .. 'e-308' "},
      {"math.fmod", "x = math.fmod(huge, tiny)", some},
      {"math.fmod(far)", "x = math.fmod(huge, 3)", some},
      {"math.atan2", "x = math.atan2(tiny, huge)", some},
      {"math.ldexp", "x = math.ldexp(huge, -2000)", some},
      {"math.frexp", "x = math.frexp(tiny)", some},
      {"math.modf", "x = math.modf(1e300)", some},
      {"math.log(radix)", "x = math.log(tiny, odd)", some},
      {"math.max(many)", "x = math.max(unpack(many))", some},
      {"math.min(many)", "x = math.min(unpack(many))", some},
      {"math.max(texts)", "x = math.max(numeral, numeral)", some},
      {"math.huge", "x = math.huge", some},
      {"math.pi", "x = math.pi", some},
      {"bit.tohex", "x = bit.tohex(huge, 8)", some},
      {"bit.bor(many)", "x = bit.bor(unpack(many))", some},
      {"bit.band(text)", "x = bit.band(numeral, n)", some},
  };
  for (const char* name :
       {"abs", "acos",  "asin", "atan", "ceil", "cos", "cosh", "deg",  "exp", "floor",
        "log", "log10", "max",  "min",  "rad",  "sin", "sinh", "sqrt", "tan", "tanh"}) {
    const std::string full = std::string("math.") + name;
    rows.push_back({full + "(denormal)", "x = " + full + "(tiny)", some});
    rows.push_back({full + "(huge)", "x = " + full + "(huge)", some});
    rows.push_back({full + "(text)", "x = " + full + "(numeral)", some});
    rows.push_back({full + "(number)", "x = " + full + "(0.7853981633974483)", some});
  }
  for (const char* name : {"arshift", "band", "bnot", "bor", "bswap", "bxor", "lshift", "rol",
                           "ror", "rshift", "tobit", "tohex"}) {
    const std::string full = std::string("bit.") + name;
    rows.push_back({full, "x = " + full + "(odd, n)", some});
  }
  return rows;
}

}  // namespace

const std::vector<FuelRow>& FuelRows() {
  static const std::vector<FuelRow> kRows = [] {
    std::vector<FuelRow> all;
    for (auto* const part : {&Operators, &Statements, &Views, &Functions}) {
      for (FuelRow& row : part()) all.push_back(std::move(row));
    }
    return all;
  }();
  return kRows;
}

}  // namespace muster::bench
