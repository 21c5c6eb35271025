-- Keeps the job for later.
-- refused: a view cannot be kept
local kept = {}
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    kept[1] = w --> here
    return nil
  end,
}
