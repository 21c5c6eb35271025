-- Answers four keys.
-- refused: return 1 to 3 numbers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w)
    if w.gpus ~= 4 then return 1 end
    return 1, 2, 3, 4 --> here
  end,
}
