-- The functions a policy gets: copies and wrappers, never the host's own tables. What can take long
-- on large input is charged by size, what is not linear or not deterministic is left out.
local import, host = ...
local names = import "names"
local meter = import "fuel"
local sorting = import "sorting"
local arguments = import "arguments"
local texts = import "texts"
local fail, charge = names.fail, meter.charge
local need, need_place, need_range = arguments.need, arguments.need_place, arguments.need_range

local operand, own = meter.operand, meter.own

local fuel, on, frozen = host.fuel, host.on, host.frozen
local type, select, max = type, select, math.max
local string_sub, string_gsub = string.sub, string.gsub
local concat = table.concat

local kMaxString = meter.max_string
local kWritten = 128       -- fuel for writing what pairs passes for one unit
local kMaxSorted = 4096    -- values that sort takes: its worst case is their square
local kLargest = 2147483647  -- whole number that C functions take

local base = {}
for _, name in ipairs { "assert", "rawequal", "type" } do
  base[name] = _G[name]
end

-- One level more than the caller says: this function is one. LuaJIT would read a text as a level.
function base.error(message, level)
  if level == nil then level = 1 end
  need("error", 2, "number", level)
  error(message, level >= 1 and level < kLargest and level + 1 or 0)
end

-- An error that says how much room there was cannot be caught: the answer could depend on it.
local function caught(ok, err, ...)
  if not ok and on.fatal_overflow and type(err) == "string"
    and (string_sub(err, -14) == "stack overflow" or err == "not enough memory") then
    host.note_overflow(err)
    fuel.left = -1
    error(err, 0)
  end
  if not ok then charge(meter.caught) end
  return ok, err, ...
end

function base.pcall(f, ...)
  charge(1 + select("#", ...) / 16)
  return host.operators.few(caught(pcall(f, ...)))
end

function base.select(which, ...)
  if which == "#" then return select("#", ...) end
  need("select", 1, "number", which)
  if which == 0 then fail("select of nothing", "count from 1, or from the end with -1") end
  return select(which, ...)
end

function base.tostring(value)
  local kind = type(value)
  if kind ~= "string" and kind ~= "number" and kind ~= "boolean" and kind ~= "nil" then
    fail("tostring of a " .. kind .. " would show an address", "use its fields")
  end
  if kind == "number" then meter.write(value) end
  return tostring(value)
end

-- A text is often a label, which is a user's: "nan", "inf" and "1e999" are no numbers in it.
function base.tonumber(value, radix)
  if type(value) == "string" then meter.read(value) end
  if radix ~= nil then need("tonumber", 2, "number", radix) end
  local number = tonumber(value, radix)
  if type(value) == "string" and number and number - number ~= 0 then return nil end
  return number
end

function base.unpack(list, first, last)
  need("unpack", 1, "table", list)
  first, last = first or 1, last or #list
  need("unpack", 2, "number", first)
  need("unpack", 3, "number", last)
  need_range("unpack", first, last)
  charge(max(0, last - first))
  return unpack(list, first, last)
end

-- Array part in order, then the other numbers, then strings, each sorted.
local kAt, kPairKeys, kPairList = 1, 2, 3  -- of the state of an iteration: a list is small
local function next_pair(state)
  need("the iterator of pairs", 1, "table", state)
  own(state)
  local at = state[kAt]
  need("the iterator of pairs", 1, "number", at)  -- the policy may write to the state
  at = at + 1
  state[kAt] = at
  local key = state[kPairKeys][at]
  if key ~= nil then return key, state[kPairList][key] end
end

-- That of LuaJIT would read a text as an index.
local function next_item(list, at)
  need("the iterator of ipairs", 1, "table", list)
  need("the iterator of ipairs", 2, "number", at)
  at = at + 1
  local value = list[at]
  if value ~= nil then return at, value end
end

function base.ipairs(list)
  need("ipairs", 1, "table", list)
  if getmetatable(list) ~= nil then fail("ipairs over a view", names.no_list) end
  return next_item, list, 0
end

function base.pairs(list)
  need("pairs", 1, "table", list)
  if getmetatable(list) ~= nil then fail("pairs over a view", names.no_list) end
  if not on.sorted_pairs then return pairs(list) end
  local known = frozen[list]
  if type(known) == "table" then
    charge(known.units)
    return next_pair, { 0, known.keys, list }
  end
  -- Places of keys that are gone are passed too: there are no more than this item wrote. Those of a
  -- table of the file are passed once.
  if not known then charge(1 + meter.used() / kWritten) end
  local numbers, strings, longest = {}, {}, 0
  for key in next, list do
    local kind = type(key)
    if kind == "number" then
      numbers[#numbers + 1] = key
    elseif kind == "string" then
      strings[#strings + 1] = key
      longest = max(longest, #key)
    else
      fail("pairs over a key of type " .. kind .. " has no fixed order", "use string keys")
    end
  end
  local units = sorting.units(#numbers + #strings, longest)
  charge(units)
  sorting.sort(numbers, #numbers)
  sorting.sort(strings, #strings)
  for i = 1, #strings do numbers[#numbers + 1] = strings[i] end
  if known then
    frozen[numbers] = true
    frozen[list] = { keys = numbers, units = units }
  end
  return next_pair, { 0, numbers, list }
end

local list = {}

function list.insert(t, value, extra)
  need("table.insert", 1, "table", t)
  if extra ~= nil then fail("table.insert only appends", "write table.insert(t, value)") end
  if getmetatable(t) ~= nil then fail("table.insert into a view", "use a table of your own") end
  own(t)
  fuel.keys = fuel.keys + 1
  t[#t + 1] = value
end

function list.remove(t, position)
  need("table.remove", 1, "table", t)
  if position ~= nil then fail("table.remove only takes the last", "write table.remove(t)") end
  if getmetatable(t) ~= nil then fail("table.remove from a view", "use a table of your own") end
  own(t)
  local size = #t
  if size == 0 then return nil end
  local value = t[size]
  t[size] = nil
  return value
end

function list.sort(t, less)
  need("table.sort", 1, "table", t)
  if less ~= nil then need("table.sort", 2, "function", less) end
  local count = #t
  if count > kMaxSorted then
    fail("table.sort of more than " .. kMaxSorted .. " values", "keep fewer of them")
  end
  own(t)
  charge(count)
  local longest = 0
  for i = 1, less == nil and count or 0 do
    local value = t[i]
    if type(value) == "string" then longest = max(longest, #value) end
  end
  charge(sorting.units(count, longest))
  sorting.sort(t, count, less)
end

function list.concat(t, separator, first, last)
  need("table.concat", 1, "table", t)
  if type(separator) == "number" then
    meter.write(separator)
    separator = tostring(separator)
  elseif separator ~= nil then
    need("table.concat", 2, "string", separator)
  end
  first, last = first or 1, last or #t
  need_place("table.concat", 3, first)
  need_place("table.concat", 4, last)
  if not (last - first < kMaxString) then
    fail("table.concat of more than " .. kMaxString .. " values", "join fewer")
  end
  charge(last - first)
  local bytes = (separator and #separator or 0) * max(0, last - first)
  for i = first, last do
    local value = t[i]
    if type(value) ~= "string" and type(value) ~= "number" then
      fail("table.concat of a " .. type(value), "use strings and numbers")
    end
    bytes = bytes + (type(value) == "string" and #value or 20)
  end
  if bytes > kMaxString then
    fail("table.concat of more than " .. kMaxString .. " bytes", "build shorter strings")
  end
  charge(bytes / 64)
  return concat(t, separator, first, last)
end

-- Functions of numbers also take texts, which they read: each argument pays for that.
local kOne = "return function(x) operand(x) local a, b = %s(x) return a, b end"
local kOnly = "return function(x) operand(x) local a = %s(x) return a end"
local kTwo = "return function(x, y) operand(x) operand(y) local a = %s(x, y) return a end"
local kCostly = "return function(x, y) operand(x) operand(y) charge(1) "
  .. "local a = %s(x, y) return a end"
local kAny = [[
return function(x, y, ...)
  operand(x)
  local a
  if y == nil then
    a = %s(x)
  else
    operand(y)
    for i = 1, select("#", ...) do operand((select(i, ...))) end
    a = %s(x, y, ...)
  end
  return a
end]]
-- Compiled and interpreted, those of LuaJIT differ in what they make of NaN and of two zeros. Here
-- NaN is the answer when one is among the numbers, and the first when several are equal.
local kExtreme = [[
return function(x, y, ...)
  operand(x)
  if y == nil then
    local a = %s(x)
    return a
  end
  operand(y)
  if type(x) ~= "number" or type(y) ~= "number" then
    local a, b = %s(x, y)
    a, b = %s(x), %s(y)
    x, y = a, b
  end
  if x == x and not (y @ x) then x = y end
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    operand(value)
    if type(value) ~= "number" then
      local a = %s(x, y, ...)
      a = %s(value)
      value = a
    end
    if x == x and not (value @ x) then x = value end
  end
  return x
end]]
local kShapes = { frexp = kOne, modf = kOne, atan2 = kTwo, ldexp = kTwo, fmod = kCostly,
  max = string_gsub(kExtreme, "@", "<="), min = string_gsub(kExtreme, "@", ">="), band = kAny,
  bor = kAny, bxor = kAny, lshift = kTwo, rshift = kTwo, arshift = kTwo,
  rol = kTwo, ror = kTwo }

-- The function is called by its own name, which is what errors call it.
local function of_numbers(library)
  local copy = {}
  for name, value in pairs(library) do
    copy[name] = value
    if type(value) == "function" then
      local shape = string_gsub(kShapes[name] or kOnly, "%%s", name)
      local source = "local operand, charge, select, type, " .. name .. " = ... " .. shape
      copy[name] = assert(loadstring(source, "=prelude"))(operand, charge, select, type, value)
    end
  end
  return copy
end

local numeric = of_numbers(math)
numeric.pow, numeric.random, numeric.randomseed = nil, nil, nil

-- These take a second number, or none.
local log, tohex = math.log, bit.tohex

function numeric.log(x, of)
  operand(x)
  if of == nil then return (log(x)) end
  operand(of)
  return (log(x, of))
end

local bits = of_numbers(bit)
function bits.tohex(x, digits)
  operand(x)
  if digits == nil then return (tohex(x)) end
  operand(digits)
  return (tohex(x, digits))
end

local muster = { glob = texts.glob, split = texts.split, hash = texts.hash }

-- One C function for the interpreter and for compiled code: x^y differs between the two.
function muster.pow(x, y)
  need("muster.pow", 1, "number", x)
  need("muster.pow", 2, "number", y)
  return host.frame.power(x, y)
end

function muster.sq(x)
  if type(x) ~= "string" then need("muster.sq", 1, "number", x) end
  operand(x)
  return x * x
end

function muster.clamp(x, low, high)
  operand(x)
  operand(low)
  operand(high)
  if x < low then return low end
  if x > high then return high end
  return x
end

-- Whether this engine knows a hook ("victim") or a view's field ("workload.max_run").
function muster.has(name)
  need("muster.has", 1, "string", name)
  charge(#name / 8)
  if names.hooks[name] then return true end
  local view, field = string.match(name, "^(%a+)%.([%a_]+)$")
  return view ~= nil and names.fields[view] ~= nil and names.fields[view][field] ~= nil
end

return { base = base, bit = bits, math = numeric, muster = muster, string = texts.library,
  table = list }
