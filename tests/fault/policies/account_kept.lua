-- Keeps the accounts for later.
-- refused: a view cannot be kept
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "clusterqueue", of = "cpu", half_life = "7d" } },
  queue_order = { reads = { "account" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    local kept = {}
    kept[1] = w.account --> here
    return w.account.used
  end },
}
