-- Answers one key here and two there.
-- refused: the same number of keys everywhere
return {
  api = 1,
  name = "hostile",
  queue_order = function(w)
    if w.gpus ~= 4 then return 1 end
    return 1, 2 --> here
  end,
}
