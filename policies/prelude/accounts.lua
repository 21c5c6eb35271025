-- The accounts a package declares: what the engine remembers for it. Checked here; charged by the
-- engine.
local import, host = ...
local names = import "names"
local params = import "params"
local resource_problem = host.on.probing and names.new_resource_problem or names.resource_problem

local accounts = {}

local kMost, kMostParts, kMostLabels = 8, 3, 4
local kKeys = { by = true, of = true, where = true, half_life = true, window = true }
local kBy = { localqueue = true, clusterqueue = true, namespace = true, user = true }
-- Of a resource: hours taken from others, or lost; what evictions took; what is held now.
local kOfResource = { preempted = true, lost = true, evicted = true, held = true }
local kEvents = { submitted = true, admitted = true, finished = true, failed = true,
  cancelled = true, evicted = true } -- counted
local kNow = { running = true, pending = true, held = true } -- there is no sum of these
local kOf = { admissions = true }
for _, set in ipairs { kEvents, kNow, kOfResource } do
  for what in pairs(set) do kOf[what] = true end
end
local kCalendar = { ["calendar-day"] = true, week = true }
local kShortest = "1m"

-- One part of a key as { by, label }; nil: it is none.
local function read_part(path, by, problem)
  local label = type(by) == "string" and string.match(by, "^label:(.+)$")
  if label and names.is_label(label) then return { "label", label } end
  if type(by) == "string" and kBy[by] then return { by, "" } end
  if label then
    problem(path, names.quoted(label) .. " is not the name of a label", names.label_cure)
  else
    local near = names.closest(by, kBy)
    problem(path, "accounts cannot be kept by " .. names.quoted(by),
      near and "did you mean '" .. near .. "'?"
        or 'write "clusterqueue", "localqueue", "namespace", "user" or "label:NAME"')
  end
end

-- The parts of a key, "user" or { "label:team", "user" }, as a list of { by, label }.
function accounts.read_key(path, by, problem)
  if type(by) ~= "table" then return { read_part(path, by, problem) } end
  local parts = {}
  if not names.is_list(by) or #by < 2 or #by > kMostParts then
    problem(path, "a key is not a list of 2 or 3 parts", 'write { "label:team", "user" }')
    return parts
  end
  local seen = {}
  for _, part in ipairs(by) do
    local read = read_part(path, part, problem)
    if read and seen[part] then
      problem(path, names.quoted(part) .. " is a part of the key twice", "remove one")
    end
    seen[part] = true
    parts[#parts + 1] = read
  end
  return parts
end

local function read_by(path, by, entry, problem)
  if by == nil then
    return problem(path, "an account needs a key",
      'write by = "clusterqueue", "localqueue", "namespace", "user" or "label:NAME"')
  end
  local parts = accounts.read_key(path .. ".by", by, problem)
  if parts[1] then entry.by, entry.label = parts[1][1], parts[1][2] end
  entry.also = { parts[2], parts[3] }
end

-- Only jobs that have all these labels count.
local function read_where(path, where, entry, labels, problem)
  if where == nil then return end
  path = path .. ".where"
  if type(where) ~= "table" then
    return problem(path, "where is not a table", 'write where = { tier = "gold" }')
  end
  local declared = {}
  for _, label in ipairs(labels) do declared[label] = true end
  for label, value in pairs(where) do
    if type(label) ~= "string" or not declared[label] then
      local near = names.closest(label, declared)
      problem(path, "label " .. names.quoted(label) .. " is not declared",
        near and "did you mean '" .. near .. "'?" or "add it to labels")
    elseif type(value) ~= "string" then
      problem(path, "the value of label " .. names.quoted(label) .. " is not a string",
        'write where = { ["' .. label .. '"] = "gold" }')
    else
      entry.where[#entry.where + 1] = { label, value }
    end
  end
  if #entry.where > kMostLabels then
    problem(path, #entry.where .. " labels, at most " .. kMostLabels .. " can be asked for")
  end
end

local function read_of(path, of, entry, problem)
  local what, resource = string.match(tostring(of), "^([%w_%-]+):(.*)$")
  if type(of) ~= "string" or of == "" or resource == "" then
    problem(of ~= nil and path .. ".of" or path, "an account needs something to count",
      'write of = "nvidia.com/gpu", "held:nvidia.com/gpu", "running", "evicted" or another')
    return
  end
  if what and not kOfResource[what] then
    local near = names.closest(what, kOfResource)
    problem(path .. ".of", "there is no event " .. names.quoted(what) .. " to count",
      near and "did you mean '" .. near .. ":" .. resource .. "'?"
        or 'write "preempted:' .. resource .. '" or "lost:' .. resource .. '"')
    return
  end
  if not what and kOfResource[of] and not kEvents[of] then
    problem(path .. ".of", names.quoted(of) .. " of which resource?",
      'write "' .. of .. ':nvidia.com/gpu"')
    return
  end
  if what or not kOf[of] then
    local wrong, cure = resource_problem(resource or of)
    local near = wrong and not what and names.closest(of, kOf)
    if near then
      wrong, cure = "there is no resource or event " .. names.quoted(of),
        "did you mean '" .. near .. "'?"
    end
    if wrong then return problem(path .. ".of", wrong, cure) end
  end
  if what then
    entry.of, entry.resource = what, resource
  elseif kOf[of] then
    entry.of = of
  else
    entry.of, entry.resource = "resource", of
  end
end

local function read_over(path, spec, entry, problem)
  local cure = 'write half_life = "7d", window = "1d", window = "calendar-day" or window = "week"'
  local given = spec.half_life ~= nil or spec.window ~= nil
  if kNow[entry.of] then
    entry.over = "ever"
    if given then
      problem(path, "'" .. entry.of .. "' is of what there is now, which no time is over",
        "remove the half_life and the window")
    end
  elseif not given and (kEvents[entry.of] or not entry.of) then
    entry.over = "ever" -- what is not known what it is of has had its problem
  elseif (spec.half_life == nil) == (spec.window == nil) then
    problem(path, "an account needs either a half_life or a window", cure)
  elseif kCalendar[spec.window] then
    entry.over = spec.window
  else
    local key = spec.half_life ~= nil and "half_life" or "window"
    local seconds, wanted = params.span(spec[key], kShortest)
    if not seconds then problem(path .. "." .. key, key .. " is not " .. wanted, cure) end
    entry.over, entry.span = key, seconds
  end
end

-- Returns the accounts as a list of { name, by, label, also, of, resource, where, over, span }, by
-- name. `labels`: those that the package declares.
function accounts.read(declared, labels, problem)
  local list = {}
  if declared == nil then return list end
  if type(declared) ~= "table" then
    problem("accounts", "accounts is not a table", "write accounts = { used = { by = ... } }")
    return list
  end
  for name, spec in pairs(declared) do
    local path = "accounts." .. tostring(name)
    if type(name) ~= "string" or not string.match(name, "^[%a_][%w_]*$") then
      problem("accounts", "account " .. names.quoted(name) .. " has no usable name",
        "use letters, digits and _")
    elseif type(spec) ~= "table" then
      problem(path, "an account is a table",
        'write { by = "clusterqueue", of = "cpu", half_life = "7d" }')
    else
      local entry = { name = name, label = "", resource = "", span = 0, also = {}, where = {} }
      for key in pairs(spec) do
        if not kKeys[key] then
          problem(path .. "." .. tostring(key), "no key " .. names.quoted(key) .. " in an account",
            names.hint(key, kKeys))
        end
      end
      read_by(path, rawget(spec, "by"), entry, problem)
      read_where(path, rawget(spec, "where"), entry, labels, problem)
      read_of(path, rawget(spec, "of"), entry, problem)
      read_over(path, { half_life = rawget(spec, "half_life"), window = rawget(spec, "window") },
        entry, problem)
      list[#list + 1] = entry
    end
  end
  if #list > kMost then
    problem("accounts", #list .. " accounts, at most " .. kMost .. " can be declared")
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

return accounts
