-- What work costs that no tick sees: C functions and operators pay by the size of what they handle.
local _, host = ...
local fuel, on = host.fuel, host.on
local floor = math.floor

local meter = {}

meter.max_string = 65536   -- bytes of any string that a policy makes

-- `amount`: units, one for each 64 bytes or values or so.
function meter.charge(amount)
  if not on.charges then return end
  local left = fuel.left - floor(amount)
  if left < 0 then fuel() end
  fuel.left = left
end

-- The rewriter puts this around every concatenation.
function host.operators.join(s)
  local size = #s
  if size >= 64 then
    if on.bounded_join and size > meter.max_string then
      error("a string of more than " .. meter.max_string .. " bytes; build shorter strings", 0)
    end
    meter.charge(size / 64)
  end
  return s
end

return meter
