-- Wants to explode when it fails.
-- refused: on_error
return {
  api = 1,
  name = "hostile",
  on_error = "explode",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return nil
  end,
}
