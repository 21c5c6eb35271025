-- Counts by a label that no view has.
-- refused: label 'tier' is not declared
return {
  api = 1,
  name = "hostile",
  accounts = { had = { by = "user", of = "running", where = { tier = "gold" } } },
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return 1
  end,
}
