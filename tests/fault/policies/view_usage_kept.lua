-- Keeps what its queue uses.
-- refused: a view cannot be kept
return {
  api = 1,
  name = "hostile",
  queue_order = { reads = { "usage" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    local kept = {}
    kept[1] = w.usage --> here
    return 1
  end },
}
