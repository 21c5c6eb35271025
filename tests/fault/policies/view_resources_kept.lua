-- Keeps the names of the resources.
-- refused: a view cannot be kept
return {
  api = 1,
  name = "hostile",
  queue_order = { reads = { "now" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    local kept = {}
    kept[1] = c.resources --> here
    return 1
  end },
}
