-- What the fields of fixtures may be. The engine hands a policy nothing else, so a spec that tries
-- more shows nothing.
local import = ...
local names = import "names"
local values = import "values"

local ranges = {}

local kInteger = 2147483647
-- Whole numbers: from, to, and an example.
local kWhole = {
  priority = { -kInteger - 1, kInteger, 100 }, pods = { 1, kInteger, 4 },
  podsets = { 1, kInteger, 1 }, gpus = { 0, kInteger, 8 }, attempts = { 0, kInteger, 1 },
  preemptions = { 0, kInteger, 1 }, borrowing_level = { 0, kInteger, 1 },
  index = { 0, kInteger, 0 }, depth = { 0, kInteger, 1 }, room = { 1, kInteger, 1 },
  hosts = { 1, kInteger, 18 }, free_gpus = { 0, kInteger, 8 },
}
-- Seconds since the epoch, and the like: not negative, and with an end.
local kFinite = { created = true, queued_at = true, last_admitted = true, weight = true,
  ran = true, checkpointed = true }
-- May also be math.huge.
local kOpen = { max_run = true, native_share = true }
local kNames = { name = true, namespace = true, local_queue = true, cluster_queue = true }
-- Amounts by resource; what is left of a flavor may be less than nothing.
local kAmounts = { request = true, uses = true, nominal = true, usage = true, borrowed = true,
  lendable = true, total = true }

local function wrong(what, item, problem, cure)
  local name = type(item.name) == "string" and item.name ~= "" and " \"" .. item.name .. "\"" or ""
  error(what .. name .. ": " .. problem .. "; " .. cure, 0)
end

local function check_amounts(what, item, field, amounts)
  for _, resource in ipairs(values.sorted_keys(amounts)) do
    local amount = amounts[resource]
    local problem, cure = names.new_resource_problem(resource)
    if problem then wrong(what, item, field .. ": " .. problem, cure) end
    local at = field .. "[\"" .. resource .. "\"]"
    if not (amount >= 0 and amount < math.huge) then
      wrong(what, item, at .. " is " .. values.text(amount), "write an amount of 0 or more")
    end
    if resource ~= "cpu" and amount % 1 ~= 0 then
      local device = string.find(resource, "/", 1, true)
      wrong(what, item, at .. " is " .. values.text(amount) .. (device and ", half a device does "
        .. "not exist" or ", and it is counted in whole units"), "write "
        .. values.text(math.ceil(amount)))
    end
  end
end

local function check_field(what, item, field, value)
  local whole = kWhole[field]
  local wanted = (whole or kFinite[field] or kOpen[field]) and "number"
    or kNames[field] and "string" or kAmounts[field] and "table" or type(value)
  if type(value) ~= wanted then
    wrong(what, item, field .. " is a " .. wanted .. ", not " .. values.text(value), "give one")
  end
  if whole and not (value % 1 == 0 and value >= whole[1] and value <= whole[2]) then
    wrong(what, item, field .. " is a whole number from " .. values.text(whole[1]) .. " to "
      .. values.text(whole[2]) .. ", not " .. values.text(value),
      "write " .. field .. " = " .. whole[3])
  elseif kFinite[field] and not (value >= 0 and value < math.huge) then
    wrong(what, item, field .. " is 0 or more, not " .. values.text(value), "write a number")
  elseif kOpen[field] and not (value >= 0) then
    wrong(what, item, field .. " is 0 or more, not " .. values.text(value),
      "write a number, or math.huge")
  elseif kNames[field] and (#value > 253 or not string.match(value, "^[%l%d][%l%d%.%-]*$")
      or string.match(value, "[%.%-]$")) then
    wrong(what, item, field .. " is " .. values.text(value) .. ", which is no name in Kubernetes",
      "use lower-case letters, digits, - and ., as in " .. field .. " = \"team-a\"")
  elseif kAmounts[field] then
    check_amounts(what, item, field, value)
  elseif field == "label" then
    for _, label in ipairs(values.sorted_keys(value)) do
      local text = value[label]
      if not names.is_label_value(text) then
        wrong(what, item, "label." .. label .. " is " .. values.text(text)
          .. ", which no label can be", names.label_value_cure)
      end
    end
  elseif field == "account" then
    for _, account in ipairs(values.sorted_keys(value)) do
      local amount = value[account]
      if not (amount >= 0 and amount < math.huge) then
        wrong(what, item, "account." .. account .. " is " .. values.text(amount),
          "write an amount of 0 or more")
      end
    end
  end
end

-- Refuses an item of which a field is of the right type, but not what the engine could hand over.
-- In the order of names: the message is the same each time.
function ranges.check(what, item)
  for _, field in ipairs(values.sorted_keys(item)) do
    check_field(what, item, field, item[field])
  end
end

return ranges
