-- Entry for Muster: gives a spec its words and nothing of the machine it runs on, then runs it.
local import, host = ...
local names = import "names"
local specs = import "specs"

-- Of plain Lua, what a spec may use. It has no files, no clock and no chance but gen's.
local environment = {}
for _, name in ipairs { "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget",
    "rawset", "select", "setmetatable", "getmetatable", "tonumber", "tostring", "type", "unpack",
    "xpcall", "math", "string", "table", "bit" } do
  environment[name] = _G[name]
end
environment.math.random, environment.math.randomseed = nil, nil
for name, patient in pairs(import "patterns") do environment.string[name] = patient end

-- Protected calls nest to a limit: at the end of the stack the clock that ends a test is not heard,
-- and calls that catch the overflow there could go on for ever.
local kMostNested = 150
local nested = 0

local function left(...)
  nested = nested - 1
  return ...
end

for _, name in ipairs { "pcall", "xpcall" } do
  local call = _G[name]
  environment[name] = function(...)
    if nested == kMostNested then error(name .. " is nested too deeply", 2) end
    nested = nested + 1
    return left(call(...))
  end
end

-- What a spec does in another way than a policy.
local kBlocked = { print = "say it with assert: its message is shown",
  io = "a spec sees no files; golden(name, text) keeps a text", os = "time stands still at fx.now",
  require = "write the function in this file" }

-- Every spec that is run belongs to one package, which the host knows.
function host.here() end
function host.enter() end
function host.skip(why) error({ pending = why }, 0) end
function host.is_skip(problem) return type(problem) == "table" and problem.pending ~= nil end

for name, word in pairs(specs.words()) do environment[name] = word end
for name, word in pairs(import "words" (function() return environment.it end)) do
  environment[name] = word
end
environment.assert = import("expect").assert
environment._G = environment

setmetatable(environment, { __index = function(_, name)
  if name == "_TEST" then return nil end
  local cure = kBlocked[name] or names.blocked[name]
  if cure then error("blocked function: " .. name .. "; " .. cure, 2) end
  local near = names.closest(tostring(name), environment)
  error("undefined name " .. names.quoted(name) .. (near and "; did you mean '" .. near .. "'?"
    or "; declare it with local"), 2)
end })

-- options: filter, tags, stop.
return function(file, chunk, options)
  specs.run(file, setfenv(chunk, environment), options)
end
