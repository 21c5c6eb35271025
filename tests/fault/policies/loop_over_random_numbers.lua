-- Waits for a number that never comes.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local i = 0
    while c.rng("x" .. i) >= 0 do --> here
      i = i + 1
    end
    return 1
  end,
}
