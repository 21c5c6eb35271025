--- Muster for Lua: the admission engine in a process, over libmuster (muster.h is the contract).
--
-- Under LuaJIT it calls the library through FFI, under Lua 5.1, 5.3 and 5.4 through the C module
-- muster.core. Both have the same functions; what is here and in muster.engine is the same for all.
--
-- Times are seconds since 1970, UTC, kept to the microsecond; nil is the system's clock. Workloads
-- are named "namespace/name". A refused call changes nothing and raises a table: `code`
-- ("NotFound"), `message`, `mistakes` with `place`, `what` and `cure` of each. tostring gives the
-- message. What only the program can have done wrong, such as a field that does not exist, is an
-- error with a text and the caller's line.
local json = require "dkjson"

local engine = require "muster.engine"
local values = require "muster.values"

local door = values.door
local told = values.told

local muster = {
  version = door.version(),
  abi_version = door.abi_version(),
}

--- An engine in memory: it forgets everything, and time is what the calls say, however far it
--- jumps. The options of muster.open are taken, and change nothing.
function muster.memory(options)
  local made = engine.new(nil, options)
  return made
end

--- An engine with the ledger `path`; what a call did is on disk when it returns.
-- options: must_exist, allow_time_jump, relaxed (a power cut may take the last calls; a kill never
-- does), lock_wait (seconds to wait for a ledger that another process holds).
function muster.open(path, options)
  values.text(path, "the path of a ledger", 2)
  local opened = engine.new(path, options)
  return opened
end

--- An engine in memory with the state that the ledger `path` has now, also beside its writer.
function muster.read(path)
  local made = engine.reading(values.text(path, "the path of a ledger", 2))
  return made
end

--- What workloads of one kind have in common, from the manifest of a Workload or a Job.
function muster.shape(manifest, name)
  local made = told(door.shape(values.long_text(manifest, "a manifest", 2),
    values.text(name or "shape", "name", 2)))
  return made
end

--- The system's clock in whole seconds.
function muster.now()
  return values.seconds(door.now())
end

--- Messages of the library below `level` ("debug", "info", "warning", "error", "off") are dropped.
function muster.log_level(level)
  door.set_log_level(values.one_of(values.levels, level, "a level", 2))
end

--- JSON Schema of commands and answers, as a table.
function muster.schema()
  return values.decode(told(door.schema()))
end

--- Reads, checks and loads the package in `folder`; params: texts by name, or nil.
function muster.check_policy(folder, params)
  values.text(folder, "a folder", 2)
  return values.decode(told(door.policy_check(folder, values.params(params))))
end

--- Runs the tests of the package in `folder`. Returns how many failed, and the report.
function muster.test_policy(folder)
  local report, failed = told(door.policy_test(values.text(folder, "a folder", 2)))
  return failed, values.decode(report)
end

--- Plays a scenario on an engine of its own. Returns how many expectations failed, and the report.
function muster.play(scenario, name)
  local report, failed = told(door.scenario(values.long_text(scenario, "a scenario", 2),
    values.text(name or "scenario", "name", 2)))
  return failed, values.decode(report)
end

--- What a verb prints that reads and changes no ledger: "usage", "policy list", "describe",
--- "ledger export" (a list of events) and others; an unknown one is told all. options: those of the
--- verb under their long names, `warmUp` for --warm-up; arguments: the words before them.
---     muster.report("usage", { db = "cluster.ledger", since = "2026-03-01", by = "user" })
function muster.report(verb, options)
  local asked = setmetatable({}, { __jsontype = "object" })
  for name, value in pairs(options or {}) do
    asked[name] = value
  end
  local said = told(door.report(values.text(verb, "a verb", 2), json.encode(asked)))
  if verb ~= "ledger export" then
    return values.decode(said)
  end
  local lines = {}
  for line in said:gmatch "[^\n]+" do
    lines[#lines + 1] = values.decode(line)
  end
  return lines
end

return muster
