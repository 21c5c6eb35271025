-- Has long texts compared.
-- fails: out of fuel
local long = string.rep("x", 65000)
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = 0
    for i = 1, 10 do x = x + #muster.clamp(long, long, long) end --> here
    return x
  end,
}
