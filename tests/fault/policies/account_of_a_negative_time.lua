-- An account that remembers the future.
-- refused: is not a duration from 1m to 36500d
return {
  api = 1,
  name = "hostile",
  accounts = { a = { by = "user", of = "cpu", half_life = "-7d" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
