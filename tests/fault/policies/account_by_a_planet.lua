-- An account by something that no job has.
-- refused: accounts cannot be kept by
return {
  api = 1,
  name = "hostile",
  accounts = { a = { by = "planet", of = "cpu", window = "1d" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
