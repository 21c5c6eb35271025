-- An account that is not declared.
-- fails: did you mean 'used'?
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "clusterqueue", of = "cpu", half_life = "7d" } },
  queue_order = { reads = { "account" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.account.usde --> here
  end },
}
