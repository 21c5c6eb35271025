-- More accounts than a row has room for.
-- refused: at most 8 can be declared
return {
  api = 1,
  name = "hostile",
  accounts = {
    a0 = { by = "user", of = "cpu", window = "1d" },
    a1 = { by = "user", of = "cpu", window = "1d" },
    a2 = { by = "user", of = "cpu", window = "1d" },
    a3 = { by = "user", of = "cpu", window = "1d" },
    a4 = { by = "user", of = "cpu", window = "1d" },
    a5 = { by = "user", of = "cpu", window = "1d" },
    a6 = { by = "user", of = "cpu", window = "1d" },
    a7 = { by = "user", of = "cpu", window = "1d" },
    a8 = { by = "user", of = "cpu", window = "1d" },
  },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
