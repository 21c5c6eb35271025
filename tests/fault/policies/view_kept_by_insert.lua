-- Appends a job to a list.
-- refused: a view cannot be kept
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local kept = {}
    table.insert(kept, w) --> here
    return 1
  end,
}
