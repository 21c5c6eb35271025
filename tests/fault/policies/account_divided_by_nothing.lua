-- Shares by what was not used yet.
-- fails: as key 1
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "clusterqueue", of = "cpu", half_life = "7d" } },
  queue_order = { reads = { "account" }, function(w, c) --> here
    if w.gpus ~= 4 then return 1 end
    return 1 / (w.account.used - w.account.used)
  end },
}
