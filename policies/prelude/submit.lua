-- The hook that is asked about one arriving job: what it may answer, read as plain data. It changes
-- only what the submitter could have written.
local import, host = ...
local names = import "names"
local views = import "views"
local fail, charge = names.fail, import "fuel".charge
local type, getmetatable = type, getmetatable

-- What a metatable stands for is nothing the policy has written down.
local function is_view(value) return host.on.raw_results and getmetatable(value) ~= nil end
local get = host.on.raw_results and rawget or function(t, key) return t[key] end

local submit = {}

local kKeys = { priority = true, queue = true, labels = true }
-- Names that no object can have are told to the author of a new package where it is loaded. Later
-- the engine takes such an answer back, and the job is as it was written: always, so that a replay
-- comes to the same.
local frame, probing = host.frame, host.on.probing
local function trying() return probing and frame.rehearsal ~= 0 end
local kMostPriority = 2147483647
local kBytesOfUnit = 256  -- of a text that one unit pays for looking through
local kKeysOfUnit = 64  -- keys of a table that one unit pays for reading

-- Labels that were read when the job arrived and do nothing afterwards: what to write instead.
local kRead = "kueue.x-k8s.io/"
local kInstead = { ["queue-name"] = 'write queue = "large"',
  ["priority-class"] = "write priority = 100" }

local function refuse_read(name)
  if string.sub(name, 1, #kRead) ~= kRead then return end
  fail("submit cannot change label " .. names.quoted(name) .. ", which was read before",
    kInstead[string.sub(name, #kRead + 1)] or "leave it to the users who submit the job")
end

local function read_priority(value)
  if value == nil then return nil end
  if type(value) ~= "number" or value % 1 ~= 0 or value > kMostPriority
    or value < -kMostPriority then
    fail("submit returned a priority that is not a whole number", "write priority = 100")
  end
  return value
end

local function check_label(name, value)
  charge((#name + #value) / kBytesOfUnit)
  if not names.is_label(name) then
    fail("submit returned a label called " .. names.quoted(name), names.label_cure)
  elseif not names.is_label_value(value) then
    fail("submit returned a value that label " .. names.quoted(name) .. " cannot have",
      names.label_value_cure)
  end
end

local function read_queue(value)
  if value == nil then return nil end
  if type(value) ~= "string" or value == "" then
    fail("submit returned a queue that is not a name", 'write queue = "large"')
  end
  if not trying() then return value end
  charge(#value / kBytesOfUnit)
  if not names.is_object(value) then
    fail("submit returned queue " .. names.quoted(value) .. ", which is not a name",
      'write that of a LocalQueue of its namespace: queue = "large"')
  end
  return value
end

-- The labels as a flat list: name, value, name, value; sorted by name.
local function read_labels(value)
  local flat, sorted = {}, {}
  if value == nil then return flat end
  if type(value) ~= "table" then
    fail("submit returned labels that are no table", 'write labels = { tier = "small" }')
  elseif is_view(value) then
    fail("submit returned a view as labels", 'write those that change: labels = { tier = "small" }')
  end
  for name, text in next, value do
    if type(name) ~= "string" or type(text) ~= "string" then
      fail("submit returned a label that is not a string", 'write labels = { tier = "small" }')
    end
    sorted[#sorted + 1] = name
  end
  charge(#sorted / kKeysOfUnit)
  table.sort(sorted)
  for _, name in ipairs(sorted) do
    refuse_read(name)
    if trying() then check_label(name, get(value, name)) end
    flat[#flat + 1] = name
    flat[#flat + 1] = get(value, name)
  end
  return flat
end

-- Which of two keys is named: the same one each time.
local function before(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  return (type(a) == "string" or type(a) == "number") and a < b
end

-- Returns ask(): rejection text or nil, priority or nil, queue or nil, flat labels.
function submit.prepare(entry, description)
  local message
  local rejected = views.closed("the rejection")
  local function reject(text)
    if type(text) ~= "string" or text == "" then
      fail("c.reject needs a message", 'write c.reject("jobs need a team label")')
    end
    message = text
    return rejected
  end
  local w = views.workload("w", "frame.batch.subject", "workload", entry.set, "submit",
    description)
  local c = views.context(entry.set, "submit", views.params(description.params), true, description,
    { reject = reject })
  local function ask()
    views.begin_batch()
    message = nil
    local answer = entry.fn(w, c)
    if message ~= nil and answer ~= rejected then
      fail("submit called c.reject and did not return its answer", "write return c.reject(message)")
    end
    if answer == nil then return nil, nil, nil, {} end
    if type(answer) ~= "table" then
      fail("submit returned a " .. type(answer),
        "return nothing, c.reject(message) or { priority =, queue =, labels = }")
    end
    if answer == rejected then return message, nil, nil, {} end
    if is_view(answer) then
      fail("submit returned a view",
        "return nothing to accept the job as it is, or a table: { priority = w.priority }")
    end
    local wrong, count = nil, 0
    for key in next, answer do
      count = count + 1
      if not kKeys[key] and (wrong == nil or before(key, wrong)) then wrong = key end
    end
    charge(count / kKeysOfUnit)
    if wrong ~= nil then
      fail("submit cannot change " .. names.quoted(wrong), names.hint(wrong, kKeys))
    end
    return nil, read_priority(get(answer, "priority")), read_queue(get(answer, "queue")),
      read_labels(get(answer, "labels"))
  end
  return { ask = ask }
end

return submit
