-- JSON both ways, as far as requests to the engine and its answers need it.
local json = {}

local kEscapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t" }

local function quote(text)
  return '"' .. string.gsub(text, '[%z\1-\31"\\]', function(byte)
    return kEscapes[byte] or string.format("\\u%04x", string.byte(byte))
  end) .. '"'
end

-- A table is a list when it has an item 1 or says is_list.
function json.encode(value)
  local kind = type(value)
  if kind == "number" then return string.format(value % 1 == 0 and "%d" or "%.17g", value) end
  if kind == "string" then return quote(value) end
  if kind ~= "table" then return tostring(value) end
  local parts = {}
  if value[1] ~= nil or value.is_list then
    for i, item in ipairs(value) do parts[i] = json.encode(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, item in pairs(value) do
    parts[#parts + 1] = quote(tostring(key)) .. ":" .. json.encode(item)
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

local decode_value

local function skip(text, at) return string.match(text, "^%s*()", at) end

local kUnescapes = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f" }

local function decode_string(text, at)
  local parts = {}
  at = at + 1
  while true do
    local plain, after = string.match(text, '^([^"\\]*)()', at)
    parts[#parts + 1] = plain
    if string.sub(text, after, after) == '"' then return table.concat(parts), after + 1 end
    local escaped = string.sub(text, after + 1, after + 1)
    if escaped == "u" then
      parts[#parts + 1] = string.char(tonumber(string.sub(text, after + 4, after + 5), 16))
      at = after + 6
    else
      parts[#parts + 1] = kUnescapes[escaped] or escaped
      at = after + 2
    end
  end
end

local function decode_items(text, at, close, read)
  local result = {}
  at = skip(text, at + 1)
  while string.sub(text, at, at) ~= close do
    at = skip(text, read(result, at))
    if string.sub(text, at, at) == "," then at = skip(text, at + 1) end
  end
  return result, at + 1
end

function decode_value(text, at)
  at = skip(text, at)
  local first = string.sub(text, at, at)
  if first == '"' then return decode_string(text, at) end
  if first == "{" then
    return decode_items(text, at, "}", function(result, from)
      local key, colon = decode_string(text, from)
      result[key], from = decode_value(text, skip(text, colon) + 1)
      return from
    end)
  end
  if first == "[" then
    return decode_items(text, at, "]", function(result, from)
      result[#result + 1], from = decode_value(text, from)
      return from
    end)
  end
  local word, after = string.match(text, "^([%w%.%+%-]+)()", at)
  if word == "true" then return true, after end
  if word == "false" then return false, after end
  if word == "null" then return nil, after end
  return tonumber(word), after
end

function json.decode(text) return (decode_value(text, 1)) end

return json
