-- The job as its priority.
-- refused: a view cannot be kept
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return { priority = w } --> here
  end,
}
