-- Patterns that cannot hang: a search in C is interrupted by nothing, so one that may take long is
-- made here, where the limit on a test's time reaches it. The answers are those of plain Lua.
local find, match, gmatch, gsub = string.find, string.match, string.gmatch, string.gsub
local sub, byte, char, rep = string.sub, string.byte, string.char, string.rep

local patterns = {}

local kQuick = 1e6     -- steps that C may take at worst
local kQuickPlain = 1e8  -- bytes that it may compare in a search without a pattern
local kLongest = 2^24  -- bytes of a text that is repeated

-- How many steps a search takes at worst: each repetition may begin and end anywhere, and the whole
-- pattern may be compared at every byte.
local function steps(text, pattern)
  local _, repetitions = gsub(pattern, "[*+?-]", "")
  return math.max((#text + 1) ^ (repetitions + 1), #text * #pattern)
end

-- ---- reading ---------------------------------------------------------------------------------

-- The bytes that an item of a pattern ("%a", "[^x]", ".") stands for.
local sets = {}
local function set_of(item)
  local set = sets[item]
  if set then return set end
  set = {}
  for code = 0, 255 do set[code] = find(char(code), "^" .. item) ~= nil end
  sets[item] = set
  return set
end

local function end_of_set(pattern, at)
  local first = sub(pattern, at + 1, at + 1) == "^" and at + 2 or at + 1
  local i = first
  repeat
    local c = sub(pattern, i, i)
    if c == "" then error("malformed pattern (missing ']')", 0) end
    i = i + (c == "%" and 2 or 1)
  until sub(pattern, i, i) == "]" and i > first
  return i
end

-- The pattern from `at` on as a list of parts.
local function read(pattern, at)
  local parts, open, count = {}, {}, 0
  while at <= #pattern do
    local c, two = sub(pattern, at, at), sub(pattern, at, at + 1)
    if c == "(" then
      count = count + 1
      if sub(pattern, at + 1, at + 1) == ")" then
        parts[#parts + 1] = { kind = "position", group = count }
        at = at + 2
      else
        open[#open + 1] = count
        parts[#parts + 1] = { kind = "open", group = count }
        at = at + 1
      end
    elseif c == ")" then
      local group = table.remove(open)
      if not group then error("invalid pattern capture", 0) end
      parts[#parts + 1] = { kind = "close", group = group }
      at = at + 1
    elseif c == "$" and at == #pattern then
      parts[#parts + 1] = { kind = "end" }
      at = at + 1
    elseif two == "%b" then
      if at + 3 > #pattern then error("unbalanced pattern", 0) end
      parts[#parts + 1] = { kind = "balanced", from = byte(pattern, at + 2),
        to = byte(pattern, at + 3) }
      at = at + 4
    elseif two == "%f" then
      local last = end_of_set(pattern, at + 2)
      parts[#parts + 1] = { kind = "frontier", set = set_of(sub(pattern, at + 2, last)) }
      at = last + 1
    elseif c == "%" and find(two, "^%%%d") then
      parts[#parts + 1] = { kind = "again", group = tonumber(sub(two, 2)) }
      at = at + 2
    else
      local last = at
      if c == "%" then last = at + 1 elseif c == "[" then last = end_of_set(pattern, at) end
      if last > #pattern then error("malformed pattern (ends with '%')", 0) end
      local item = sub(pattern, at, last)
      if find(item, "^[%^$*+?%-]$") then item = "%" .. item end
      local how = match(pattern, "^[*+?-]", last + 1)
      parts[#parts + 1] = { kind = "item", set = set_of(item), how = how }
      at = last + 1 + (how and 1 or 0)
    end
  end
  if #open > 0 then error("unfinished capture", 0) end
  return parts, count
end

-- ---- matching --------------------------------------------------------------------------------

local go -- (text, i, parts, p, groups): where the match from byte i and part p on ends, or nil

local function repeated(text, i, parts, p, groups, part)
  local set, how = part.set, part.how
  local function fits(at) return at <= #text and set[byte(text, at)] end
  if how == nil then return fits(i) and go(text, i + 1, parts, p + 1, groups) end
  if how == "?" then
    local last = fits(i) and go(text, i + 1, parts, p + 1, groups)
    return last or go(text, i, parts, p + 1, groups)
  end
  if how == "-" then
    while true do
      local last = go(text, i, parts, p + 1, groups)
      if last then return last end
      if not fits(i) then return nil end
      i = i + 1
    end
  end
  local far = i
  while fits(far) do far = far + 1 end
  for at = far, i + (how == "+" and 1 or 0), -1 do
    local last = go(text, at, parts, p + 1, groups)
    if last then return last end
  end
  return nil
end

local function balanced(text, i, part)
  if byte(text, i) ~= part.from then return nil end
  local depth = 0
  for at = i, #text do
    local code = byte(text, at)
    if code == part.to and at > i then
      depth = depth - 1
      if depth == 0 then return at + 1 end
    elseif code == part.from then
      depth = depth + 1
    end
    if code == part.to and part.to == part.from and at > i then return at + 1 end
  end
  return nil
end

function go(text, i, parts, p, groups)
  local part = parts[p]
  if part == nil then return i end
  local kind, group = part.kind, part.group
  if kind == "item" then return repeated(text, i, parts, p, groups, part) end
  if kind == "end" then return i == #text + 1 and go(text, i, parts, p + 1, groups) or nil end
  if kind == "frontier" then
    local before = i > 1 and byte(text, i - 1) or 0
    local here = byte(text, i) or 0
    return not part.set[before] and part.set[here] and go(text, i, parts, p + 1, groups) or nil
  end
  if kind == "balanced" then
    local after = balanced(text, i, part)
    return after and go(text, after, parts, p + 1, groups)
  end
  if kind == "again" then
    local held = groups[group]
    if not held or not held.last then error("invalid capture index", 0) end
    local text_of = sub(text, held.first, held.last)
    if sub(text, i, i + #text_of - 1) ~= text_of then return nil end
    return go(text, i + #text_of, parts, p + 1, groups)
  end
  local before = groups[group]
  if kind == "open" then
    groups[group] = { first = i }
  elseif kind == "close" then
    groups[group] = { first = before.first, last = i - 1 }
  else
    groups[group] = { position = i }
  end
  local last = go(text, i, parts, p + 1, groups)
  if not last then groups[group] = before end
  return last
end

-- First and last byte of the first match from `init` on, and its groups. `anywhere`: ^ is a byte as
-- others are.
local function search(text, pattern, init, anywhere)
  local anchored = not anywhere and sub(pattern, 1, 1) == "^"
  local parts, count = read(pattern, anchored and 2 or 1)
  for i = init, anchored and init or #text + 1 do
    local groups = {}
    local after = go(text, i, parts, 1, groups)
    if after then return i, after - 1, groups, count end
  end
  return nil
end

local function value_of(text, held)
  return held.position or sub(text, held.first, held.last)
end

-- The captures of a match, or all of it when there are none.
local function captures(text, first, last, groups, count)
  if count == 0 then return sub(text, first, last) end
  local list = {}
  for i = 1, count do list[i] = value_of(text, groups[i]) end
  return unpack(list, 1, count)
end

local function from(text, init)
  init = tonumber(init) or 1
  if init < 0 then init = #text + init + 1 end
  return math.min(math.max(1, init), #text + 1)
end

-- ---- what specs call -------------------------------------------------------------------------

local function texts(text, pattern)
  if type(text) == "number" then text = tostring(text) end
  if type(pattern) == "number" then pattern = tostring(pattern) end
  local known = type(text) == "string" and type(pattern) == "string"
  return text, pattern, known and steps(text, pattern) > kQuick
end

-- A long text is compared where its beginning is found.
local function find_plain(s, p, at)
  local head = sub(p, 1, 64)
  while true do
    local first = find(s, head, at, true)
    if not first then return nil end
    local last = first + #p - 1
    if sub(s, first, last) == p then return first, last end
    at = first + 1
  end
end

function patterns.find(text, pattern, init, plain)
  local s, p, slow = texts(text, pattern)
  if plain and slow and #s * #p > kQuickPlain then return find_plain(s, p, from(s, init)) end
  if plain or not slow then return find(text, pattern, init, plain) end
  local first, last, groups, count = search(s, p, from(s, init))
  if not first then return nil end
  if count == 0 then return first, last end
  return first, last, captures(s, first, last, groups, count)
end

function patterns.match(text, pattern, init)
  local s, p, slow = texts(text, pattern)
  if not slow then return match(text, pattern, init) end
  local first, last, groups, count = search(s, p, from(s, init))
  if not first then return nil end
  return captures(s, first, last, groups, count)
end

function patterns.gmatch(text, pattern)
  local s, p, slow = texts(text, pattern)
  if not slow then return gmatch(text, pattern) end
  local at = 1
  return function()
    if at > #s + 1 then return nil end
    local first, last, groups, count = search(s, p, at, true)
    if not first then return nil end
    at = math.max(last + 1, first + (last < first and 1 or 0))
    return captures(s, first, last, groups, count)
  end
end

local function replacement(with, s, first, last, groups, count)
  local whole = sub(s, first, last)
  if type(with) == "function" then return with(captures(s, first, last, groups, count)) end
  local one = captures(s, first, last, groups, count)
  if type(with) == "table" then return with[one] end
  return (gsub(tostring(with), "%%(.)", function(what)
    if what == "0" then return whole end
    local number = tonumber(what)
    if not number then return what end
    if number == 1 and count == 0 then return whole end
    if number > count then error("invalid capture index", 0) end
    return tostring(value_of(s, groups[number]))
  end))
end

function patterns.gsub(text, pattern, with, most)
  local s, p, slow = texts(text, pattern)
  if not slow then return gsub(text, pattern, with, most) end
  local anchored = sub(p, 1, 1) == "^"
  local parts, count = read(p, anchored and 2 or 1)
  local made, at, done = {}, 1, 0
  while at <= #s + 1 and done < (tonumber(most) or math.huge) do
    local groups = {}
    local after = go(s, at, parts, 1, groups)
    if after then
      done = done + 1
      local value = replacement(with, s, at, after - 1, groups, count)
      made[#made + 1] = value and tostring(value) or sub(s, at, after - 1)
    end
    if after and after > at then
      at = after
    else
      made[#made + 1] = sub(s, at, at)
      at = at + 1
    end
    if anchored then break end
  end
  made[#made + 1] = sub(s, at)
  return table.concat(made), done
end

function patterns.rep(text, count)
  local known = type(text) == "string" and type(count) == "number"
  if known and not (#text * count <= kLongest) then error("string.rep of more than 16 MB", 2) end
  return rep(text, count)
end

return patterns
