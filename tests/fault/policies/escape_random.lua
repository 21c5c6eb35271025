-- Chance.
-- refused: blocked function: math.random
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return math.random() --> here
  end,
}
