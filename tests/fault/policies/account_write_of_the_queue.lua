-- Forgives what a queue used.
-- fails: cannot write to c.queue.account: 'used'
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "clusterqueue", of = "cpu", half_life = "7d" } },
  queue_order = { reads = { "account" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    c.queue.account.used = 0 --> here
    return 1
  end },
}
