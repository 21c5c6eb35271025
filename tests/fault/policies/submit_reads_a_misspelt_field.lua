-- A misspelt field.
-- refused: did you mean 'priority'?
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return w.prioirty > 1 and c.reject("x") or nil --> here
  end,
}
