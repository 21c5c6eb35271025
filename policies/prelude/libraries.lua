-- The functions a policy gets: copies and wrappers, never the host's own tables. What can take long
-- on large input is charged by size, what is not linear or not deterministic is left out.
local import, host = ...
local names = import "names"
local meter = import "fuel"
local fail, charge = names.fail, meter.charge

local fuel, on = host.fuel, host.on
local type, select, max = type, select, math.max
local string_rep, string_byte, string_sub = string.rep, string.byte, string.sub
local string_find, string_format, string_gsub = string.find, string.format, string.gsub
local concat, sort = table.concat, table.sort

local kMaxString = meter.max_string
local kMaxValues = 200     -- values that unpack and byte may return, and format take
local kCaught = 10         -- fuel: unwinding takes a thousand times as long as a call
local kMaxSorted = 4096    -- values that sort takes: its worst case is their square

local function bad(name, index, wanted, value)
  fail("bad argument " .. index .. " to " .. name .. ": " .. wanted .. " expected, got "
    .. type(value))
end

local function need(name, index, wanted, value)
  if type(value) ~= wanted then bad(name, index, wanted, value) end
end

local function need_text(name, value)
  if type(value) == "number" then value = tostring(value) end
  if type(value) ~= "string" then bad(name, 1, "string", value) end
  charge(#value / 64)
  return value
end

local function need_range(name, first, last)
  if not (last - first < kMaxValues) then
    fail(name .. " of more than " .. kMaxValues .. " values", "take them in a loop")
  end
end

local base = {}
for _, name in ipairs { "assert", "error", "ipairs", "rawequal", "select", "type" } do
  base[name] = _G[name]
end

-- An error that says how much room there was cannot be caught: the answer could depend on it.
local function caught(ok, err, ...)
  if not ok and on.fatal_overflow and type(err) == "string"
    and (string_sub(err, -14) == "stack overflow" or err == "not enough memory") then
    host.note_overflow(err)
    fuel.left = -1
    error(err, 0)
  end
  if not ok then charge(kCaught) end
  return ok, err, ...
end

function base.pcall(f, ...)
  return caught(pcall(f, ...))
end

function base.tostring(value)
  local kind = type(value)
  if kind ~= "string" and kind ~= "number" and kind ~= "boolean" and kind ~= "nil" then
    fail("tostring of a " .. kind .. " would show an address", "use its fields")
  end
  return tostring(value)
end

function base.tonumber(value, radix)
  if type(value) == "string" then charge(#value / 64) end
  return tonumber(value, radix)
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
local function next_pair(state)
  local at = state.at + 1
  state.at = at
  local key = state.keys[at]
  if key ~= nil then return key, state.list[key] end
end

function base.pairs(list)
  need("pairs", 1, "table", list)
  if getmetatable(list) ~= nil then fail("pairs over a view", "name the fields you need") end
  if not on.sorted_pairs then return pairs(list) end
  local numbers, strings = {}, {}
  for key in next, list do
    local kind = type(key)
    if kind == "number" then
      numbers[#numbers + 1] = key
    elseif kind == "string" then
      strings[#strings + 1] = key
    else
      fail("pairs over a key of type " .. kind .. " has no fixed order", "use string keys")
    end
  end
  local count = #numbers + #strings
  charge(count * max(1, math.log(count + 1) / math.log(2)))
  sort(numbers)
  sort(strings)
  for i = 1, #strings do numbers[#numbers + 1] = strings[i] end
  return next_pair, { at = 0, keys = numbers, list = list }
end

local text = {}
for _, name in ipairs { "len", "lower", "upper", "reverse" } do
  local inner = string[name]
  text[name] = function(s) return inner(need_text("string." .. name, s)) end
end

function text.sub(s, first, last)
  return string_sub(need_text("string.sub", s), first or 1, last or -1)
end

function text.byte(s, first, last)
  s = need_text("string.byte", s)
  first = first or 1
  last = last or first
  need("string.byte", 2, "number", first)
  need("string.byte", 3, "number", last)
  if first < 0 then first = max(1, #s + first + 1) end
  if last < 0 then last = #s + last + 1 end
  need_range("string.byte", first, last)
  return string_byte(s, first, last)
end

function text.rep(s, count)
  s = need_text("string.rep", s)
  need("string.rep", 2, "number", count)
  if on.bounded_rep and not (#s * count <= kMaxString) then
    fail("string.rep of more than " .. kMaxString .. " bytes", "build shorter strings")
  end
  charge(#s * count / 64)
  return string_rep(s, count)
end

function text.format(pattern, ...)
  pattern = need_text("string.format", pattern)
  if select("#", ...) > kMaxValues then
    fail("string.format of more than " .. kMaxValues .. " values", "format them one by one")
  end
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local kind = type(value)
    if kind == "string" then
      charge(#value / 64)
    elseif kind ~= "number" and kind ~= "boolean" and kind ~= "nil" then
      fail("string.format of a " .. kind .. " would show an address", "use its fields")
    end
  end
  if string_find(string_gsub(pattern, "%%%%", ""), "%%[^%a]*p") then
    fail("string.format of %p would show an address", "leave %p out")
  end
  return string_format(pattern, ...)
end

-- Plain search: the cost is the product of the lengths at worst.
function text.contains(s, part)
  s = need_text("string.contains", s)
  part = need_text("string.contains", part)
  charge(#s * #part / 64)
  return string_find(s, part, 1, true) ~= nil
end

local list = {}

function list.insert(t, value, extra)
  need("table.insert", 1, "table", t)
  if extra ~= nil then fail("table.insert only appends", "write table.insert(t, value)") end
  if getmetatable(t) ~= nil then fail("table.insert into a view", "use a table of your own") end
  t[#t + 1] = value
end

function list.remove(t, position)
  need("table.remove", 1, "table", t)
  if position ~= nil then fail("table.remove only takes the last", "write table.remove(t)") end
  if getmetatable(t) ~= nil then fail("table.remove from a view", "use a table of your own") end
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
  charge(count * max(1, math.log(count + 1) / math.log(2)))
  sort(t, less)
end

function list.concat(t, separator, first, last)
  need("table.concat", 1, "table", t)
  first, last = first or 1, last or #t
  need("table.concat", 3, "number", first)
  need("table.concat", 4, "number", last)
  if not (last - first < kMaxString) then
    fail("table.concat of more than " .. kMaxString .. " values", "join fewer")
  end
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
  charge(max(0, last - first) + bytes / 64)
  return concat(t, separator, first, last)
end

local numeric = {}
for name, value in pairs(math) do numeric[name] = value end
numeric.pow, numeric.random, numeric.randomseed = nil, nil, nil

local bits = {}
for name, value in pairs(bit) do bits[name] = value end

local muster = {}

-- One C function for the interpreter and for compiled code: x^y differs between the two.
function muster.pow(x, y)
  need("muster.pow", 1, "number", x)
  need("muster.pow", 2, "number", y)
  return host.frame.power(x, y)
end

function muster.sq(x) return x * x end

function muster.clamp(x, low, high)
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

-- `*` any text, `?` one byte. Remembering only the last star keeps it free of exponential cases.
function muster.glob(s, pattern)
  s = need_text("muster.glob", s)
  need("muster.glob", 2, "string", pattern)
  charge(#s * #pattern / 64)
  local i, j, star, mark = 1, 1, 0, 0
  while i <= #s do
    local p = string_byte(pattern, j)
    if p == 42 then
      star, mark, j = j, i, j + 1
    elseif p ~= nil and (p == 63 or p == string_byte(s, i)) then
      i, j = i + 1, j + 1
    elseif star > 0 then
      mark = mark + 1
      i, j = mark, star + 1
    else
      return false
    end
  end
  while string_byte(pattern, j) == 42 do j = j + 1 end
  return j > #pattern
end

return { base = base, bit = bits, math = numeric, muster = muster, string = text, table = list }
