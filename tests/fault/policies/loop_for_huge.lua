-- Counts to 1e15.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for i = 1, 1e15 do --> here
    end
    return 1
  end,
}
