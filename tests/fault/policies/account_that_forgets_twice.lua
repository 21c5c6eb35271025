-- An account that forgets in two ways.
-- refused: an account needs either a half_life or a window
return {
  api = 1,
  name = "hostile",
  accounts = { a = { by = "user", of = "cpu", half_life = "7d", window = "1d" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
