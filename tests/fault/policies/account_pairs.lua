-- Looks through all accounts.
-- refused: a view cannot be counted or walked through
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "clusterqueue", of = "cpu", half_life = "7d" } },
  queue_order = { reads = { "account" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    for name in pairs(w.account) do return #name end --> here
    return 1
  end },
}
