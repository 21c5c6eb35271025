-- Lists and maps that are parameters: what a package writes as a table, and what a PolicyBinding
-- writes as YAML and hands on as JSON: ["x","y"] or {"a":"3"}. Both become entries, one for each
-- element, in a fixed order: { key =, title = "element 1" or "key 'a'", given = }.
local import = ...
local names = import "names"

local kMost = 256
local kLongestText = 65536

local function too_many(what) return "has more than " .. kMost .. " " .. what, "write fewer" end

-- ---- JSON ----------------------------------------------------------------------------------

local kUnescapes = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f", ['"'] = '"', ["\\"] = "\\",
  ["/"] = "/" }

local function utf8(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xc0 + math.floor(code / 64), 0x80 + code % 64) end
  return string.char(0xe0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64,
    0x80 + code % 64)
end

-- The text that begins at `at`, and the place behind it; nil: there is none.
local function read_text(text, at)
  if string.sub(text, at, at) ~= '"' then return nil end
  local parts = {}
  at = at + 1
  while true do
    local plain, mark, after = string.match(text, '^([^"\\]*)(["\\])()', at)
    if not plain then return nil end
    parts[#parts + 1] = plain
    if mark == '"' then return table.concat(parts), after end
    local escaped = string.sub(text, after, after)
    local code = escaped == "u" and string.match(text, "^%x%x%x%x", after + 1)
    if not code and not kUnescapes[escaped] then return nil end
    parts[#parts + 1] = code and utf8(tonumber(code, 16)) or kUnescapes[escaped]
    at = after + (code and 5 or 1)
  end
end

-- A text, a number, true or false: each as a text, since its type is for the parameter to say.
local function read_scalar(text, at)
  local value, after = read_text(text, at)
  if value then return value, after end
  value, after = string.match(text, "^([%w.+-]+)()", at)
  if value and value ~= "null" then return value, after end
end

local function skip(text, at) return string.match(text, "^%s*()", at) end

-- Calls add(text, at) -> place behind one item or nil, for each between `open` and `close`. Whether
-- the text is nothing but that.
local function each(text, open, close, add)
  local at = skip(text, 1)
  if string.sub(text, at, at) ~= open then return false end
  at = skip(text, at + 1)
  if string.sub(text, at, at) == close then return skip(text, at + 1) > #text end
  while true do
    at = add(text, at)
    if not at then return false end
    at = skip(text, at)
    local sign = string.sub(text, at, at)
    if sign == close then return skip(text, at + 1) > #text end
    if sign ~= "," then return false end
    at = skip(text, at + 1)
  end
end

local function is_empty(text) return string.match(text, "^%s*[%[{]%s*[%]}]%s*$") ~= nil end

-- ---- lists ---------------------------------------------------------------------------------

local list = {}
local kListCure = "write a list such as [x, y]"

local function element(index, given)
  return { key = index, title = "element " .. index, given = given }
end

function list.of_table(given)
  if type(given) ~= "table" or not names.is_list(given) then
    return nil, "is not a list", 'write a list such as { "x", "y" }'
  end
  if #given > kMost then return nil, too_many("elements") end
  local entries = {}
  for i = 1, #given do entries[i] = element(i, given[i]) end
  return entries
end

function list.of_text(text)
  local entries = {}
  if #text > kLongestText then return nil, too_many("elements") end
  if is_empty(text) then return entries end
  local sound = each(text, "[", "]", function(_, at)
    local given, after = read_scalar(text, at)
    if given then entries[#entries + 1] = element(#entries + 1, given) end
    return after
  end)
  if not sound then return nil, "is not a list", kListCure end
  if #entries > kMost then return nil, too_many("elements") end
  return entries
end

-- ---- maps ----------------------------------------------------------------------------------

local map = {}

-- In the order of the keys, so that of two mistakes always the same is named.
local function sorted(entries)
  table.sort(entries, function(a, b) return a.key < b.key end)
  return entries
end

local function pair(key, given)
  return { key = key, title = "key " .. names.quoted(key), given = given }
end

function map.of_table(given)
  if type(given) ~= "table" then return nil, "is not a map", "write a map such as { a = 3 }" end
  local entries = {}
  for key, value in pairs(given) do
    if type(key) ~= "string" then
      return nil, "is not a map from texts", "write a map such as { a = 3 }"
    end
    entries[#entries + 1] = pair(key, value)
  end
  if #entries > kMost then return nil, too_many("keys") end
  return sorted(entries)
end

function map.of_text(text)
  local entries, seen, twice = {}, {}, nil
  if #text > kLongestText then return nil, too_many("keys") end
  if is_empty(text) then return entries end
  local sound = each(text, "{", "}", function(_, at)
    local key, behind = read_text(text, at)
    local colon = key and skip(text, behind)
    if not colon or string.sub(text, colon, colon) ~= ":" then return nil end
    local given, after = read_scalar(text, skip(text, colon + 1))
    if given == nil then return nil end
    if seen[key] then twice = twice or key end
    seen[key] = true
    entries[#entries + 1] = pair(key, given)
    return after
  end)
  if not sound then return nil, "is not a map", "write a map such as {a: 3, b: 1}" end
  if twice then return nil, "has the key " .. names.quoted(twice) .. " twice", "remove one" end
  if #entries > kMost then return nil, too_many("keys") end
  return sorted(entries)
end

return { list = list, map = map }
