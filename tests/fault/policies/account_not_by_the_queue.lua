-- Asks a queue for what is kept by team.
-- fails: account 'used' is not kept by clusterqueue
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "label:team", of = "cpu", half_life = "7d" } },
  queue_order = { reads = { "account" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    return c.queue.account.used --> here
  end },
}
