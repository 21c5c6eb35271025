-- Counts pods of no jobs in particular.
-- refused: d.placed counts pods of jobs with the same key
return {
  api = 1,
  name = "hostile",
  domain_order = { reads = { "placed" }, function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    return 1
  end },
}
