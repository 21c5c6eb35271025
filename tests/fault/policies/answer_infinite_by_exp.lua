-- Too large to be a number.
-- fails: queue_order returned inf as key 1
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return math.exp(1e6)
  end,
}
