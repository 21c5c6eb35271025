-- A label that is not declared.
-- refused: add it to labels
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.label.tier == "gold" and 1 or 2 --> here
  end,
}
