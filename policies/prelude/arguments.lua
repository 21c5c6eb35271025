-- What the functions of a policy check of their arguments before anything is done with them.
local import = ...
local names = import "names"
local meter = import "fuel"
local fail, charge = names.fail, meter.charge
local type, tostring = type, tostring

local arguments = {}

arguments.max_values = 200   -- that unpack and byte may return, and format take
local kLargest = 2147483647  -- whole number that C functions take

local function bad(name, index, wanted, value)
  fail("bad argument " .. index .. " to " .. name .. ": " .. wanted .. " expected, got "
    .. type(value))
end

function arguments.need(name, index, wanted, value)
  if type(value) ~= wanted then bad(name, index, wanted, value) end
end

function arguments.need_text(name, value)
  if type(value) == "number" then
    meter.write(value)
    value = tostring(value)
  end
  if type(value) ~= "string" then bad(name, 1, "string", value) end
  charge(#value / 64)
  return value
end

-- A loop from one such number to another ends: 2^53 + 1 is 2^53.
function arguments.need_place(name, index, value)
  arguments.need(name, index, "number", value)
  if not (value >= -kLargest and value <= kLargest and value % 1 == 0) then
    fail("bad argument " .. index .. " to " .. name .. ": " .. tostring(value)
      .. " is no place in a list", "write a whole number, such as 1 or #t")
  end
end

function arguments.need_range(name, first, last)
  if not (last - first < arguments.max_values) then
    fail(name .. " of more than " .. arguments.max_values .. " values", "take them in a loop")
  end
end

return arguments
