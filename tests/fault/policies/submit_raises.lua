-- Raises an error.
-- fails: not today
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    error("not today") --> here
  end,
}
