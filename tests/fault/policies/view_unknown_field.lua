-- A misspelt field.
-- refused: did you mean 'priority'?
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.prioirty --> here
  end,
}
