-- Counts to infinity.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for i = 1, math.huge do --> here
    end
    return 1
  end,
}
