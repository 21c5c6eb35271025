-- Compares for ever.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  flavor_order = function(w, f, c)
    if w.gpus ~= 4 then return 1 end
    while f.index >= 0 do --> here
    end
    return 1
  end,
}
