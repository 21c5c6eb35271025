-- Divides the largest by the smallest.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = 0
    for i = 1, 200 do x = x + math.fmod(1e308, 1e-308) end --> here
    return x
  end,
}
