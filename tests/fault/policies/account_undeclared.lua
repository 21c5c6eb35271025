-- An account, without saying so.
-- refused: add reads = {"account"} to queue_order
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "clusterqueue", of = "cpu", half_life = "7d" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.account.used --> here
  end },
}
