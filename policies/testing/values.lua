-- Values as text and compared part by part, for the messages of failing specs.
local values = {}

local kDepth = 8

-- Whole numbers in full, others as short as they read back.
local function number_text(value)
  if value ~= value then return "nan" end
  if value == math.huge then return "math.huge" end
  if value == -math.huge then return "-math.huge" end
  if value % 1 == 0 and math.abs(value) < 2 ^ 53 then return string.format("%d", value) end
  local short = string.format("%.14g", value)
  return tonumber(short) == value and short or string.format("%.17g", value)
end

-- Numbers in order, then all other keys by their text.
local function sorted_keys(list)
  local keys = {}
  for key in pairs(list) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) == "number" and type(b) == "number" then return a < b end
    if type(a) ~= type(b) then return type(a) == "number" end
    return tostring(a) < tostring(b)
  end)
  return keys
end
values.sorted_keys = sorted_keys

-- `value` as Lua would write it, in one line.
function values.text(value, depth)
  depth = depth or 0
  if type(value) == "number" then return number_text(value) end
  if type(value) == "string" then return string.format("%q", value) end
  if type(value) ~= "table" then return tostring(value) end
  if depth >= kDepth then return "{...}" end
  local parts, count = {}, #value
  for i = 1, count do parts[i] = values.text(value[i], depth + 1) end
  for _, key in ipairs(sorted_keys(value)) do
    local listed = type(key) == "number" and key >= 1 and key <= count and key % 1 == 0
    if not listed then
      local plain = type(key) == "string" and string.match(key, "^[%a_][%w_]*$")
      parts[#parts + 1] = (plain and key or "[" .. values.text(key, depth + 1) .. "]") .. " = "
        .. values.text(value[key], depth + 1)
    end
  end
  if #parts == 0 then return "{}" end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- Where `a` and `b` differ first: path, part of a, part of b; nil when they are alike.
function values.difference(a, b, path)
  path = path or ""
  if type(a) ~= "table" or type(b) ~= "table" then
    if a == b or (a ~= a and b ~= b) then return nil end
    return path, a, b
  end
  local keys = {}
  for key in pairs(a) do keys[key] = true end
  for key in pairs(b) do keys[key] = true end
  for _, key in ipairs(sorted_keys(keys)) do
    local step = type(key) == "number" and "[" .. key .. "]" or "." .. tostring(key)
    local at, left, right = values.difference(a[key], b[key], path .. step)
    if at then return at, left, right end
  end
  return nil
end

local kSeconds = { ms = 1e-3, s = 1, m = 60, h = 3600, d = 86400 }

-- 90, "90s", "1h30m", "7d" -> seconds.
function values.seconds(text)
  if type(text) == "number" then return text end
  local total, at = 0, 1
  while type(text) == "string" and at <= #text do
    local amount, unit, after = string.match(text, "^(%d*%.?%d*)(%a+)()", at)
    local seconds = amount and tonumber(amount)
    if not seconds or not kSeconds[unit] then break end
    total, at = total + seconds * kSeconds[unit], after
  end
  if type(text) ~= "string" or text == "" or at <= #text then
    error(values.text(text) .. " is not a time; write seconds, or \"90s\", \"1h30m\", \"7d\"", 0)
  end
  return total
end

return values
