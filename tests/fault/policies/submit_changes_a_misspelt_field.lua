-- A misspelt answer.
-- fails: did you mean 'priority'?
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { prioirty = 1 }
  end,
}
