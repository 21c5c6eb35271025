-- Draws for a time that is none.
-- fails: which is no period
return {
  api = 1,
  name = "hostile",
  queue_order = { reads = { "now" }, function(w, c) --> here
    if w.gpus ~= 4 then return 1 end
    return c.rng(w.name, "0s")
  end },
}
