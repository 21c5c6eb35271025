-- Has many stars matched with nothing.
-- fails: out of fuel
local stars = string.rep("*", 65000)
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = 0
    for i = 1, 10 do x = muster.glob("", stars) and 1 or 0 end --> here
    return x
  end,
}
