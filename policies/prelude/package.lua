-- The table a policy file returns: checked as a whole, every mistake under the path of its key
-- ("params.grace.min"), which the host turns into line and column.
local import, host = ...
local names = import "names"
local params = import "params"
local accounts = import "accounts"
local on = host.on

local package = {}

local kMaxLabels = 8
local kMaxZones = 8
local kShortestEvery = "1s"
local kKeys = { api = true, name = true, description = true, labels = true, params = true,
  accounts = true, zones = true, on_error = true }
for hook in pairs(names.hooks) do kKeys[hook] = true end
local kHookKeys = { reads = true, every = true, per = true, [1] = true }

local function get(list, key)
  if on.raw_results then return rawget(list, key) end
  return list[key]
end

local function check_text(result, key, required, problem)
  local value = get(result, key)
  if value == nil then
    if required then
      problem("", "the package has no " .. key, 'add ' .. key .. ' = "..."')
    end
    return ""
  end
  if type(value) ~= "string" then
    problem(key, key .. " is not a string", 'write ' .. key .. ' = "..."')
    return ""
  end
  return value
end

local function check_api(result, problem)
  local api = get(result, "api")
  if api == nil then
    problem("", "the package does not say which API it is written for", "add api = 1")
  elseif api ~= 1 then
    problem("api", "api " .. names.quoted(api) .. " is not known", "write api = 1")
  end
end

local function check_name(result, problem)
  local name = check_text(result, "name", true, problem)
  if name ~= "" and (#name > 63 or not string.match(name, "^[a-z0-9][a-z0-9-]*$")) then
    problem("name", "name " .. names.quoted(name) .. " is not a package name",
      "use lower-case letters, digits and -")
  elseif name == "native" and on.probing then
    problem("name", "native is the name of the engine's own order",
      "give the package a name of its own")
  end
  return name
end

local function check_labels(result, problem)
  local labels, seen = {}, {}
  local declared = get(result, "labels")
  if declared == nil then return labels end
  if type(declared) ~= "table" then
    problem("labels", "labels is not a list", 'write labels = { "tier" }')
    return labels
  end
  if not names.is_list(declared) then
    problem("labels", "labels is not a list of names", 'write labels = { "tier" }')
    return labels
  end
  for i, label in ipairs(declared) do
    if type(label) ~= "string" or label == "" then
      problem("labels", "label " .. i .. " is not a string", 'write labels = { "tier" }')
    elseif not names.is_label(label) then
      problem("labels", names.quoted(label) .. " is not the name of a label", names.label_cure)
    elseif seen[label] then
      problem("labels", "label " .. names.quoted(label) .. " is listed twice", "remove one")
    else
      seen[label] = true
      labels[#labels + 1] = label
    end
  end
  if #labels > kMaxLabels then
    problem("labels", #labels .. " labels, at most " .. kMaxLabels .. " can be declared",
      "remove some")
  end
  return labels
end

-- The zones it declares: name -> number of its rules. `zones`: what the package has; `known`: the
-- names of all zones, where it lacks one.
local function check_zones(result, zones, known, problem)
  local declared, found = get(result, "zones"), {}
  if declared == nil then return found end
  if type(declared) ~= "table" or not names.is_list(declared) then
    problem("zones", "zones is not a list of names", 'write zones = { "Europe/Zurich" }')
    return found
  end
  if #declared > kMaxZones then
    problem("zones", #declared .. " zones, at most " .. kMaxZones .. " can be declared",
      "remove some")
  end
  for _, zone in ipairs(declared) do
    found[zone] = zones[zone]
    if not zones[zone] then
      problem("zones", "no time zone " .. names.quoted(zone),
        known[zone] and "write its name in the table that the file returns"
          or next(known) and (names.hint(zone, known) or 'write one such as "Europe/Zurich"')
          or "install the package tzdata")
    end
  end
  return found
end

local function check_reads(hook, spec, problem)
  local reads, set = {}, {}
  local declared = get(spec, "reads")
  if declared == nil then return reads, set end
  local path = hook .. ".reads"
  if type(declared) ~= "table" or not names.is_list(declared) then
    problem(path, "reads is not a list", 'write reads = {"now"}')
    return reads, set
  end
  for _, input in ipairs(declared) do
    if not names.reads[input] then
      problem(path, hook .. " cannot read " .. names.quoted(input),
        names.hint(input, names.inputs(hook)))
    elseif not set[input] then
      set[input] = true
      reads[#reads + 1] = input
    end
  end
  return reads, set
end

local function line_of(fn)
  local info = debug.getinfo(fn, "S")
  return info.what == "Lua" and info.source == host.chunk and info.linedefined or nil
end

local function check_hook(hook, value, problem)
  local entry = { hook = hook, reads = {}, set = {}, every = 0, fn = value, per = {} }
  if type(value) == "table" then
    for key in pairs(value) do
      if not kHookKeys[key] then
        problem(hook .. "." .. tostring(key), "no key " .. names.quoted(key) .. " in a hook",
          names.hint(key, { reads = true, every = true, per = true }))
      end
    end
    entry.fn = get(value, 1)
    entry.reads, entry.set = check_reads(hook, value, problem)
    local every = get(value, "every")
    if every ~= nil then
      local seconds, wanted = params.span(every, kShortestEvery)
      if not seconds then
        problem(hook .. ".every", "every is not " .. wanted, 'write every = "30s"')
      end
      entry.every = seconds or 0
    end
    local per = get(value, "per")
    if per ~= nil and hook ~= "victim" and hook ~= "domain_order" then
      problem(hook .. ".per", "there are budgets in victim alone", "remove per")
    elseif per ~= nil then
      entry.per = accounts.read_key(hook .. ".per", per, problem)
    end
    if hook == "domain_order" and (per ~= nil) ~= (entry.set.placed == true) then
      problem(hook, "d.placed counts pods of jobs with the same key `per`",
        'write reads = {"placed"}, per = "label:NAME", or neither')
    end
  end
  if type(entry.fn) ~= "function" then
    problem(hook, hook .. " is not a function",
      "write " .. hook .. " = function(w, c) ... end, or { reads = {...}, function(w, c) ... end }")
    return nil
  end
  entry.line = line_of(entry.fn)
  if not entry.line then
    problem(hook, hook .. " is not a function of this package",
      "write " .. hook .. " = function(w, c) ... end")
    return nil
  end
  return entry
end

local kHookOrder = { "submit", "queue_order", "cycle_order", "share", "flavor_order",
  "preempt_limits", "victim", "hold", "boost", "domain_order" }

-- `result`: what the policy file returned; `texts`: parameters of the binding; `zones` and `known`:
-- see check_zones. Returns the description of the package; `problem(path, what, cure)` is called
-- for every mistake.
function package.read(result, texts, zones, known, problem)
  if type(result) ~= "table" then
    problem("", "the file returns " .. (result == nil and "nothing" or "a " .. type(result)),
      'end it with return { api = 1, name = "...", queue_order = function(w, c) ... end }')
    return nil
  end
  for key in pairs(result) do
    if not kKeys[key] then
      problem(type(key) == "string" and key or "",
        "no key " .. names.quoted(key) .. " in a package", names.hint(key, kKeys))
    end
  end
  check_api(result, problem)
  local labels = check_labels(result, problem)
  local description = {
    name = check_name(result, problem),
    description = check_text(result, "description", false, problem),
    labels = labels,
    params = params.resolve(get(result, "params"), texts, problem),
    accounts = accounts.read(get(result, "accounts"), labels, problem),
    zones = check_zones(result, zones, known, problem),
    hooks = {},
  }
  local on_error = get(result, "on_error")
  if on_error ~= nil and on_error ~= "reject" and on_error ~= "accept" then
    problem("on_error", "on_error is " .. names.quoted(on_error),
      'write on_error = "accept" or "reject"')
  end
  if on_error ~= nil and get(result, "submit") == nil then
    problem("on_error", "on_error is for submit, which the package does not define",
      "remove it, or add submit = function(w, c) ... end")
  end
  description.reject_on_error = on_error == "reject"
  local defined = false
  for _, hook in ipairs(kHookOrder) do
    local value = get(result, hook)
    if value ~= nil then
      defined = true
      description.hooks[#description.hooks + 1] = check_hook(hook, value, problem)
    end
  end
  if not defined then
    problem("", "the package defines no hook", "add queue_order = function(w, c) ... end")
  end
  return description
end

return package
