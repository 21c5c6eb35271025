-- No flavor at all.
-- answers
return {
  api = 1,
  name = "hostile",
  flavor_order = function(w, f, c)
    if w.gpus ~= 4 then return 1 end
    return -math.huge
  end,
}
