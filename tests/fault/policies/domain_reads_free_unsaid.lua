-- Reads what is free without saying so.
-- refused: changes by itself and is not declared
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    return d.free["nvidia.com/gpu"] --> here
  end,
}
