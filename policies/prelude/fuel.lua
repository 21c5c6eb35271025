-- What work costs that no tick sees: C functions and operators pay by the size of what they
-- handle, so that no unit stands for more than two microseconds.
local _, host = ...
local fuel, on = host.fuel, host.on
local type, select, floor, string_find = type, select, math.floor, string.find

local meter = {}

meter.max_string = 65536   -- bytes of any string that a policy makes
local kMaxValues = 200     -- that a function is given or returns, where the source does not say
local kNumeral = 20        -- units for a text with an exponent that is read as a number

-- `amount`: units. What is below one, or not a number, costs nothing: never is fuel given back.
function meter.charge(amount)
  if not on.charges or not (amount >= 1) then return end
  local cost = floor(amount)
  if fuel.left < cost then fuel(cost) end
  fuel.left = fuel.left - cost
end
local charge = meter.charge

-- Units used since the item began.
function meter.used() return fuel.begun - fuel.left - fuel.reserve end

-- Pays for reading the text as a number, or for walking through it.
function meter.read(text)
  local size = #text
  if size >= 256 then charge(1 + size / 1024) end
  if not string_find(text, "^%s*[-+]?[%d.]") then return end
  if size > 20 or string_find(text, "[eEpP]") then charge(kNumeral + size / 16) end
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

-- And this around values of which nobody knows how many there are.
function host.operators.few(...)
  if on.charges and select("#", ...) > kMaxValues then
    error("more than " .. kMaxValues .. " arguments or results; put them into a table", 0)
  end
  return ...
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

return meter
