-- The hook that is asked whether jobs must wait: its loop over a batch, and c.hold. Two numbers
-- come out for each: 0, or which of the reasons of the batch, and until when.
local import, host = ...
local names = import "names"
local views = import "views"
local turns = import "turns"
local fail, charge = names.fail, import "fuel".charge
local type = type

local hold = {}

local kNobodyKnows = 1/0
local kNewReason = 8  -- fuel for a reason that the batch has not had yet

-- What is done for an item; `row`: its number among all that are answered.
local function item(row)
  return (string.gsub([[
    said.reason = 0
    local answer, extra = returned_call(w, c)
    if answer == nil and extra == nil and said.reason == 0 then
      out[ROW * 2], out[ROW * 2 + 1] = 0, 0
    elseif answer == held and extra == nil and said.reason > 0 then
      out[ROW * 2], out[ROW * 2 + 1] = said.reason, said.till
    else
      wrong_answer(answer, extra)
    end
]], "ROW", row))
end

-- The policy's function has the name that LuaJIT gives to what it tail-calls.
local kLoop = [[
local frame, begin_batch, returned_call, w, c, said, held, wrong_answer, fuel = ...
return function()
  begin_batch()
  local batch, out = frame.batch, frame.keys
  for i = 0, batch.count - 1 do
    fuel.begun, fuel.keys = fuel.left + fuel.reserve, 0
    frame.workload = batch.workloads + i
]] .. item("i") .. "  end\nend\n"

-- The same over the batches of frame.turns. A reason counts as new in each of them.
local kEachLoop = turns.loop("w, c, said, held", "", "      begin_turn()\n",
  "    frame.workload = frame.batch.workloads + i\n" .. item("row"), "wrong_answer, begin_turn")

-- Returns bind(), which makes the loops; rehearse(), which asks about the first item; and
-- reasons(), a list of those that the last call was given.
function hold.prepare(entry, description)
  local at = host.policy .. ":" .. entry.line .. ": hold"
  local held = views.closed("the answer of c.hold")
  local said = { reason = 0, till = 0 }  -- about the item being looked at; of several the last
  local list, place_of = {}, {}
  local named = 0  -- of the list, before the batch being looked at

  local function c_hold(text, till)
    if type(text) ~= "string" or text == "" then
      fail("c.hold needs a reason", 'write return c.hold("over 64 GPUs")')
    end
    if till ~= nil and not (type(till) == "number" and till == till) then
      fail("c.hold takes a time in seconds since the epoch",
        "write return c.hold(reason, c.now + 600)")
    end
    charge(#text / 64)
    local place = place_of[text]
    if not place then
      charge(kNewReason)
      place = #list + 1
      list[place], place_of[text] = text, place
    end
    if till == nil then till = kNobodyKnows end
    if till == -kNobodyKnows then till = 0 end
    said.reason, said.till = place, till
    return held
  end

  local function wrong_answer(answer, extra)
    if extra ~= nil then
      fail(at .. " returned more than one value", "write return c.hold(reason, until)")
    elseif answer == nil then
      fail(at .. " called c.hold and did not return its answer", "write return c.hold(reason)")
    elseif answer == held then
      fail(at .. " returned an answer that c.hold gave for another job",
        "write return c.hold(reason)")
    end
    fail(at .. " returned a " .. type(answer), "return nothing, or c.hold(reason, until)")
  end

  local function begin_batch()
    if #list > 0 then
      list, place_of, named = {}, {}, 0
    end
    views.begin_batch()
  end

  local function begin_turn()
    if #list > named then
      place_of, named = {}, #list
    end
  end

  local w = views.workload("w", "frame.workload", "workload", entry.set, "hold", description)
  local c = views.context(entry.set, "hold", views.params(description.params), true, description,
    { hold = c_hold })
  return {
    bind = function()
      return assert(loadstring(kLoop, "=prelude"))(host.frame, begin_batch, entry.fn, w, c, said,
          held, wrong_answer, host.fuel),
        assert(loadstring(kEachLoop, "=prelude"))(host.frame, begin_batch, entry.fn, w, c, said,
          held, wrong_answer, begin_turn, host.fuel)
    end,
    rehearse = function()
      begin_batch()
      host.frame.workload = host.frame.batch.workloads
      entry.fn(w, c)
      return 2
    end,
    reasons = function() return list end,
  }
end

return hold
