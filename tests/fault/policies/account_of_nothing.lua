-- An account of nothing.
-- refused: an account needs something to count
return {
  api = 1,
  name = "hostile",
  accounts = { a = { by = "user", window = "1d" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
