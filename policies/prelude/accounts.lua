-- The accounts a package declares: what the engine remembers for it. Checked here; charged by the
-- engine.
local import = ...
local names = import "names"
local params = import "params"

local accounts = {}

local kMost = 4
local kKeys = { by = true, of = true, half_life = true, window = true }
local kBy = { localqueue = true, clusterqueue = true, namespace = true, user = true }
local kHours = { preempted = true, lost = true } -- of a resource: taken from others, or lost
local kCalendar = { ["calendar-day"] = true, week = true }
local kShortest = "1m"
local kNative = { cpu = true, memory = true, ["ephemeral-storage"] = true, storage = true,
  pods = true }

local function read_by(path, by, entry, problem)
  local label = type(by) == "string" and string.match(by, "^label:(.+)$")
  if label and not names.is_label(label) then
    problem(path .. ".by", names.quoted(label) .. " is not the name of a label", names.label_cure)
  elseif label then
    entry.by, entry.label = "label", label
  elseif type(by) == "string" and kBy[by] then
    entry.by = by
  else
    problem(by ~= nil and path .. ".by" or path,
      by == nil and "an account needs a key" or "accounts cannot be kept by " .. names.quoted(by),
      'write by = "clusterqueue", "localqueue", "namespace", "user" or "label:NAME"')
  end
end

-- Resources without a domain are those that Kubernetes itself knows; devices have one.
local function resource_problem(resource)
  if kNative[resource] or string.match(resource, "^hugepages%-%w+$") then return nil end
  if string.match(resource, "^[%w%.%-]+%.[%w%-]+/[%w%.%-_]+$") then return nil end
  local near = names.closest(resource, kNative)
  return "there is no resource " .. names.quoted(resource),
    near and "did you mean '" .. near .. "'?"
    or "resources are cpu, memory, ... or have a domain, as in nvidia.com/gpu"
end

local function read_of(path, of, entry, problem)
  local what, resource = string.match(tostring(of), "^([%w_%-]+):(.*)$")
  if type(of) ~= "string" or of == "" or resource == "" then
    problem(of ~= nil and path .. ".of" or path, "an account needs something to count",
      'write of = "nvidia.com/gpu", "preempted:nvidia.com/gpu", "lost:nvidia.com/gpu" or '
        .. '"admissions"')
    return
  end
  if what and not kHours[what] then
    local near = names.closest(what, kHours)
    problem(path .. ".of", "there is no event " .. names.quoted(what) .. " to count",
      near and "did you mean '" .. near .. ":" .. resource .. "'?"
        or 'write "preempted:' .. resource .. '" or "lost:' .. resource .. '"')
    return
  end
  if of ~= "admissions" then
    local wrong, cure = resource_problem(resource or of)
    if wrong and not what and names.closest(of, { admissions = true }) then
      wrong, cure = "there is no resource or event " .. names.quoted(of),
        "did you mean 'admissions'?"
    end
    if wrong then return problem(path .. ".of", wrong, cure) end
  end
  if of == "admissions" then
    entry.of = of
  elseif what then
    entry.of, entry.resource = what, resource
  else
    entry.of, entry.resource = "resource", of
  end
end

local function read_over(path, spec, entry, problem)
  local cure = 'write half_life = "7d", window = "1d", window = "calendar-day" or window = "week"'
  if (spec.half_life == nil) == (spec.window == nil) then
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

-- Returns the accounts as a list of { name, by, label, of, resource, over, span }, by name.
function accounts.read(declared, problem)
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
      local entry = { name = name, label = "", resource = "", span = 0 }
      for key in pairs(spec) do
        if not kKeys[key] then
          problem(path .. "." .. tostring(key), "no key " .. names.quoted(key) .. " in an account",
            names.hint(key, kKeys))
        end
      end
      read_by(path, rawget(spec, "by"), entry, problem)
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
