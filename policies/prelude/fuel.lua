-- What work costs that no tick sees: C functions and operators pay by the size of what they
-- handle, so that no unit stands for more than two microseconds.
local _, host = ...
local fuel, on = host.fuel, host.on
local type, select, floor, getmetatable = type, select, math.floor, getmetatable
local string_byte, string_find = string.byte, string.find

local meter = {}

meter.max_string = 65536   -- bytes of any string that a policy makes
local kMaxValues = 200     -- that a function is given or returns, where the source does not say
local kValues = 32         -- of them that one unit puts into a new table
local kNumeral = 30        -- units for a text with an exponent that is read as a number
local kMadeAnew = 64       -- keys of a table that one unit puts into a larger or smaller one
local kMostOdd = 256       -- numbers that may collide: as many as a unit can walk through
local kLongestList = 65536 -- keys up to here are places in a list, and collide seldom

-- `amount`: units. What is below one, or not a number, costs nothing: never is fuel given back.
function meter.charge(amount)
  if not on.charges or not (amount >= 1) then return end
  local cost = floor(amount)
  if fuel.left < cost then fuel(cost) end
  fuel.left = fuel.left - cost
end
local charge = meter.charge

-- Units for an error that is caught: unwinding takes a thousand times as long as a call, and the
-- message names the variable, for which the function is read. `instructions`: of the longest.
meter.caught = 10
function meter.set_longest(instructions) meter.caught = 10 + floor(instructions / 1024) end

-- Units used since the item began.
function meter.used() return fuel.begun - fuel.left - fuel.reserve end

-- Whether the text may begin as a number does: with a blank, a sign, a point or a digit.
local function like_a_number(text)
  local first = string_byte(text, 1)
  return first <= 32 or first == 43 or first == 45 or first == 46 or (first >= 48 and first <= 57)
end

-- Pays for reading the text as a number, or for walking through it.
function meter.read(text)
  local size = #text
  if size >= 64 then charge(1 + size / 1024) end
  if size < 5 or not like_a_number(text) then return end
  local slow = size > 20 or string_find(text, "e", 1, true) or string_find(text, "E", 1, true)
    or string_find(text, "p", 1, true) or string_find(text, "P", 1, true)
  charge(slow and kNumeral + size / 8 or 1)
end

-- Pays for writing the number: its digits, when it is not whole.
function meter.write(number)
  if number % 1 ~= 0 then charge(1) end
end

-- The rewriter puts this around every concatenation.
function host.operators.join(s)
  local size = #s
  if size >= 64 then
    if on.bounded_join and size > meter.max_string then
      error("a string of more than " .. meter.max_string .. " bytes; build shorter strings", 0)
    end
    charge(size / 64)
  end
  return s
end

local function not_a_number(x, what)
  if type(x) == "string" then
    meter.read(x)
  elseif what then
    error("attempt to perform arithmetic on " .. what .. " (a " .. type(x) .. " value)", 0)
  end
end

-- And this around what is computed or compared with. `what`: its name, if it must be a number.
function host.operators.operand(x, what)
  if type(x) ~= "number" then not_a_number(x, what) end
  return x
end
meter.operand = host.operators.operand

-- And this around what is counted by #: a view is empty whatever it stands for.
function host.operators.counted(x, what)
  local kind = type(x)
  if kind == "table" then
    if getmetatable(x) ~= nil then
      error("# of a view; name the fields you need, or c.resources.count", 0)
    end
  elseif kind ~= "string" then
    error("attempt to get length of " .. (what and what .. " (a " or "a ") .. kind .. " value"
      .. (what and ")" or ""), 0)
  end
  return x
end

-- And this around values whose number is not known.
function host.operators.few(...)
  if on.charges and select("#", ...) > kMaxValues then
    error("more than " .. kMaxValues .. " arguments or results; put them into a table", 0)
  end
  return ...
end

-- And this around those that go into a new table.
function host.operators.listed(...)
  charge(select("#", ...) / kValues)
  return host.operators.few(...)
end

-- And this around every table that is written to. What a file has made when it was run stays as it
-- is: a policy has no memory.
local frozen = host.frozen
function host.operators.own(list)
  if frozen[list] then
    error("this table belongs to the file and cannot be changed; "
      .. "build it inside the function; a policy has no memory", 0)
  end
  return list
end
meter.own = host.operators.own

-- And this around a number that a table gets as a key. LuaJIT does not salt them, so that those
-- that are free to choose may all be in one place, where each is passed to find the last.
local function odd_key()
  if fuel.odd_begun ~= fuel.begun then fuel.odd_begun, fuel.odd = fuel.begun, 0 end
  fuel.odd = fuel.odd + 1
  if on.charges and fuel.odd > kMostOdd then
    error("more than " .. kMostOdd .. " keys are numbers, but not whole ones from 1 to "
      .. kLongestList .. "; write t[tostring(x)]", 0)
  end
end

function host.operators.key(k)
  if type(k) == "number" and not (k >= 1 and k <= kLongestList and k % 1 == 0) then odd_key() end
  return k
end

-- And this around a value that is put into a table. Where a key was set to nil the next new one
-- finds no room, and its table is made anew: it has no more keys than this item has written.
function host.operators.gone(value)
  if value == nil then charge(fuel.keys / kMadeAnew) end
  return value
end

-- The same for several keys at once.
function host.operators.gone_of(count, ...)
  for i = 1, count do host.operators.gone((select(i, ...))) end
  return ...
end

return meter
