-- An account, by a name made at run time.
-- fails: add reads = {"account"} to queue_order
return {
  api = 1,
  name = "hostile",
  accounts = { used = { by = "clusterqueue", of = "cpu", half_life = "7d" } },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w["acc" .. "ount"].used --> here
  end },
}
