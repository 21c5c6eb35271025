-- A flavor that is neither.
-- fails: flavor_order returned nan
return {
  api = 1,
  name = "hostile",
  flavor_order = function(w, f, c) --> here
    if w.gpus ~= 4 then return 1 end
    return 0 / 0
  end,
}
