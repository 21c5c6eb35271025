-- An account that never forgets.
-- refused: an account needs either a half_life or a window
return {
  api = 1,
  name = "hostile",
  accounts = { a = { by = "user", of = "cpu" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
