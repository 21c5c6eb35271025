-- An account with a key too many.
-- refused: no key 'limit' in an account
return {
  api = 1,
  name = "hostile",
  accounts = { a = { by = "user", of = "cpu", window = "1d", limit = 3 } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
