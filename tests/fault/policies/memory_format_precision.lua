-- A float with five hundred digits.
-- fails: invalid
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.format("%.500f", 1e308) --> here
  end,
}
