-- The loop over several batches in one call from the host, one loop for all their items: a loop of
-- its own for each batch, mostly of one item, would be none that LuaJIT compiles. Every batch has
-- its own fuel; what it leaves is put where it came from, and the host looks in when many have
-- taken a slice. Where the policy caught that it ran out, the rest is left.
local turns = {}

local kHead = [[
return function()
  begin_batch()
  local turns, out = frame.turns, frame.keys
  local turn, i, count, unseen = -1, -1, 0, 0
  for row = 0, frame.turn_items - 1 do
    i = i + 1
    if i == count then
      if turn >= 0 then
        local left = fuel.left + fuel.reserve
        turns[turn].fuel, unseen = left, unseen + turns[turn].fuel - left
      end
      if fuel.left < 0 then return end
      local slice = fuel.slice
      if unseen >= slice then
        unseen = 0
        fuel(0)
      end
      turn, i = turn + 1, 0
      frame.batch = turns[turn].batch
      local given = turns[turn].fuel
      local reserve = given > slice and given - slice or 0
      count, fuel.left, fuel.reserve = frame.batch.count, given - reserve, reserve
      fuel.odd_begun = -1
]]
local kItem = [[
    end
    fuel.begun, fuel.keys = fuel.left + fuel.reserve, 0
]]
local kEnd = [[
  end
  turns[turn].fuel = fuel.left + fuel.reserve
end
]]

-- The source of a chunk that makes the loop. It is given the frame, begin_batch, the policy's
-- function, `given` and `also`, and the fuel. `first`: what stands in front of the loop; `turn`:
-- what is done where a batch begins; `item`: for the i-th item of frame.batch, the row-th of all.
function turns.loop(given, first, turn, item, also)
  return "local frame, begin_batch, returned_call, " .. given .. ", " .. also .. ", fuel = ...\n"
    .. first .. "\n" .. kHead .. turn .. kItem .. item .. kEnd
end

return turns
