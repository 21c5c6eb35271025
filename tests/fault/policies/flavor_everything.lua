-- One flavor before all for ever.
-- fails: flavor_order returned inf
return {
  api = 1,
  name = "hostile",
  flavor_order = function(w, f, c) --> here
    if w.gpus ~= 4 then return 1 end
    return math.huge
  end,
}
