-- Loops over one batch: one call from the host, one call of the policy's function for each item.
-- The loop is generated for each hook, so that its compiled trace knows the function it calls.
local import, host = ...
local names = import "names"
local views = import "views"
local fail = names.fail

local runner = {}

local function describe(value)
  if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
  if value == nil then return "nothing" end
  return "a " .. type(value)
end

-- Says what is wrong with the answer to one item. `line`: where the hook is defined.
local function wrong_answer(entry, keys, ...)
  local got = select("#", ...)
  local at = host.policy .. ":" .. entry.line .. ": " .. entry.hook
  for i = 1, math.min(keys, got) do
    local value = select(i, ...)
    if type(value) ~= "number" then
      fail(at .. " returned " .. describe(value) .. " as key " .. i, "return a number")
    end
  end
  fail(at .. " returned " .. got .. (got == 1 and " key" or " keys") .. ", elsewhere " .. keys,
    "return the same number of keys everywhere")
end

local kLoop = [[
local frame, views, run, w, c, wrong_answer, entry, keys = ...
local type = type
return function()
  views.begin_batch()
  local batch, out = frame.batch, frame.keys
  local items = batch.workloads
  for i = 0, batch.count - 1 do
    frame.workload = items + i
    local %s, extra = run(w, c)
    if %s or extra ~= nil then wrong_answer(entry, keys, run(w, c)) end
    %s
  end
end
]]

-- A function without arguments that fills frame.keys from frame.batch.
local function generate(entry, keys, w, c)
  local values, tests, stores = {}, {}, {}
  for k = 1, keys do
    values[k] = "k" .. k
    tests[k] = "type(k" .. k .. ") ~= 'number'"
    stores[k] = "out[i * " .. keys .. " + " .. (k - 1) .. "] = k" .. k
  end
  local source = string.format(kLoop, table.concat(values, ", "), table.concat(tests, " or "),
    table.concat(stores, " "))
  return assert(loadstring(source, "=prelude"))(host.frame, views, entry.fn, w, c, wrong_answer,
    entry, keys)
end

-- `entry`: a checked hook; returns bind(keys) and rehearse(), which counts the keys of the items.
function runner.prepare(entry, description)
  local w = views.workload(entry.set, entry.hook, description.labels)
  local c = views.context(entry.set, entry.hook, views.params(description.params))
  local frame = host.frame
  local run = entry.fn
  local function count_keys(...)
    local got = select("#", ...)
    if got < 1 or got > 3 then
      fail(host.policy .. ":" .. entry.line .. ": " .. entry.hook .. " returned " .. got .. " keys",
        "return 1 to 3 numbers")
    end
    return got
  end
  return {
    bind = function(keys) return generate(entry, keys, w, c) end,
    rehearse = function()
      views.begin_batch()
      frame.workload = frame.batch.workloads
      return count_keys(run(w, c))
    end,
  }
end

return runner
