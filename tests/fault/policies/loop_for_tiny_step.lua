-- A step too small to change the counter.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for i = 1e15, 2e15, 1e-9 do --> here
    end
    return 1
  end,
}
