-- Keeps a job for later.
-- refused: a view cannot be kept
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local kept = {}
    kept[1] = w --> here
    return 1
  end,
}
