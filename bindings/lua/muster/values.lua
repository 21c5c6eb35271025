--- What goes in and comes out: times, names, jobs, decisions, refusals. Also picks the door.
--
-- A door is a table of functions over libmuster with plain values alone: times are whole
-- microseconds, a refused call returns nil and { code = number's name, message, mistakes }.
local json = require "dkjson"

local values = {
  door = require(type(jit) == "table" and "muster.ffi" or "muster.core"),
  levels = { debug = 0, info = 1, warning = 2, error = 3, off = 4 },
  missing = { refuse = 0, accept = 1, ["as-kueue"] = 2 },
  check_states = { pending = 0, ready = 1, retry = 2, rejected = 3 },
  DEACTIVATE = 1, ACTIVATE = 2,
  phases = { [0] = "pending", "reserved", "admitted", "evicting", "inactive", "finished" },
}
local door = values.door
local floor = math.floor

local Refusal = {}
Refusal.__index = Refusal
function Refusal:__tostring()
  return self.message
end

--- "NotFound" of "MUSTER_NOT_FOUND".
local function camel(code)
  return (code:gsub("^MUSTER_", ""):lower():gsub("^%l", string.upper):gsub("_(%l)", string.upper))
end

--- Hands on what a function of the door returned, or raises its refusal.
function values.told(first, second)
  if first == nil then
    second.code = camel(second.code)
    error(setmetatable(second, Refusal), 0)
  end
  return first, second
end

-- The checks below say what the calling program did wrong, at the line `level` calls above.

--- A text of any bytes, whose length the library is told.
function values.long_text(value, what, level)
  if type(value) ~= "string" then
    error(("%s is a string, not %s"):format(what, type(value)), level + 1)
  end
  return value
end

--- A text as the library takes it, which ends with a character NUL.
function values.text(value, what, level)
  values.long_text(value, what, level + 1)
  if value:find("\0", 1, true) then
    error(what .. " has a character NUL, which ends a text; leave it out", level + 1)
  end
  return value
end

--- The same; nil stays nil.
function values.optional(value, what, level)
  if value ~= nil then
    values.text(value, what, level + 1)
  end
  return value
end

--- What JSON says, and nothing beside it.
function values.decode(text)
  local value = json.decode(text)
  return value
end

--- `list`, which must be one without gaps, and its length. `one`: how its parts are called.
local function listed(list, what, one, level)
  if type(list) ~= "table" then
    error(("%s is a list, not %s"):format(what, type(list)), level + 1)
  end
  local count, last = 0, 0
  for key in pairs(list) do
    if type(key) ~= "number" or key < 1 or key % 1 ~= 0 then
      error(("%s is a list; write { %s, ... }, not a table with '%s'"):format(what, one,
        tostring(key)), level + 1)
    end
    count, last = count + 1, math.max(last, key)
  end
  for i = 1, last do
    if list[i] == nil then
      error(("%s has nothing at %d, and something behind it"):format(what, i), level + 1)
    end
  end
  return list, count
end

--- The number behind a word.
function values.one_of(numbers, word, what, level)
  local number = numbers[word]
  if number == nil then
    local words = {}
    for each in pairs(numbers) do
      words[#words + 1] = each
    end
    table.sort(words)
    error(("%s is one of %s, not %s"):format(what, table.concat(words, ", "), tostring(word)),
      level + 1)
  end
  return number
end

--- `options` (or none), whose names must be in `known`.
function values.options(options, known, what, level)
  if options ~= nil and type(options) ~= "table" then
    error(("the options of %s are a table, not %s"):format(what, type(options)), level + 1)
  end
  for name in pairs(options or {}) do
    if not known[name] then
      local names = {}
      for each in pairs(known) do
        names[#names + 1] = each
      end
      table.sort(names)
      error(("%s has no '%s'; it has %s"):format(what, tostring(name), table.concat(names, ", ")),
        level + 1)
    end
  end
  return options or {}
end

--- Microseconds of a time in seconds; nil stays nil.
function values.micros(time, level)
  if time == nil then
    return nil
  end
  if type(time) ~= "number" or not (time > -9e9 and time < 9e9) then
    error("a time is a number of seconds since 1970, not " .. tostring(time), level + 1)
  end
  return floor(time * 1e6 + 0.5)
end

--- Seconds of whole microseconds: a whole number where they are whole.
function values.seconds(micros)
  if micros % 1000000 == 0 then
    return floor(micros / 1000000)
  end
  return micros / 1000000
end

--- Namespace and name of "namespace/name".
local function split(name, level)
  if type(name) == "string" then
    local namespace, rest = name:match("^([^/]+)/(.+)$")
    if namespace and not name:find("\0", 1, true) then
      return namespace, rest
    end
  end
  error(("%s is no name of a workload; write 'namespace/name'"):format(
    (tostring(name):gsub("%z", " "))), level + 1)
end
values.split = split

--- One of `given` for each of `count` workloads; nil stays nil, and what is no table is a list of
--- it alone.
local function for_each(given, count, what, one, level)
  if given == nil then
    return nil
  end
  local list, length = listed(type(given) == "table" and given or { given }, what, one, level + 1)
  if length ~= count then
    error(("%s are %d and workloads are %d; give a %s for each"):format(what, length, count, one),
      level + 1)
  end
  return list
end

--- { namespace, name, uid, run, namespace, ... } of a list of names, or of one, and of a list of
--- uids and of runs, or of one; no uids are as many "", no runs as many 0.
function values.names(names, uids, runs, level)
  local count
  names, count = listed(type(names) == "string" and { names } or names, "workloads",
    "'namespace/name'", level + 1)
  uids = for_each(uids, count, "uids", "uid", level + 1)
  runs = for_each(runs, count, "runs", "run", level + 1)
  local flat = {}
  for i, name in ipairs(names) do
    flat[4 * i - 3], flat[4 * i - 2] = split(name, level + 1)
    flat[4 * i - 1] = uids and values.text(uids[i], "a uid", level + 1) or ""
    flat[4 * i] = runs and values.number(runs[i], "a run", level + 1) or 0
  end
  return flat
end

--- A whole number from `least` to `most`. The door would take the lower bits of others, and Lua a
--- text for a number.
function values.whole(value, what, least, most, level)
  if type(value) == "number" and value >= least and value <= most and value % 1 == 0 then
    return value
  end
  error(("%s is a whole number from %.0f to %.0f, not %s"):format(what, least, most,
    tostring(value)), level + 1)
end

--- The number of a decision, a ticket or a count: 0 or more, and exact as a number of each Lua.
function values.number(value, what, level)
  local number = values.whole(value, what, 0, 2 ^ 53, level + 1)
  return number
end

--- Whole milliseconds of seconds to wait; nil and what is below 0 are over at once, and over 30
--- years are as good as without end.
function values.milliseconds(seconds, what, level)
  if seconds == nil then
    return 0
  end
  if type(seconds) ~= "number" or seconds ~= seconds then
    error(("%s is a number of seconds, not %s"):format(what, tostring(seconds)), level + 1)
  end
  return floor(math.min(math.max(seconds, 0), 1e9) * 1000)
end

--- A whole number that an int32 holds and that is `least` at least; nil stays nil.
local function int32(value, what, least, level)
  if value ~= nil then
    values.whole(value, what, least, 2147483647, level + 1)
  end
  return value
end
values.int32 = int32

--- { podset, count, ... } of counts by podset; nil stays nil.
function values.counts(counts, level)
  if counts == nil then
    return nil
  end
  local flat = {}
  for name, count in pairs(counts) do
    flat[#flat + 1] = values.text(name, "the name of a podset", level + 1)
    flat[#flat + 1] = values.whole(count, "a count of pods", 0, 2147483647, level + 1)
  end
  return flat
end

local JOB = { name = true, shape = true, queue = true, uid = true, created = true,
  priority = true, count = true }

--- Jobs as the door takes them.
function values.jobs(jobs, level)
  local rows = {}
  for i, job in ipairs((listed(jobs, "jobs", "job", level + 1))) do
    if type(job) ~= "table" then
      error(("a job is a table, not %s"):format(type(job)), level + 1)
    end
    values.options(job, JOB, "a job", level + 1)
    if not door.is_shape(job.shape) then
      error("a job needs a shape; make one with muster.shape(manifest)", level + 1)
    end
    local namespace, name = split(job.name, level + 1)
    rows[i] = { ns = namespace, name = name, shape = job.shape,
      queue = values.optional(job.queue, "a queue", level + 1),
      uid = values.optional(job.uid, "a uid", level + 1),
      created = values.micros(job.created, level + 1),
      priority = int32(job.priority, "a priority", -2147483648, level + 1),
      count = int32(job.count, "a count of pods", 0, level + 1) }
  end
  return rows
end

--- JSON of parameters, which are texts by name; nil stays nil.
function values.params(params)
  if params == nil then
    return nil
  end
  local copy = setmetatable({}, { __jsontype = "object" })
  for name, value in pairs(params) do
    copy[name] = value
  end
  return json.encode(copy)
end

--- Decisions of the door, as a program sees them.
function values.decisions(decisions)
  for _, each in ipairs(decisions) do
    each.workload = each.namespace .. "/" .. each.name
    each.kind = door.decision_kind(each.kind)
    each.starts = each.kind == "start" or each.kind == "start-again"
    each.at = values.seconds(each.at)
    if each.by_name ~= "" then
      each.by = each.by_namespace .. "/" .. each.by_name
    end
    each.by_namespace, each.by_name = nil, nil
  end
  return decisions
end

return values
