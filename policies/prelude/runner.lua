-- Loops over one batch, or over several: one call from the host, one call of the policy's function
-- for each item.
-- The loop is generated for each hook, so that its compiled trace knows the function it calls.
local import, host = ...
local names = import "names"
local views = import "views"
local submit = import "submit"
local hold = import "hold"
local turns = import "turns"
local fail = names.fail

local runner = {}

local function describe(value)
  if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
  if value == nil then return "nothing" end
  return "a " .. type(value)
end

-- What each hook is asked about. `at`: where the loop points the frame for item i; `widest`: how
-- many numbers it may return for one; `absent`: what a number is that it leaves out; `queue`: its
-- batches are of one ClusterQueue; `each`: and there may be many of them at a time.
local kShapes = {
  queue_order = { views = "w, c", at = "frame.workload = batch.workloads + i", widest = 3,
    queue = true, each = true },
  cycle_order = { views = "w, c", at = "frame.workload = batch.workloads + i", widest = 3 },
  share = { views = "n, c", at = "frame.node = batch.nodes + i", widest = 1 },
  flavor_order = { views = "w, f, c", at = "frame.flavor = batch.flavors + i", widest = 1,
    queue = true, each = true },
  domain_order = { views = "d, w, c", at = "frame.domain = batch.domains + i", widest = 1,
    queue = true },
  victim = { views = "v, p, c", widest = 1, queue = true,
    at = "frame.workload = batch.workloads + i frame.holding = batch.holdings + i" },
  preempt_limits = { views = "p, c", at = "", widest = 2, absent = "1/0", queue = true },
  boost = { views = "w, c", at = "frame.workload = batch.workloads + i", widest = 1, absent = "0",
    queue = true, each = true },
}

-- Says what is wrong with the answer to one item. `line`: where the hook is defined.
local function wrong_answer(entry, keys, ...)
  local got = select("#", ...)
  local at = host.policy .. ":" .. entry.line .. ": " .. entry.hook
  for i = 1, math.min(keys, got) do
    local value = select(i, ...)
    if type(value) ~= "number" then
      fail(at .. " returned " .. describe(value) .. " as key " .. i,
        type(value) == "boolean" and "return a number, such as x and 1 or 0" or "return a number")
    end
  end
  if got == 0 then fail(at .. " returned nothing", "every way through it needs a return") end
  fail(at .. " returned " .. got .. (got == 1 and " key" or " keys") .. ", elsewhere " .. keys,
    "return the same number of keys everywhere")
end

-- The policy's function has the name that LuaJIT gives to what it tail-calls: "bad argument #1 to
-- 'returned_call'".
local kLoop = [[
local frame, begin_batch, returned_call, %s, wrong_answer, entry, keys, fuel = ...
local type = type
return function()
  begin_batch()
  local batch, out = frame.batch, frame.keys
  for i = 0, batch.count - 1 do
    fuel.begun, fuel.keys = fuel.left + fuel.reserve, 0
    %s
    local %s, extra = returned_call(%s)
    %s
    if %s or extra ~= nil then wrong_answer(entry, keys, returned_call(%s)) end
    %s
  end
end
]]

-- The same over the batches of frame.turns; see turns.lua.
local kEachLoop = turns.loop("%s", "local type = type", "", [[
    local batch = frame.batch
    %s
    local %s, extra = returned_call(%s)
    %s
    if %s or extra ~= nil then wrong_answer(entry, keys, returned_call(%s)) end
    %s
]], "wrong_answer, entry, keys")

-- A function without arguments that fills frame.keys: `loop` over frame.batch with `row` "i", or
-- over frame.turns with `row` "row".
local function generate(loop, row, entry, shape, keys, views_of)
  local values, tests, stores, defaults = {}, {}, {}, {}
  for k = 1, keys do
    values[k] = "k" .. k
    tests[k] = "type(k" .. k .. ") ~= 'number'"
    stores[k] = "out[" .. row .. " * " .. keys .. " + " .. (k - 1) .. "] = k" .. k
    if shape.absent then
      defaults[k] = "if k" .. k .. " == nil then k" .. k .. " = " .. shape.absent .. " end"
    end
  end
  local source = string.format(loop, shape.views, shape.at, table.concat(values, ", "),
    shape.views, table.concat(defaults, " "), table.concat(tests, " or "), shape.views,
    table.concat(stores, " "))
  local arguments = { host.frame, views.begin_batch, entry.fn }
  for _, letter in ipairs(views_of) do arguments[#arguments + 1] = letter end
  local count = #arguments
  local last = { wrong_answer, entry, keys, host.fuel }
  for i, value in ipairs(last) do arguments[count + i] = value end
  return assert(loadstring(source, "=prelude"))(unpack(arguments, 1, count + #last))
end

-- The views that stand behind the parameters of a hook, in their order.
local function make_views(entry, shape, description)
  local reads, hook = entry.set, entry.hook
  local context = views.context(reads, hook, views.params(description.params), shape.queue,
    description)
  local function workload(title, row, kind)
    return views.workload(title, row, kind, reads, hook, description)
  end
  if hook == "queue_order" or hook == "boost" then
    return { workload("w", "frame.workload", "workload"), context }
  end
  if hook == "cycle_order" then return { workload("w", "frame.workload", "entry"), context } end
  if hook == "share" then
    return { views.node("n", "frame.node", reads, hook, description), context }
  end
  if hook == "preempt_limits" then
    return { workload("p", "frame.batch.subject", "workload"), context }
  end
  if hook == "domain_order" then
    return { views.domain(reads, hook, description.labels),
      workload("w", "frame.batch.subject", "workload"), context }
  end
  if hook == "victim" then
    return { views.victim(reads, hook, description),
      workload("p", "frame.batch.subject", "workload"), context }
  end
  return { workload("w", "frame.batch.subject", "workload"),
    views.flavor(reads, hook, description.labels), context }
end

-- `entry`: a checked hook; returns bind(keys), which makes the loops, and rehearse(), which counts
-- the keys of the items; of submit, which is asked about one job at a time, ask().
function runner.prepare(entry, description)
  if entry.hook == "submit" then return submit.prepare(entry, description) end
  if entry.hook == "hold" then return hold.prepare(entry, description) end
  local shape = kShapes[entry.hook]
  local budgets = entry.hook == "victim" and #entry.per > 0
  local arguments = make_views(entry, shape, description)
  local function count_keys(...)
    local got = select("#", ...)
    if shape.absent then got = shape.widest end
    if budgets and got ~= 3 then
      fail(host.policy .. ":" .. entry.line .. ": victim has per and returned " .. got
        .. (got == 1 and " number" or " numbers"),
        "return the cost, what the eviction spends, and what is left of the budget")
    elseif not budgets and (got < 1 or got > shape.widest) then
      local answer = got == 0 and "nothing for a job it was tried on" or got .. " keys"
      fail(host.policy .. ":" .. entry.line .. ": " .. entry.hook .. " returned " .. answer,
        entry.hook == "victim" and got == 3 and 'add per = "label:NAME": whose budget it spends'
          or shape.widest == 1 and "return one number" or "return 1 to 3 numbers")
    end
    return got
  end
  local first = assert(loadstring("local frame, i = ... local batch = frame.batch " .. shape.at,
    "=prelude"))
  return {
    bind = function(keys)
      return generate(kLoop, "i", entry, shape, keys, arguments),
        shape.each and generate(kEachLoop, "row", entry, shape, keys, arguments)
    end,
    rehearse = function()
      views.begin_batch()
      first(host.frame, 0)
      return count_keys(entry.fn(unpack(arguments)))
    end,
  }
end

return runner
