-- Keeps a job in a new table.
-- refused: a view cannot be kept
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local kept = { job = w } --> here
    return #kept
  end,
}
