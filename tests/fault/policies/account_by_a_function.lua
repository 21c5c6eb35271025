-- An account by a function.
-- refused: accounts cannot be kept by
return {
  api = 1,
  name = "hostile",
  accounts = { a = { by = function() end, of = "cpu", window = "1d" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
