-- Texts: the library of strings, and what `muster` adds to it. Every function is paid for by the
-- size of what it reads and makes, and none takes longer than the product of two lengths.
local import, host = ...
local names = import "names"
local meter = import "fuel"
local arguments = import "arguments"
local fail, charge = names.fail, meter.charge
local need, need_text, need_range = arguments.need, arguments.need_text, arguments.need_range
local need_place = arguments.need_place

local operand = meter.operand
local fuel, on = host.fuel, host.on
local type, select, floor, max = type, select, math.floor, math.max
local string_rep, string_byte, string_sub = string.rep, string.byte, string.sub
local string_find, string_format = string.find, string.format

local kMaxString = meter.max_string
local kMaxParts = 1000  -- that split may return

local text = {}
local texts = { library = text }

for _, name in ipairs { "len", "lower", "upper", "reverse" } do
  local inner = string[name]
  text[name] = function(s) return inner(need_text("string." .. name, s)) end
end

function text.sub(s, first, last)
  operand(first)
  operand(last)
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
  need_place("string.byte", 2, floor(first))
  return string_byte(s, first, last)
end

function text.rep(s, count)
  s = need_text("string.rep", s)
  need("string.rep", 2, "number", count)
  if on.bounded_rep and not (#s * count <= kMaxString) then
    fail("string.rep of more than " .. kMaxString .. " bytes", "build shorter strings")
  end
  charge(#s * max(0, count) / 64)
  return string_rep(s, count)
end

-- Whether a directive of the pattern is %p. Each is looked at once.
local function shows_address(pattern)
  local at = string_find(pattern, "%", 1, true)
  while at do
    local _, last = string_find(pattern, "^[^%a%%]*", at + 1)
    if string_byte(pattern, last + 1) == 112 then return true end
    at = string_find(pattern, "%", last + 2, true)
  end
  return false
end

function text.format(pattern, ...)
  pattern = need_text("string.format", pattern)
  if select("#", ...) > arguments.max_values then
    fail("string.format of more than " .. arguments.max_values .. " values",
      "format them one by one")
  end
  charge(#pattern / 16 + select("#", ...))
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local kind = type(value)
    if kind == "string" then
      charge(#value / 64)
      meter.read(value)
    elseif kind ~= "number" and kind ~= "boolean" and kind ~= "nil" then
      fail("string.format of a " .. kind .. " would show an address", "use its fields")
    end
  end
  if shows_address(pattern) then
    fail("string.format of %p would show an address", "leave %p out")
  end
  local result = string_format(pattern, ...)
  charge(#result / 128)
  return result
end

-- Plain search: the cost is the product of the lengths at worst.
local function pay_search(s, part) charge(#s * #part / 64) end

function text.contains(s, part)
  s = need_text("string.contains", s)
  part = need_text("string.contains", part)
  pay_search(s, part)
  return string_find(s, part, 1, true) ~= nil
end

-- Where `part` begins and ends in `s`, at `init` or behind it; nil: nowhere.
function text.find(s, part, init, plain)
  s = need_text("string.find", s)
  part = need_text("string.find", part)
  if plain ~= nil and plain ~= true then
    fail("string.find takes no pattern", "leave the fourth argument out, or write true")
  end
  local from = 1
  if init ~= nil then
    need_place("string.find", 3, init)
    from = init < 0 and max(1, #s + init + 1) or max(1, init)
  end
  if from > #s + 1 then return nil end
  pay_search(s, part)
  local first, last = string_find(s, part, from, true)
  return first, last
end

-- The parts of `s` between separators: a text without one is one part.
function texts.split(s, separator)
  s = need_text("muster.split", s)
  need("muster.split", 2, "string", separator)
  if separator == "" then
    fail("muster.split needs a separator", 'write muster.split(s, ",")')
  end
  pay_search(s, separator)
  local parts, count, from = {}, 0, 1
  while true do
    local first, last = string_find(s, separator, from, true)
    count = count + 1
    if count > kMaxParts then
      fail("muster.split into more than " .. kMaxParts .. " parts", "take a part of the text")
    end
    charge(1)
    fuel.keys = fuel.keys + 1
    parts[count] = string_sub(s, from, first and first - 1 or -1)
    if not first then return parts end
    from = last + 1
  end
end

-- A whole number below 2^53 for the text, the same everywhere and for ever: the upper 53 bits of
-- its FNV-1a of 64 bits, mixed as SplitMix64 mixes.
function texts.hash(s)
  need("muster.hash", 1, "string", s)
  charge(1 + #s / 64)
  return host.frame.hash(s, #s)
end

-- `*` any text, `?` one byte. Remembering only the last star keeps it free of exponential cases.
function texts.glob(s, pattern)
  s = need_text("muster.glob", s)
  need("muster.glob", 2, "string", pattern)
  charge(#s * #pattern / 16)
  charge(#pattern / 64)  -- stars behind an empty text are passed, too
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

return texts
