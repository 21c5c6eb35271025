-- Forgives what was used.
-- fails: cannot write to w.account: 'used'
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "clusterqueue", of = "cpu", half_life = "7d" } },
  queue_order = { reads = { "account" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    w.account.used = 0 --> here
    return 1
  end },
}
