-- An account with a name that no code can write.
-- refused: has no usable name
return {
  api = 1,
  name = "hostile",
  accounts = { ["a b"] = { by = "user", of = "cpu", window = "1d" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
