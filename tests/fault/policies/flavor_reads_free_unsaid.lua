-- Reads what is free without saying so.
-- refused: changes by itself and is not declared
return {
  api = 1,
  name = "hostile",
  flavor_order = function(w, f, c)
    if w.gpus ~= 4 then return 1 end
    return f.free["nvidia.com/gpu"] --> here
  end,
}
