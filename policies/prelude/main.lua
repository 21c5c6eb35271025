-- Entry of the trusted prelude. The host calls it once in a fresh state with `import` and its own
-- table; it returns the few functions the host keeps.
local import, host = ...

-- A hot loop must not fill the address space with machine code.
jit.opt.start("maxmcode=2048", "maxtrace=500")
if not host.on.compiled then jit.off() end
collectgarbage("setpause", 120)

local names = import "names"
local meter = import "fuel"
local sandbox = import "sandbox"
local freeze = import "freeze"
local package = import "package"
local runner = import "runner"

local main = {}

-- Runs a compiled policy file in the sandbox and reads what it returns. The result is plain data
-- and two functions per hook that the host calls.
function main.load(chunk, texts, zones, known)
  local problems = {}
  local function problem(path, what, cure)
    problems[#problems + 1] = { path = path, what = what, cure = cure or "" }
  end
  setfenv(chunk, sandbox.env)
  meter.set_longest(freeze.longest(chunk))
  local line = host.on.frozen_file and freeze.assignment(chunk)
  if line then
    names.fail(host.policy .. ":" .. line .. ": a variable of an outer function is assigned",
      "return the new value, or use a local; a policy has no memory")
  end
  local description = package.read(chunk(), texts, zones, known, problem)
  if #problems > 0 then return { problems = problems } end
  description.problems = problems
  for _, entry in ipairs(description.hooks) do
    description[entry.hook] = runner.prepare(entry, description)
  end
  return description
end

-- After load, without its limits: what a loaded package keeps from changing.
function main.freeze(description)
  if not host.on.frozen_file or not description.hooks then return end
  local roots = {}
  for _, entry in ipairs(description.hooks) do roots[#roots + 1] = entry.fn end
  freeze.reach(roots)
end

-- What is wrong with a name, as the sandbox or a view would say it: what, cure; nil: nothing.
function main.lookup(scope, name, reads, hook)
  if scope == "_G" then return names.global_problem(name, sandbox.known._G) end
  if names.fields[scope] then
    local set = {}
    for input in string.gmatch(reads or "", "[%a_]+") do set[input] = true end
    return names.field_problem(scope, name, set, hook or "the hook")
  end
  return names.library_problem(scope, name, sandbox.known[scope])
end

return main
